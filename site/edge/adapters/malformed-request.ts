/** What Node's parser refuses before any handler is asked: answered as all else is, in JSON that any page may read. */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse, refuseLength } from '../refusal.ts';

export function refuseUnread(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const open = answering.get(socket);
    // Another answer is on its way there: nothing may be written into it.
    const inside = open?.headersSent === true && !open.writableFinished;
    if (socket.writable && error.code !== 'ECONNRESET' && !inside)
      socket.end(describeError(error.code), () => socket.destroy());
    else socket.destroy();
  });
}

/** The whole answer, as bytes of the protocol. */
function describeError(code: string | undefined): string {
  const { status, headers, body } = answerError(code);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n');
}

function answerError(code: string | undefined) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuseLength();
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse(408, 'The request did not come to its end in time.');
    default:
      return refuse(
        400,
        'This is no request that this server understands. Percent-encode as UTF-8 what is not ASCII in its address.',
      );
  }
}
