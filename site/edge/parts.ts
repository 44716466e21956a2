/** Bodies in parts. */
import type { Body } from './answer.ts';

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0] as Uint8Array<ArrayBuffer>;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function readWhole(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return concat(all);
}

/** Reads no faster than the client. Stops when the client hangs up. */
export function toStream(
  parts: AsyncIterator<Uint8Array>,
  end: () => Promise<unknown> = async () => parts.return?.(),
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await end();
    },
  });
}

/**
 * A body of at most `most` bytes as a whole, else a stream whose start is already read, so that an early
 * fault becomes an error and not a broken answer.
 */
export async function begin(parts: AsyncIterable<Uint8Array>, most: number): Promise<Body> {
  const iterator = parts[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let bytes = 0; bytes <= most; bytes += first.at(-1)?.length ?? 0) {
    const item = await iterator.next();
    if (item.done) return concat(first);
    first.push(item.value);
  }
  return (async function* () {
    try {
      yield* first;
      for (let item = await iterator.next(); !item.done; item = await iterator.next()) yield item.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
