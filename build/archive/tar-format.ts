/** Writes a tar file (POSIX.1-2001, "pax") that names no owner and no machine. */
import type { ArchiveEntry } from './entry.ts';

const BLOCK = 512;
/** The largest number of eleven octal digits; a pax record holds a larger size. */
const MOST_OCTAL = 8 ** 11 - 1;

export async function* tarBytes(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield header(entry);
    yield* entry.read();
    yield Buffer.alloc(padding(entry.bytes));
  }
  yield Buffer.alloc(2 * BLOCK);
}

function padding(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

function header({ name, bytes, modified }: ArchiveEntry): Buffer {
  const split = splitName(name);
  const records = [
    ...(split === null ? [record('path', name)] : []),
    ...(bytes > MOST_OCTAL ? [record('size', String(bytes))] : []),
  ];
  const own = block(
    split ?? { prefix: '', name: 'long-name' },
    bytes > MOST_OCTAL ? 0 : bytes,
    modified,
    '0',
  );
  if (records.length === 0) return own;
  const words = Buffer.from(records.join(''));
  const before = block({ prefix: '', name: 'PaxHeader' }, words.length, modified, 'x');
  return Buffer.concat([before, words, Buffer.alloc(padding(words.length)), own]);
}

/** Writes `length keyword=value`; the length counts its own digits. */
function record(keyword: string, value: string): string {
  const rest = Buffer.byteLength(` ${keyword}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return `${length} ${keyword}=${value}\n`;
}

interface SplitName {
  readonly prefix: string;
  readonly name: string;
}

/** Splits a name at a slash into at most 155 and 100 bytes; null if the name is too long or not ASCII. */
function splitName(path: string): SplitName | null {
  if (!/^[\x20-\x7e]*$/.test(path)) return null;
  if (path.length <= 100) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    if (at <= 155 && path.length - at - 1 <= 100)
      return { prefix: path.slice(0, at), name: path.slice(at + 1) };
  }
  return null;
}

function block({ prefix, name }: SplitName, bytes: number, modified: Date, type: string): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    head.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  head.write(name, 0, 'latin1');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(Math.max(0, Math.floor(modified.getTime() / 1000)), 136, 11);
  head.write('        ', 148, 'latin1');
  head.write(type, 156, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  head.write(prefix, 345, 'latin1');
  octal(
    head.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  head[154] = 0;
  return head;
}
