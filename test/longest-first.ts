/** The order of test files: the longest begin first, so that none is left at the end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Half a minute and more, longest first. If several need one kept tree, one of them makes it early and the
 * others come later. In a fresh clone vitest knows no earlier times, and would go by file size.
 */
const LONGEST = [
  'georgia/import/import-cases',
  'cli/documented-commands',
  'deploy/bucket',
  'georgia/smoke',
  'explorer/explore',
  'pipeline/incremental',
  'draft/random-tables',
  'hosts/hosts',
  'faults/power-cut',
  'memory/as-of',
  'conformance/copies',
  'tree/mirror',
  'lake/bucket-lake',
  'deploy/server',
  'explorer/engine',
  'explorer/while-reading',
  'explorer/page-visits',
  'package/package',
  'log/signed-tree',
  'cache/shards',
  'conformance/rewrite',
].map(name => path.resolve(import.meta.dirname, `${name}.test.ts`));

for (const file of LONGEST) if (!existsSync(file)) throw new Error(`${file} is gone. Take it off the list.`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONGEST.flatMap(file => sorted.filter(({ moduleId }) => moduleId === file));
    return [...long, ...sorted.filter(one => !long.includes(one))];
  }
}
