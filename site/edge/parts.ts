/** Bodies that come in parts. */

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
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

/** Makes the first part at once, so that a fault that shows there is an error and not a broken answer. */
export async function begin(parts: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let item = first; !item.done; item = await iterator.next()) yield item.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
