/** One client can't take what a server has: its connections and its requests under way are counted by its address. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../respond/refusal.ts';
import { sendRefusal } from './sent-answer.ts';
import type { Listener } from './turns.ts';

/** The system refuses others until one of these ends. */
const MOST_CONNECTIONS = 4000;

/** Connections of one address, or requests under way if a proxy names the address. */
const MOST_OF_ONE = 1000;

class Counted {
  private readonly counts = new Map<string, number>();

  /** False if the address has too many already. */
  add(address: string): boolean {
    const count = this.counts.get(address) ?? 0;
    if (count >= MOST_OF_ONE) return false;
    this.counts.set(address, count + 1);
    return true;
  }

  remove(address: string): void {
    const count = (this.counts.get(address) ?? 0) - 1;
    if (count > 0) this.counts.set(address, count);
    else this.counts.delete(address);
  }
}

/** Behind a proxy, all connections are the proxy's, so that only their sum is limited. */
export function limitConnections(server: Server, trustProxy: boolean): void {
  server.maxConnections = MOST_CONNECTIONS;
  if (trustProxy) return;
  const counted = new Counted();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (!counted.add(address)) return void socket.destroy();
    socket.once('close', () => counted.remove(address));
  });
}

/** Limits the requests under way of each client that the proxy names. Each must end with the event `close`. */
export function limitClients(listener: Listener, trustProxy: boolean): Listener {
  if (!trustProxy) return listener;
  const counted = new Counted();
  return (request, response) => {
    const address = forwardedAddress(request);
    if (!counted.add(address)) {
      const detail = 'Too many requests of one address are under way. Ask again in a moment.';
      return sendRefusal(response, refuse(429, detail, { 'Retry-After': '1' }));
    }
    response.once('close', () => counted.remove(address));
    listener(request, response);
  };
}

/** The proxy adds the address that it sees at the end. What stands before it, the client may have made up. */
function forwardedAddress({ headers, socket }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  const last = [forwarded].flat().at(-1)?.split(',').at(-1)?.trim();
  return last || (socket.remoteAddress ?? '');
}
