/** Fetches the module of DuckDB-WASM once; decompresses and compiles it while it arrives. */
import { EngineError, type Progress } from './engine.ts';

const AGAIN = 'The database could not be loaded: run the query again to try once more.';

/** The first bytes of gzip; a host may have decompressed the file already. */
const GZIP = [0x1f, 0x8b];

/** `onProgress` receives compressed bytes if the host announces their number. */
export async function loadModule(
  url: URL,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<WebAssembly.Module> {
  const response = await fetch(url, { signal }).catch(() => null);
  signal.throwIfAborted();
  if (response === null) throw new EngineError(`The host does not answer. ${AGAIN}`);
  if (!response.ok || !response.body)
    throw new EngineError(`The host answers with status ${response.status}. ${AGAIN}`);
  const length = Number(response.headers.get('content-length') ?? 0);
  const total = response.headers.has('content-encoding') || length === 0 ? null : length;
  let done = 0;
  const counted = response.body.pipeThrough(
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
