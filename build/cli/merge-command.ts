/** `civic merge`: from the shards of a build to a tree. */
import type { Command } from 'commander';
import { NOTHING_PUBLISHED } from '../failure.ts';
import {
  BASE_PATH,
  BASE_URL,
  HOST,
  JOBS,
  MEMORY,
  type Run,
  SIGNING,
  type SiteParts,
  type TreeArguments,
  treeOptions,
} from './arguments.ts';

export function addMergeCommand(program: Command, run: Run, site: SiteParts): void {
  program
    .command('merge')
    .description('merge all shards of a build into the tree that a build in one go writes')
    .argument('<shard...>', 'folders that civic build --shard wrote, in any order')
    .requiredOption('--out <dir>', 'folder of the tree; the merge replaces it as a whole, in one step')
    .option('--previous <manifest>', "path or URL of an earlier tree's manifest.json, as for civic build")
    .option('--extract', 'with shards built with --only: write a tree of these datasets alone', false)
    .addOption(BASE_URL)
    .addOption(HOST)
    .addOption(BASE_PATH)
    .addOption(SIGNING)
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic merge shard-1 shard-2 shard-3 --out dist')
    .action((folders: readonly string[], options: TreeArguments & { extract: boolean }) =>
      run(
        options,
        async terminal => {
          const { merge } = await import('../shards/merge.ts');
          const { extract } = options;
          const merged = { ...treeOptions(options, site.edges), extract, pages: await site.openPages() };
          terminal.built(await merge(folders, merged, terminal.report));
        },
        NOTHING_PUBLISHED,
      ),
    );
}
