/** `civic verify`, `snapshot` and `diff`: what is done with trees that are there. */
import { type Command, Option } from 'commander';
import { archive, JOBS, MEMORY, type Run, type Shared, type SiteParts } from './arguments.ts';

interface Limits extends Shared {
  readonly jobs: number;
  readonly memory: string;
}

export function describeTreeCommands(program: Command, run: Run, site: SiteParts): void {
  program
    .command('verify')
    .description(
      'recompute every hash of a tree, compare the formats of every slice, and look for missing and extra files',
    )
    .argument('<dir-or-file>', 'folder of the tree, or an archive of one')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic verify dist')
    .action((folder: string, options: Limits) =>
      run(options, async terminal => {
        const { verify } = await import('../archive/verify.ts');
        terminal.verified(await verify(folder, options, terminal.report));
      }),
    );

  program
    .command('snapshot')
    .description('write one archive of a tree: a BagIt bag and an RO-Crate, for the shelf and for a DOI')
    .argument('<dir>', 'folder of the tree')
    .addOption(new Option('--out <file>', 'a .zip or .tar.zst file').argParser(archive).makeOptionMandatory())
    .option('--only <glob>', 'datasets to take, as domain/topic; * stands for any name')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic snapshot dist --out release.zip')
    .action((folder: string, options: Limits & { out: string; only?: string }) =>
      run(options, async terminal => {
        const { snapshot } = await import('../archive/snapshot.ts');
        const { out, only = null, jobs, memory } = options;
        const told = { out, only, limits: { jobs, memory }, openPages: site.openPages };
        terminal.packed(await snapshot(folder, told, terminal.report));
      }),
    );

  program
    .command('diff')
    .description('say what changed from one tree to another: contracts, years, and rows by year and level')
    .argument('<old>', 'a tree: its folder or its address')
    .argument('<new>', 'the same, later')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic diff https://data.example.org/ dist')
    .action((old: string, now: string, options: Limits) =>
      run(options, async terminal => {
        const { diff } = await import('../tree/diff.ts');
        terminal.compared(await diff(old, now, options));
      }),
    );
}
