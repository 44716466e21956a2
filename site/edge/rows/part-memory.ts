/** Memory of parts that were sent, for the next parts. Getting and freeing it takes a sixth of a long answer's time. */

/** Smaller parts gain nothing, and larger ones, of long texts, would hold too much. */
const LEAST_BYTES = 64 << 10;
const MOST_BYTES = 1 << 20;

const MOST_SPARE = 32;

const spare: ArrayBuffer[] = [];
const lent = new WeakSet<ArrayBufferLike>();

/** Its bytes can have any value. */
export function takePart(size: number): Uint8Array {
  if (size < LEAST_BYTES || size > MOST_BYTES) return new Uint8Array(size);
  const at = spare.findIndex(({ byteLength }) => byteLength >= size);
  const [memory = new ArrayBuffer(size)] = at < 0 ? [] : spare.splice(at, 1);
  lent.add(memory);
  return new Uint8Array(memory, 0, size);
}

/** Call it when nothing reads the part any more. Does nothing to bytes that aren't of `takePart`. */
export function giveBack({ buffer }: Uint8Array): void {
  if (!lent.delete(buffer)) return;
  spare.push(buffer as ArrayBuffer);
  // The oldest may be too small for today's parts.
  if (spare.length > MOST_SPARE) spare.shift();
}
