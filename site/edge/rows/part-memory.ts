/** Memory of parts that were sent, for the next parts. Getting and freeing it takes a sixth of a long answer's time. */

/** Smaller parts gain nothing. */
const LEAST_BYTES = 64 << 10;

/** Parts of some hundred kilobytes. */
const MOST_SPARE = 32;

const spare: ArrayBuffer[] = [];
const lent = new WeakSet<ArrayBufferLike>();

/** Its bytes can have any value. */
export function takePart(size: number): Uint8Array {
  if (size < LEAST_BYTES) return new Uint8Array(size);
  const at = spare.findIndex(({ byteLength }) => byteLength >= size);
  const [memory = new ArrayBuffer(size)] = at < 0 ? [] : spare.splice(at, 1);
  lent.add(memory);
  return new Uint8Array(memory, 0, size);
}

/** Call it when nothing reads the part any more. Does nothing to bytes that aren't of `takePart`. */
export function giveBack({ buffer }: Uint8Array): void {
  if (lent.delete(buffer) && spare.length < MOST_SPARE) spare.push(buffer as ArrayBuffer);
}
