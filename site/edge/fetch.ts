/** The handler of hosts whose requests and responses are those of the fetch standard. */
import type { Answer, BodyAnswer, Incoming } from './answer.ts';
import type { Files } from './files.ts';
import { createEdge, type EdgeOptions } from './handler.ts';
import { refuse } from './refusal.ts';

export type Handler = (request: Request) => Promise<Response>;

/** `base`: where the tree's root stands on the host, without a final slash. */
export function createHandler(files: Files, options: EdgeOptions, base = ''): Handler {
  const edge = createEdge(files, options);
  return async request => {
    const answer = await edge(readRequest(request, base));
    return respond(files, request, answer);
  };
}

function readRequest(request: Request, base: string): Incoming {
  const { pathname, search, origin } = new URL(request.url);
  return {
    method: request.method,
    path: pathname.startsWith(base) ? pathname.slice(base.length) : pathname,
    base,
    query: search,
    origin,
    header: name => request.headers.get(name),
    signal: request.signal,
  };
}

async function respond(files: Files, request: Request, answer: Answer): Promise<Response> {
  const { status, headers } = answer;
  if (request.method === 'HEAD') {
    return new Response(null, { status, headers });
  }
  if (answer.kind === 'body') return new Response(toBody(answer), { status, headers });
  const stream = await files.stream(answer.path, answer.range, request.signal);
  return stream
    ? new Response(stream, { status, headers })
    : respond(files, request, refuse(502, `${answer.path} is gone.`));
}

function toBody({ body }: BodyAnswer): BodyInit | null {
  return body === null || body instanceof Uint8Array
    ? (body as Uint8Array<ArrayBuffer> | null)
    : toStream(body);
}

/** Read only as fast as it is taken; whoever hangs up stops the work. */
export function toStream(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
