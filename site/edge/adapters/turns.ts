/**
 * The requests of one connection take turns. A client may send thousands without waiting for an answer: a few of them are
 * worked on, and the rest waits in the socket.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of one connection that are worked on at once. */
const MOST_AT_ONCE = 4;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly running: Set<ServerResponse>;
  readonly waiting: Turn[];
  /** Whether nothing is read from the socket until there is a turn. */
  paused: boolean;
}

export function takeTurns(listener: Listener): Listener {
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = { running: new Set(), waiting: [], paused: false };
      connections.set(socket, connection);
      socket.once('close', () => closeAll(connection!));
    }
    connection.waiting.push({ request, response });
    next(socket, connection, listener);
  };
}

function next(socket: Socket, connection: Connection, listener: Listener): void {
  const { running, waiting } = connection;
  while (running.size < MOST_AT_ONCE && waiting.length > 0 && !socket.destroyed) {
    const { request, response } = waiting.shift()!;
    running.add(response);
    response.once('close', () => {
      running.delete(response);
      next(socket, connection, listener);
    });
    listener(request, response);
  }
  const isFull = waiting.length > 0;
  if (isFull === connection.paused) return;
  connection.paused = isFull;
  if (isFull) socket.pause();
  else socket.resume();
}

/** Node tells only the response that has the socket that it is gone. What the others hold ends with it too. */
function closeAll({ running, waiting }: Connection): void {
  waiting.length = 0;
  for (const response of running) {
    if (response.closed || response.socket !== null) continue;
    response.destroy();
    response.emit('close');
  }
}
