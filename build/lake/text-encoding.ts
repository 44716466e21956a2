/** Reads tables that office programs write in another encoding than UTF-8. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export type OtherEncoding = 'windows-1252' | 'utf-16le' | 'utf-16be';

export interface DecodedText {
  /** The same text in UTF-8, in a temporary folder. */
  readonly absolute: string;
  readonly encoding: OtherEncoding;
  /** A word with a letter beyond ASCII, by which a person can tell whether the encoding is right; null without one. */
  readonly word: string | null;
  remove(): void;
}

/**
 * What Windows-1252 has from 80 to 9F, where Latin-1 has control characters. Some versions of Node decode it as Latin-1.
 */
const BEYOND_LATIN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decoderOf(encoding: OtherEncoding): (bytes: Buffer) => string {
  if (encoding === 'windows-1252')
    return bytes =>
      bytes.toString('latin1').replace(/[\x80-\x9f]/g, one => BEYOND_LATIN[one.charCodeAt(0) - 0x80] ?? one);
  const decoder = new TextDecoder(encoding, { fatal: true });
  return bytes => decoder.decode(bytes, { stream: bytes.length > 0 });
}

/** Bytes at a time. */
const CHUNK = 1 << 20;
/** Letters of a word. */
const LONGEST_WORD = 40;

/** The encoding that the file's first bytes tell of; null if they tell of none. */
export function markedEncoding(file: string): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = readFirst(file, 2);
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/**
 * Writes the file's text as UTF-8. Null if the bytes cannot be of that encoding. Nothing marks Windows-1252, in which
 * five bytes stand for nothing, and a text with control characters is taken for something else.
 */
export function decodeText(file: string, encoding: OtherEncoding): DecodedText | null {
  const { absolute, remove } = temporaryFile();
  const source = openSync(file, 'r');
  const target = openSync(absolute, 'w');
  let isText = true;
  let word: string | null = null;
  try {
    const decode = decoderOf(encoding);
    const buffer = Buffer.alloc(CHUNK);
    for (;;) {
      const bytes = readSync(source, buffer, 0, CHUNK, null);
      const text = decode(buffer.subarray(0, bytes));
      if (encoding === 'windows-1252' && /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/.test(text)) isText = false;
      word ??= /[\p{L}\p{M}]*[^\x00-\x7f][\p{L}\p{M}]*/u.exec(text)?.[0].slice(0, LONGEST_WORD) ?? null;
      writeSync(target, text);
      if (bytes === 0 || !isText) break;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) {
      remove();
      throw error;
    }
    isText = false;
  } finally {
    closeSync(source);
    closeSync(target);
  }
  if (isText) return { absolute, encoding, word, remove };
  remove();
  return null;
}

/** A name in a folder of its own, which `remove` removes. */
export function temporaryFile(): Pick<DecodedText, 'absolute' | 'remove'> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'civic-text-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { absolute: path.join(folder, 'table.txt'), remove };
}

/** The first bytes of a file. */
export function readFirst(file: string, count: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(count);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, count, 0));
  } finally {
    closeSync(descriptor);
  }
}
