/** ETags of objects, as S3 and most compatible servers compute them. */
import { createHash, type Hash } from 'node:crypto';

/** Bytes of a piece when aws sends or copies a file in several. */
const PART = 8 << 20;

/** Of one piece, its MD5; of several, the MD5 of their MD5s and the number of pieces. */
export class EtagHash {
  readonly #whole = createHash('md5');
  readonly #parts: Buffer[] = [];
  #part: Hash = createHash('md5');
  #filled = 0;

  update(bytes: Buffer): void {
    this.#whole.update(bytes);
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + PART - this.#filled);
      this.#part.update(piece);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === PART) this.#endPart();
    }
  }

  digest(): readonly string[] {
    if (this.#filled > 0) this.#endPart();
    const parts = createHash('md5').update(Buffer.concat(this.#parts)).digest('hex');
    return [this.#whole.digest('hex'), `${parts}-${this.#parts.length}`];
  }

  #endPart(): void {
    this.#parts.push(this.#part.digest());
    this.#part = createHash('md5');
    this.#filled = 0;
  }
}
