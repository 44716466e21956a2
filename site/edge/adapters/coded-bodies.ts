/** Answers made of rows in content codings, coded as they are made. Node only. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Body, Coding } from '../answer.ts';
import { CODERS } from './coders.ts';

/** Levels at which 1.6 MB of rows take 3 to 5 ms, less than making them. Brotli gains nothing before its slow levels. */
const LEVELS: Readonly<Record<Coding, number>> = { zstd: 3, br: 1, gzip: 5 };

export async function encodeBody(body: Body, coding: Coding): Promise<Body> {
  const { whole, stream } = CODERS[coding];
  const level = LEVELS[coding];
  return body instanceof Uint8Array ? whole(body, level) : encodeParts(body, () => stream(level));
}

/** Starts nothing before the first part is taken, since HEAD takes none, and reads no more once nobody takes them. */
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
    await fed;
  }
}
