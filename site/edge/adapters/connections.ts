/**
 * Limits what one client and one scan can take of a server, and answers requests that Node's parser refuses.
 * Node only.
 */
import { type EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import type { Answer } from '../answer.ts';
import {
  LONGEST_PATH,
  LONGEST_QUERY,
  refuse,
  refuseHeaders,
  refuseLength,
  refuseMethod,
} from '../respond/refusal.ts';
import type { ListenOptions, RunningServer } from './server-options.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A client can send thousands of requests without waiting. The connection's first one is worked on, and the
 * rest wait in the socket.
 */
export function takeTurns(listener: Listener): Listener {
  /** The first request of each queue is being worked on. */
  const queues = new WeakMap<Socket, Turn[]>();
  const work = (socket: Socket, queue: Turn[]) => {
    const [turn] = queue;
    // A response that never gets the socket would never close.
    if (turn?.response.socket !== socket || socket.destroyed) return;
    turn.response.once('close', () => {
      queue.shift();
      if (queue.length === 1) socket.resume();
      work(socket, queue);
    });
    listener(turn.request, turn.response);
  };
  return (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push({ request, response });
    if (queue.length === 1) work(socket, queue);
    else socket.pause();
  };
}

/** Beyond this the system refuses connections. */
const MOST_CONNECTIONS = 4000;

/** Connections of an address, or open requests if a proxy names the address. */
const MOST_OF_ONE = 1000;

/** Counts what each address has open. False if it has too many already. */
function countEach(): (address: string, opened: EventEmitter) => boolean {
  const counts = new Map<string, number>();
  const add = (address: string, count: number) => counts.set(address, (counts.get(address) ?? 0) + count);
  return (address, opened) => {
    if ((counts.get(address) ?? 0) >= MOST_OF_ONE) return false;
    add(address, 1);
    opened.once('close', () => {
      add(address, -1);
      if (counts.get(address) === 0) counts.delete(address);
    });
    return true;
  };
}

/** Behind a proxy all connections are the proxy's, so only their total is limited. */
export function limitConnections(server: Server, trustProxy: boolean): void {
  server.maxConnections = MOST_CONNECTIONS;
  const isOpened = countEach();
  if (!trustProxy)
    server.on('connection', (socket: Socket) => {
      if (!isOpened(socket.remoteAddress ?? '', socket)) socket.destroy();
    });
}

/** Limits the open requests of each client that a proxy names. Each must emit `close`. */
export function limitClients(listener: Listener, trustProxy: boolean): Listener {
  if (!trustProxy) return listener;
  const isOpened = countEach();
  return (request, response) => {
    if (isOpened(forwardedAddress(request), response)) return listener(request, response);
    const detail = 'Too many requests of one address are under way. Ask again in a moment.';
    send(response, refuse(429, detail, { 'Retry-After': '1' }));
  };
}

/** The proxy appends the address it sees. The client may have made up what precedes it. */
function forwardedAddress({ headers, socket }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  const last = [forwarded].flat().at(-1)?.split(',').at(-1)?.trim();
  return last || (socket.remoteAddress ?? '');
}

/** The longest that a scan keeps other requests waiting. */
const TURN_MS = 4;

const waitingScans: (() => void)[] = [];
let started = 0;

function resumeNext(): void {
  started = performance.now();
  waitingScans.shift()?.();
  if (waitingScans.length > 0) setImmediate(resumeNext);
}

/**
 * Ends a scan's turn after some milliseconds: it resumes when the server has answered what has arrived
 * meanwhile. Null if the turn isn't over, so short work needs no promise.
 */
export function endOfTurn(): Promise<void> | null {
  if (performance.now() - started < TURN_MS) return null;
  return new Promise(resume => {
    waitingScans.push(resume);
    if (waitingScans.length === 1) setImmediate(resumeNext);
  });
}

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes being parsed. They are the start of the request unless Node had already read part of it. */
  readonly rawPacket?: Buffer;
}

export function refuseUnread(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('clientError', (error: ParserError, socket) => {
    const open = answering.get(socket);
    // The socket is in the middle of another answer.
    const inside = open?.headersSent === true && !open.writableFinished;
    if (socket.writable && error.code !== 'ECONNRESET' && !inside)
      socket.end(wholeAnswer(answerError(error)), () => socket.destroy());
    else socket.destroy();
  });
  server.on('checkExpectation', (_, response: ServerResponse) => {
    send(response, refuse(417, 'This service supports no expectation except 100-continue.'));
  });
  // CONNECT asks for a tunnel; Node passes only the socket.
  server.on('connect', (_, socket: Duplex) => {
    socket.end(wholeAnswer(refuseMethod()), () => socket.destroy());
  });
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}

function wholeAnswer({ status, headers, body }: Answer): string {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n');
}

/** A valid request line: method, target and version. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r\n/;

const UNKNOWN_PROTOCOL = refuse(
  400,
  'The server does not understand this request. Percent-encode as UTF-8 every character of the address that is not ASCII.',
);

function answerError({ code, rawPacket }: ParserError): Answer {
  const target = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '')?.[1];
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return target !== undefined && target.length <= LONGEST_PATH + LONGEST_QUERY
        ? refuseHeaders()
        : refuseLength();
    case 'HPE_INVALID_METHOD':
      return target === undefined ? UNKNOWN_PROTOCOL : refuseMethod();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(408, 'The request did not finish in time.');
    default:
      return UNKNOWN_PROTOCOL;
  }
}

/**
 * Connections waiting to be accepted, if the system allows as many. Others are retried by the client after a
 * second.
 */
const BACKLOG = 4096;

/** Rejects if the port is taken. */
export async function listen(server: Server, options: ListenOptions): Promise<RunningServer> {
  const { listen: address = '127.0.0.1' } = options;
  server.listen(options.port, address, BACKLOG);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = address.includes(':') ? `[${address}]` : address;
  const close = async () => {
    const closed = promisify(server.close.bind(server))();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://${host}:${port}`, close };
}
