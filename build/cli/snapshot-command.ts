/** `civic snapshot`: one archive of a tree. */
import { type Command, Option } from 'commander';
import { archive, JOBS, type LimitArguments, MEMORY, type Run, type SiteParts } from './arguments.ts';
import { publisherFolders } from './publisher-folders.ts';

export function addSnapshotCommand(program: Command, run: Run, site: SiteParts): void {
  program
    .command('snapshot')
    .description(
      'write one archive of a tree, which is a BagIt bag and an RO-Crate: for preservation and for a DOI',
    )
    .argument('[dir]', 'folder of the tree (default: dist)')
    .addOption(new Option('--out <file>', 'a .zip file').argParser(archive).makeOptionMandatory())
    .option('--only <glob>', 'take only these datasets, as domain/topic; * stands for any name')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic snapshot dist --out release.zip')
    .action((given: string | undefined, options: LimitArguments & { out: string; only?: string }) =>
      run(options, async terminal => {
        const folder = given ?? publisherFolders({}).out;
        const { snapshot } = await import('../archive/snapshot.ts');
        const { out, only = null, jobs, memory } = options;
        const archived = { out, only, limits: { jobs, memory }, openPages: site.openPages };
        terminal.packed(await snapshot(folder, archived, terminal.report));
      }),
    );
}
