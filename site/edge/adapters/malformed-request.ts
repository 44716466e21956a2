/** What Node's parser refuses before any handler is asked: answered as all else is, in JSON that any page may read. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { BodyAnswer } from '../answer.ts';
import {
  LONGEST_PATH,
  LONGEST_QUERY,
  refuse,
  refuseHeaders,
  refuseLength,
  refuseMethod,
} from '../respond/refusal.ts';

interface ParserError extends NodeJS.ErrnoException {
  /** What was being read: the beginning of the request, where it was not long under way. */
  readonly rawPacket?: Buffer;
}

export function refuseUnread(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('clientError', (error: ParserError, socket) => {
    const open = answering.get(socket);
    // Another answer is on its way there: nothing may be written into it.
    const inside = open?.headersSent === true && !open.writableFinished;
    if (socket.writable && error.code !== 'ECONNRESET' && !inside)
      socket.end(wholeAnswer(answerError(error)), () => socket.destroy());
    else socket.destroy();
  });
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const answer = refuse(417, 'This service knows no expectation but 100-continue.');
    response.writeHead(answer.status, { ...answer.headers }).end(textOf(answer));
  });
  // A tunnel.
  server.on('connect', (_, socket: Duplex) => {
    socket.end(wholeAnswer(refuseMethod()), () => socket.destroy());
  });
}

/** The whole answer, as bytes of the protocol. */
function wholeAnswer(answer: BodyAnswer): string {
  const { status, headers } = answer;
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', textOf(answer)].join('\r\n');
}

function textOf({ body }: BodyAnswer): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

/** Method, target and version of a request that keeps to the protocol. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (\S+) HTTP\/1\.[01]\r\n/;

function answerError({ code, rawPacket }: ParserError): BodyAnswer {
  const target = REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '')?.[1];
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return target !== undefined && target.length <= LONGEST_PATH + LONGEST_QUERY
        ? refuseHeaders()
        : refuseLength();
    case 'HPE_INVALID_METHOD':
      return target === undefined ? refuseUnknownProtocol() : refuseMethod();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(408, 'The request did not come to its end in time.');
    default:
      return refuseUnknownProtocol();
  }
}

function refuseUnknownProtocol(): BodyAnswer {
  return refuse(
    400,
    'This is no request that this server understands. Percent-encode as UTF-8 what is not ASCII in its address.',
  );
}
