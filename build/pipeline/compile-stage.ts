/** The stage that compiles contracts and lake, and identifies the files that it will read. */
import path from 'node:path';
import type { Cache } from '../cache/cache.ts';
import type { FileContents } from '../cache/file-contents.ts';
import { parseContracts } from '../contract/parse-contracts.ts';
import type { BuildInput } from '../input/build-input.ts';
import { type Compiled, compileInput } from '../input/compiled-input.ts';
import type { DatabaseOptions } from '../lake/database.ts';
import { usedFiles } from '../lake/inventory.ts';
import type { Reporter } from '../report.ts';
import type { BuildOptions } from './build-options.ts';
import { expectServable } from './host-stage.ts';
import { prepareTables } from './prepared-tables.ts';

export interface CompileStageInput {
  readonly options: BuildOptions;
  readonly input: BuildInput;
  readonly contents: FileContents;
  readonly cache: Cache;
  /** Folder for the files that the build reads instead of the lake's tables. */
  readonly temporary: string;
  readonly limits: DatabaseOptions;
}

export async function compileBuild(
  { options, input, contents, cache, temporary, limits }: CompileStageInput,
  report: Reporter,
): Promise<Compiled> {
  expectServable(options);
  const { lake, contractFiles } = input;
  const contentOf = contents.of.bind(contents);
  const tables = { lake, cache, folder: path.join(temporary, 'tables'), limits, contentOf };
  const compiled = await compileInput(
    options,
    input,
    report,
    contracts => prepareTables(contracts, tables, report),
    contentOf,
    // Parsing thirty contracts takes a third of a build with one changed slice.
    () =>
      cache.make({ what: 'contracts', inputs: [process.version, contractFiles] }, async () => ({
        value: parseContracts(contractFiles),
        files: [],
      })),
  );
  await contents.read(usedFiles(compiled.inventory), (done, total, what) =>
    report({ kind: 'progress', stage: 'read', done, total, what }),
  );
  return compiled;
}
