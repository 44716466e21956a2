/** SHA-256 (FIPS 180-4), on any host: browsers give theirs only to pages that came by https or from this machine. */

/** Lower-case hexadecimal. */
export async function sha256(data: Uint8Array): Promise<string> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  const digest = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>))
    : computeDigest(data);
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** First 32 bits of the fractional parts of roots of the first 64 primes: cube roots, and square roots of 8. */
const [ROUNDS, START] = deriveConstants();

function deriveConstants(): readonly [Uint32Array, Uint32Array] {
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every(prime => n % prime !== 0)) primes.push(n);
  return [
    Uint32Array.from(primes, prime => fraction(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), prime => fraction(Math.sqrt(prime))),
  ];
}

/** The 32 bytes of the digest, without the host's help. */
export function computeDigest(data: Uint8Array): Uint8Array {
  const state = START.slice();
  const words = new Uint32Array(64);
  const whole = data.length - (data.length % 64);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < whole; at += 64) addBlock(state, words, view, at);
  const rest = data.subarray(whole);
  const end = new Uint8Array(rest.length < 56 ? 64 : 128);
  end.set(rest);
  end[rest.length] = 0x80;
  const last = new DataView(end.buffer);
  last.setBigUint64(end.length - 8, BigInt(data.length) * 8n);
  for (let at = 0; at < end.length; at += 64) addBlock(state, words, last, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

function addBlock(state: Uint32Array, words: Uint32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const near = words[i - 2]!;
    const far = words[i - 15]!;
    const a = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const b = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[i] = words[i - 16]! + a + words[i - 7]! + b;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + words[i]!;
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + word;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
