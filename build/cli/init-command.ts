/** `civic init`: contracts and a lake from a publisher's own files. */
import type { Command } from 'commander';
import { JOBS, type LimitArguments, MEMORY, type Run } from './arguments.ts';

export function addInitCommand(program: Command, run: Run): void {
  program
    .command('init')
    .description('draft contracts from files of rows, and lay out a folder that civic build takes')
    .argument(
      '[files...]',
      'CSV, TSV, JSON lines, Parquet, XLSX or XLS, or folders of them; none writes an example',
    )
    .option('--domain <name>', 'domain of the new datasets', 'data')
    .option('--folder <dir>', 'folder in which to write contracts/ and data/', '.')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic init air.csv stations.parquet')
    .action((inputs: readonly string[], options: InitArguments) =>
      run(
        options,
        async terminal => {
          const { draft } = await import('../draft/draft.ts');
          terminal.drafted(await draft({ ...options, inputs }));
        },
        'Nothing was written.',
      ),
    );
}

interface InitArguments extends LimitArguments {
  readonly domain: string;
  readonly folder: string;
}
