/** Serves a tree as `civic serve` does, with this program's own explorer, and counts the bytes sent. */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { createListener } from '../../../site/edge/adapters/node.ts';

/** Path of the benchmark's page and scripts; no tree uses it. */
export const OWN = '/bench/';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html; charset=utf-8',
};

export interface BenchHost {
  /** Address of the tree's root, with a final slash. */
  readonly url: string;
  /** Bytes sent so far, headers included. */
  sent(): number;
  close(): Promise<void>;
}

/** `own`: folders served under OWN; the first one that has a file serves it. */
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
