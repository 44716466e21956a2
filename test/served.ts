/** Servers on a port that the system gives, which end with the test or the file that started them. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ServerOptions, startServer } from '../site/edge/adapters/node.ts';
import { atEnd } from './at-end.ts';

/** `civic serve`: its address, without a final slash. */
export async function served(folder: string, options: Partial<ServerOptions> = {}): Promise<string> {
  const { url, close } = await startServer({ folder, port: 0, ...options });
  atEnd(close);
  return url;
}

/** A server that answers as the test says. */
export async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
