/** A server of this machine, from the moment it listens until it is closed. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenOptions, RunningServer } from './server-options.ts';

/** Connections that wait to be accepted, where the system allows so many. Beyond them a reader tries again after a second. */
const BACKLOG = 4096;

/** Rejects where the port is taken. */
export async function listen(server: Server, options: ListenOptions): Promise<RunningServer> {
  const { listen: address = '127.0.0.1' } = options;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(options.port, address, BACKLOG, done);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.includes(':') ? `[${address}]` : address;
  const close = () =>
    new Promise<void>((done, fail) => {
      server.close(error => (error ? fail(error) : done()));
      server.closeAllConnections();
    });
  return { url: `http://${host}:${port}`, close };
}
