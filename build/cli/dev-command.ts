/** `civic dev`: builds, serves, and builds again whenever contracts or data change. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ROOT } from '../format/paths.ts';
import { watchInputs } from '../input/watched-inputs.ts';
import { JOBS, MEMORY, PORT, type Run, type SiteParts } from './arguments.ts';
import { failureLines } from './command-run.ts';
import { openDevServer } from './dev-server.ts';
import { publisherFolders } from './publisher-folders.ts';
import type { SiteServer } from './serve-command.ts';
import type { StartArguments } from './start-command.ts';
import type { Terminal } from './terminal.ts';
import { expectFreePort, plainBuild, servedTree } from './tree-server.ts';

export function addDevCommand(program: Command, run: Run, site: SiteParts, server: SiteServer): void {
  program
    .command('dev')
    .description('build and serve, and build again whenever contracts or data change')
    .option('--contracts <dir>', 'folder of the contracts (default: contracts)')
    .option('--data <dir>', 'folder of the lake (default: data/lake, else data)')
    .option('--out <dir>', 'folder of the releases that drafts follow; they go to <dir>.dev (default: dist)')
    .addOption(PORT)
    .option('--listen <address>', 'address to listen at', '127.0.0.1')
    .addOption(JOBS)
    .addOption(MEMORY)
    .addHelpText('after', '\nExample:\n  $ civic dev')
    .action((options: StartArguments) => run(options, terminal => develop(options, terminal, site, server)));
}

async function develop(
  options: StartArguments,
  terminal: Terminal,
  site: SiteParts,
  server: SiteServer,
): Promise<void> {
  const published = publisherFolders(options);
  const folders = { ...published, out: `${published.out.replace(/\/+$/, '')}.dev` };
  const { port, listen } = options;
  await expectFreePort(port, listen);
  const { build } = await import('../pipeline/build.ts');
  const pages = await site.openPages();
  const dev = await openDevServer(port, listen, () =>
    server.startServer({
      folder: folders.out,
      port: 0,
      listen: '127.0.0.1',
    }),
  );
  let isShown = false;
  const buildOnce = async (): Promise<void> => {
    try {
      const release = path.join(published.out, ROOT.manifest);
      const previous = existsSync(release) ? release : null;
      const draft = { ...plainBuild(folders, options), pages, previous, draft: true };
      const built = await build(draft, terminal.report);
      terminal.built(built);
      await dev.showTree();
      if (!isShown) terminal.serving(await servedTree(folders.out, dev.url));
      isShown = true;
    } catch (error) {
      const lines = failureLines(error, options);
      terminal.broken(lines);
      dev.showFailure(lines);
      if (!isShown) terminal.report({ kind: 'note', text: `${dev.url} shows the error until it is mended.` });
    }
  };
  // Changes that come during a build are seen by the look after it.
  await watchInputs([folders.contracts, folders.data], buildOnce);
}
