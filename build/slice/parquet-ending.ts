/** The end of a Parquet file: its footer, the footer's length, and the mark that files of the format begin and end with. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export const MAGIC = Buffer.from('PAR1');
/** Bytes behind the footer. */
export const BEHIND_FOOTER = 8;

/** Footer and all behind it. */
export function readEnding(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    return readEndingOf(file);
  } finally {
    closeSync(file);
  }
}

/** The same of an open file. */
export function readEndingOf(file: number): Buffer {
  const { size } = fstatSync(file);
  const length = readBytes(file, size - BEHIND_FOOTER, BEHIND_FOOTER).readUInt32LE(0) + BEHIND_FOOTER;
  return readBytes(file, size - length, length);
}

export function readBytes(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (from < 0 || readSync(file, bytes, 0, length, from) !== length)
    throw new Error('A Parquet file is shorter than it says.');
  return bytes;
}
