/** A tree as `civic serve` gives it, with the explorer of this program in front, and what it has sent. */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { createListener } from '../../../site/edge/adapters/node.ts';

/** Where a page and its scripts stand; the tree has nothing there. */
export const OWN = '/bench/';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html; charset=utf-8',
};

export interface BenchHost {
  /** Of the tree's root, ending in a slash. */
  readonly url: string;
  /** Bytes sent so far, heads of answers among them. */
  sent(): number;
  close(): Promise<void>;
}

/** `own`: folders whose files stand under OWN; the first that has one gives it. */
export async function startBenchHost(tree: string, own: readonly string[]): Promise<BenchHost> {
  const listener = createListener({ folder: tree });
  const sockets = new Set<Socket>();
  let gone = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.startsWith(OWN)) return listener(request, response);
    const name = path.basename(pathname);
    const file = own.map(folder => path.join(folder, name)).find(existsSync);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => {
      gone += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, gone),
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
