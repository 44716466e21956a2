/** Answers made of rows in content codings, coded as they are made. Node only. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Body, Coding } from '../answer.ts';

/** Node has it from 22.15 on, and the types of Node 20 do not know it. */
const { zstdCompress, createZstdCompress } = zlib as unknown as {
  readonly zstdCompress?: (bytes: Uint8Array, done: (error: Error | null, coded: Uint8Array) => void) => void;
  readonly createZstdCompress?: () => Transform;
};

const chunkSize = 64 << 10;
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 }, chunkSize };
const GZIP = { level: 5, chunkSize };

/** At these levels 1.6 MB of rows take 3 to 5 ms, less than it takes to make them. Brotli gains nothing before its slow levels. */
const CODERS: Readonly<
  Record<
    Coding,
    { readonly whole: (bytes: Uint8Array) => Promise<Uint8Array>; readonly stream: () => Transform }
  >
> = {
  zstd: { whole: bytes => promisify(zstdCompress!)(bytes), stream: () => createZstdCompress!() },
  br: {
    whole: bytes => promisify(zlib.brotliCompress)(bytes, BROTLI),
    stream: () => zlib.createBrotliCompress(BROTLI),
  },
  gzip: { whole: bytes => promisify(zlib.gzip)(bytes, GZIP), stream: () => zlib.createGzip(GZIP) },
};

export async function encodeBody(body: Body, coding: Coding): Promise<Body> {
  const { whole, stream } = CODERS[coding];
  return body instanceof Uint8Array ? whole(body) : encodeParts(body, stream);
}

/** Reads parts only as they are taken, and no more once nobody takes them. */
async function* encodeParts(
  parts: AsyncIterable<Uint8Array>,
  start: () => Transform,
): AsyncGenerator<Uint8Array> {
  const coder = start();
  // Its failure is the coder's too.
  const fed = pipeline(Readable.from(parts, { objectMode: false }), coder).catch(() => undefined);
  try {
    yield* coder as AsyncIterable<Uint8Array>;
  } finally {
    coder.destroy();
    await fed;
  }
}
