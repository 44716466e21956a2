/** `civic start`: builds the tree and serves it. */
import type { Command } from 'commander';
import { NOTHING_PUBLISHED } from '../failure.ts';
import { JOBS, type LimitArguments, MEMORY, PORT, type Run, type SiteParts } from './arguments.ts';
import { type PublisherFolders, publisherFolders } from './publisher-folders.ts';
import type { SiteServer } from './serve-command.ts';
import { expectFreePort, plainBuild, servedTree } from './tree-server.ts';

export function addStartCommand(program: Command, run: Run, site: SiteParts, server: SiteServer): void {
  program
    .command('start')
    .description('build the tree and serve it')
    .option('--contracts <dir>', 'folder of the contracts (default: contracts)')
    .option('--data <dir>', 'folder of the lake, or s3://bucket/folder (default: data/lake, else data)')
    .option('--out <dir>', 'folder of the tree (default: dist)')
    .addOption(PORT)
    .option('--listen <address>', 'address to listen at', '127.0.0.1')
    .addOption(JOBS)
    .addOption(MEMORY)
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ civic start --port 8081')
    .action((options: StartArguments) =>
      run(
        options,
        async terminal => {
          const { port, listen } = options;
          const folders = publisherFolders(options);
          await expectFreePort(port, listen);
          const { build } = await import('../pipeline/build.ts');
          const pages = await site.openPages();
          const built = await build({ ...plainBuild(folders, options), pages }, terminal.report);
          if (options.json !== true) terminal.built(built);
          const { url } = await server.startServer({
            folder: folders.out,
            port,
            listen,
          });
          terminal.serving(await servedTree(folders.out, url));
        },
        NOTHING_PUBLISHED,
      ),
    );
}

export interface StartArguments extends LimitArguments, Partial<PublisherFolders> {
  readonly port: number;
  readonly listen: string;
}
