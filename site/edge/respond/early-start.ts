/**
 * Waits for the first items of an answer, so that a fault that shows at once is an error and not a broken answer. One
 * item less may exist.
 */
export async function startEarly<Item>(
  items: AsyncIterable<Item>,
  count: number,
): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]();
  const first: Item[] = [];
  let ended = false;
  while (!ended && first.length < count) {
    const item = await iterator.next();
    if (item.done) ended = true;
    else first.push(item.value);
  }
  async function* all(): AsyncGenerator<Item> {
    try {
      yield* first;
      if (ended) return;
      for (let item = await iterator.next(); !item.done; item = await iterator.next()) yield item.value;
    } finally {
      await iterator.return?.();
    }
  }
  return all();
}
