/**
 * Files on their way to readers from memory. Slow readers of many files would hold them all: beyond a limit, a file is
 * streamed from the disk.
 */
export class SentFiles {
  /** Readers by file. */
  private readonly readers = new Map<string, number>();
  private readonly most: number;
  private bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  hasRoom(key: string, bytes: number): boolean {
    return this.bytes + bytes <= this.most || this.readers.has(key);
  }

  /** Gives a function to call once the reader has the file or has hung up. */
  begin(key: string, bytes: number): () => void {
    const before = this.readers.get(key) ?? 0;
    if (before === 0) this.bytes += bytes;
    this.readers.set(key, before + 1);
    return () => {
      const left = (this.readers.get(key) ?? 0) - 1;
      if (left > 0) this.readers.set(key, left);
      else if (this.readers.delete(key)) this.bytes -= bytes;
    };
  }
}
