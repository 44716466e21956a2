/** The arguments of `civic merge`. */
import type { Command, Option } from 'commander';
import type { PageMaker } from '../publish/people-pages.ts';
import type { Terminal } from '../terminal.ts';

interface MergeArguments {
  readonly out: string;
  readonly previous?: string;
  readonly baseUrl?: string;
  readonly jobs: number;
  readonly memory: string;
  readonly json?: true;
}

/** Gives the command what it takes; `run` turns whatever ends it into words and an exit code. */
export function describeMerge(
  command: Command,
  run: (options: { readonly json?: true }, action: (terminal: Terminal) => Promise<void>) => Promise<void>,
  shared: readonly Option[],
  openPages: () => Promise<PageMaker>,
): void {
  command
    .description('make the tree of all parts of a build, the same as a build in one go makes')
    .argument('<part...>', 'folders that civic build --part wrote, in any order')
    .requiredOption('--out <dir>', 'folder of the tree; replaced as a whole, in one step')
    .option('--previous <manifest>', "path or URL of an earlier tree's manifest.json, as for civic build");
  for (const option of shared) command.addOption(option);
  command
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic merge part-1 part-2 part-3 --out dist')
    .action((folders: readonly string[], options: MergeArguments) =>
      run(options, async terminal => {
        const { merge } = await import('../merge.ts');
        const told = {
          ...options,
          previous: options.previous ?? null,
          baseUrl: options.baseUrl ?? null,
          pages: await openPages(),
        };
        terminal.built(await merge(folders, told, terminal.report));
      }),
    );
}
