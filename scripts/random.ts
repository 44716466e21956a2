/** Random choices that a seed repeats (mulberry32). */
export class RandomChoices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  of<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}
