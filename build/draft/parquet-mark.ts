import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Whether a file begins and ends as Parquet does. */
export function isParquet(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const mark = (at: number) => {
      const buffer = Buffer.alloc(4);
      readSync(descriptor, buffer, 0, 4, at);
      return buffer.toString('latin1');
    };
    return size >= 12 && mark(0) === 'PAR1' && mark(size - 4) === 'PAR1';
  } finally {
    closeSync(descriptor);
  }
}
