/** Builds a publisher's tree and serves it: what `civic start`, `civic dev` and `npm start` do alike. */
import { createServer } from 'node:net';
import { UnableError } from '../failure.ts';
import type { BuildOptions } from '../pipeline/build-options.ts';
import { exampleUrls } from '../tree/example-urls.ts';
import type { PublisherFolders } from './publisher-folders.ts';
import type { Served } from './terminal.ts';

/** A build without options of a release: everything, for a person who looks at it. */
export function plainBuild(
  folders: PublisherFolders,
  { jobs, memory }: Pick<BuildOptions, 'jobs' | 'memory'>,
): BuildOptions {
  return {
    ...folders,
    jobs,
    memory,
    only: null,
    strict: false,
    releaseDate: null,
    previous: null,
    baseUrl: null,
  };
}

/** Reports a taken port at once, not after the time that a first build takes. */
export async function expectFreePort(port: number, listen: string): Promise<void> {
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const other = port === 65535 ? 8081 : port + 1;
      const message = `Another program uses port ${port}. Stop it, or choose another with --port ${other}.`;
      fail(error.code === 'EADDRINUSE' ? new UnableError('port-taken', message) : error);
    });
    probe.listen(port, listen, () => probe.close(() => done()));
  });
}

/** What to print of a server: its address, and pages worth opening. */
export async function servedTree(folder: string, url: string): Promise<Served> {
  const examples = await exampleUrls(folder);
  return { folder, url, examples: examples.map(one => ({ ...one, url: url + one.url })) };
}
