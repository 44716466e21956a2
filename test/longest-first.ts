/** The order of test files: those that take longest begin first, so that none goes on alone at the end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Half a minute and more. In a fresh clone vitest has no times of an earlier run, and would go by the files' sizes. */
const LONGEST = [
  'cli/documented-commands',
  'deploy/bucket',
  'cache/shards',
  'explorer/explore',
  'explorer/page-visits',
  'lake/bucket-lake',
  'tree/mirror',
  'pipeline/incremental',
  'pipeline/faults',
  'deploy/server',
  'plan/only',
  'slice/copies-by-place',
  'georgia/import/published-figures',
  'explorer/sql-page',
  'hosts/hosts',
  'conformance/earlier-releases',
].map(name => path.resolve(import.meta.dirname, `${name}.test.ts`));

for (const file of LONGEST) if (!existsSync(file)) throw new Error(`${file} is gone. Take it off the list.`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONGEST.flatMap(file => sorted.filter(({ moduleId }) => moduleId === file));
    return [...long, ...sorted.filter(one => !long.includes(one))];
  }
}
