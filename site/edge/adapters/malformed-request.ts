/**
 * Requests that Node's parser refuses before the handler runs. They too are answered with JSON that any page may read.
 */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answer } from '../answer.ts';
import {
  LONGEST_PATH,
  LONGEST_QUERY,
  refuse,
  refuseHeaders,
  refuseLength,
  refuseMethod,
} from '../respond/refusal.ts';

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes that Node was parsing. They begin the request, unless it was already partly read. */
  readonly rawPacket?: Buffer;
}

export function refuseUnread(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('clientError', (error: ParserError, socket) => {
    const open = answering.get(socket);
    // The socket is in the middle of another answer, and nothing may be written into it.
    const inside = open?.headersSent === true && !open.writableFinished;
    if (socket.writable && error.code !== 'ECONNRESET' && !inside)
      socket.end(wholeAnswer(answerError(error)), () => socket.destroy());
    else socket.destroy();
  });
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const answer = refuse(417, 'This service supports no expectation except 100-continue.');
    response.writeHead(answer.status, { ...answer.headers }).end(textOf(answer));
  });
  // CONNECT asks for a tunnel, and Node gives the socket alone.
  server.on('connect', (_, socket: Duplex) => {
    socket.end(wholeAnswer(refuseMethod()), () => socket.destroy());
  });
}

/** The answer as HTTP writes it. */
function wholeAnswer(answer: Answer): string {
  const { status, headers } = answer;
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', textOf(answer)].join('\r\n');
}

function textOf({ body }: Answer): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

/** A valid request line: method, target and version. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r\n/;

function answerError({ code, rawPacket }: ParserError): Answer {
  const target = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '')?.[1];
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return target !== undefined && target.length <= LONGEST_PATH + LONGEST_QUERY
        ? refuseHeaders()
        : refuseLength();
    case 'HPE_INVALID_METHOD':
      return target === undefined ? refuseUnknownProtocol() : refuseMethod();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(408, 'The request did not finish in time.');
    default:
      return refuseUnknownProtocol();
  }
}

function refuseUnknownProtocol(): Answer {
  return refuse(
    400,
    'The server does not understand this request. Percent-encode as UTF-8 every character of the address that is not ASCII.',
  );
}
