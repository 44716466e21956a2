/** Fetches the module of DuckDB-WASM once; decompresses and compiles it while it arrives. */
import { type Found, HostError, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { toStream } from '../../edge/parts.ts';
import { EngineError, type Progress } from './engine.ts';

/** The first bytes of gzip; a host may have decompressed the file already. */
const GZIP = [0x1f, 0x8b];

/** `silence`: milliseconds without a byte after which it gives up. `onProgress` receives compressed bytes if the host announces their number. */
export async function loadModule(
  url: URL,
  silence: number,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<WebAssembly.Module> {
  try {
    return await compile(await watchedFetch(url.href, {}, silence, signal), onProgress);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HostError)) throw new EngineError({ kind: 'module' });
    const { status, silence } = error;
    throw new EngineError({ kind: 'database', status, silence });
  }
}

async function compile(found: Found, onProgress: (progress: Progress) => void): Promise<WebAssembly.Module> {
  const { response } = found;
  const { ok, status } = response;
  if (!ok) {
    await found.end();
    throw new HostError('The host has no database.', { status });
  }
  const length = Number(response.headers.get('content-length') ?? 0);
  const total = response.headers.has('content-encoding') || length === 0 ? null : length;
  let done = 0;
  const body = toStream(found.parts, found.end) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        done += part.length;
        onProgress({ stage: 'start', done, total });
        controller.enqueue(part as Uint8Array<ArrayBuffer>);
      },
    }),
  );
  const [head, content] = await peek(counted);
  const isGzip = GZIP.every((byte, index) => head[index] === byte);
  const plain = isGzip ? content.pipeThrough(new DecompressionStream('gzip')) : content;
  return WebAssembly.compileStreaming(
    new Response(plain, { headers: { 'Content-Type': 'application/wasm' } }),
  );
}

/** Returns the first chunk of a stream, and the whole stream. */
async function peek(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<[Uint8Array, ReadableStream<Uint8Array<ArrayBuffer>>]> {
  const [look, content] = stream.tee();
  const reader = look.getReader();
  const { value } = await reader.read();
  void reader.cancel();
  return [value ?? new Uint8Array(0), content];
}
