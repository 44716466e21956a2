/** `civic snapshot`: one archive of a tree. */
import { type Command, Option } from 'commander';
import { archive, JOBS, type LimitArguments, MEMORY, type Run, type SiteParts } from './arguments.ts';

export function addSnapshotCommand(program: Command, run: Run, site: SiteParts): void {
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
    .action((folder: string, options: LimitArguments & { out: string; only?: string }) =>
      run(options, async terminal => {
        const { snapshot } = await import('../archive/snapshot.ts');
        const { out, only = null, jobs, memory } = options;
        const given = { out, only, limits: { jobs, memory }, openPages: site.openPages };
        terminal.packed(await snapshot(folder, given, terminal.report));
      }),
    );
}
