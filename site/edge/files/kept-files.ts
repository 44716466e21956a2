import { Kept } from './kept.ts';

/** A cache of whole files, limited by their bytes. */
export class KeptFiles {
  private readonly files: Kept<Uint8Array>;

  constructor(most: number) {
    this.files = new Kept(most);
  }

  get(key: string): Uint8Array | undefined {
    return this.files.get(key);
  }

  keep(key: string, bytes: Uint8Array): void {
    this.files.keep(key, bytes, bytes.length);
  }
}
