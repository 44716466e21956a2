import { Kept } from './kept.ts';

/** A cache of whole files, limited by their bytes. */
export class KeptFiles {
  private readonly files: Kept<Uint8Array>;

  constructor(most: number) {
    this.files = new Kept(most);
  }

  get(path: string): Uint8Array | undefined {
    return this.files.get(path);
  }

  keep(path: string, bytes: Uint8Array): void {
    this.files.keep(path, bytes, bytes.length);
  }
}
