/** The files that were asked for last, up to a number of bytes. */
export class KeptFiles {
  /** The one asked for last is last. */
  private readonly files = new Map<string, Uint8Array>();
  private readonly most: number;
  private bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  get(path: string): Uint8Array | undefined {
    const bytes = this.files.get(path);
    if (!bytes) return undefined;
    this.files.delete(path);
    this.files.set(path, bytes);
    return bytes;
  }

  keep(path: string, bytes: Uint8Array): void {
    if (bytes.length > this.most || this.files.has(path)) return;
    this.files.set(path, bytes);
    this.bytes += bytes.length;
    for (const [oldest, held] of this.files) {
      if (this.bytes <= this.most) break;
      this.files.delete(oldest);
      this.bytes -= held.length;
    }
  }
}
