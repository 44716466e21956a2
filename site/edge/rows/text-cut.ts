/** Cuts records out of stored JSON or CSV by their line ends. It parses nothing and reads no more than it needs. */
import { ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import type { Piece } from '../../query/plan.ts';
import { type Files, TreeMismatch } from '../files/files.ts';
import { Kept } from '../files/kept.ts';
import { readListed } from '../files/proof.ts';
import { concat } from '../parts.ts';

const LINE_FEED = 10;
const QUOTE = 34;

/** The most bytes of a read. The first may have more, so that 1,000 rows take one read. */
const STEP = 256 << 10;
const FIRST_STEP = 1 << 20;

/** Both formats have one record before the first row: the envelope's head, or the names of the columns. */
const HEAD_RECORDS = 1;

/**
 * Where records begin, as earlier cuts found it, so that a later page is not searched for from the start. Each tree has
 * its own marks: while a build replaces a folder, a read of a file may give another release's bytes.
 */
const MARKED = new WeakMap<Files, Kept<Marks>>();

/** A mark is the byte position of every so many records. */
const MARK_EVERY = 100;
type Marks = number[];

/** The bytes of a piece's rows, with their line ends, in parts as they are read. */
export async function* cutPiece(
  files: Files,
  { file, skip, take }: Piece,
  format: 'json' | 'csv',
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const marked = MARKED.get(files) ?? new Kept<Marks>(4096);
  MARKED.set(files, marked);
  const marks = marked.get(file.entry.sha256) ?? [];
  marked.keep(file.entry.sha256, marks, 1);
  const first = HEAD_RECORDS + skip;
  const last = first + take;
  const known = Math.min(marks.length, Math.floor(first / MARK_EVERY));
  const counter = new RecordCounter(format === 'csv', known * MARK_EVERY);
  const size = file.entry.bytes;
  let at = known === 0 ? 0 : marks[known - 1]!;
  let step = firstStep(file.entry, last - counter.records);
  while (at < size && counter.records < last) {
    signal?.throwIfAborted();
    const part = await readListed(files, file, { start: at, end: Math.min(size, at + step) }, signal);
    step = STEP;
    const from = walk(counter, part, 0, first, at, marks);
    const to = walk(counter, part, from, last, at, marks);
    at += part.length;
    if (to > from) yield part.subarray(from, to);
  }
  if (counter.records < last) throw new TreeMismatch(file.path, `ends before row ${skip + take}`);
}

/** Advances the counter from mark to mark. `start`: where the part begins in the file. */
function walk(
  counter: RecordCounter,
  part: Uint8Array,
  from: number,
  records: number,
  start: number,
  marks: Marks,
): number {
  let at = from;
  while (counter.records < records) {
    const next = (Math.floor(counter.records / MARK_EVERY) + 1) * MARK_EVERY;
    at = counter.advance(part, at, Math.min(next, records));
    if (counter.records === next && marks.length === next / MARK_EVERY - 1) marks.push(start + at);
    if (at === part.length) break;
  }
  return at;
}

/** Enough bytes for a number of records, if they are about equally long. */
function firstStep({ bytes, rows }: Piece['file']['entry'], records: number): number {
  const guess = Math.ceil((bytes / Math.max(1, rows)) * records * 1.1) + 4096;
  return Math.min(FIRST_STEP, guess);
}

/** Counts records over the parts of a file. A line feed inside a quoted field ends none. */
export class RecordCounter {
  records: number;
  private readonly quoted: boolean;
  private inside = false;

  constructor(quoted: boolean, records: number) {
    this.quoted = quoted;
    this.records = records;
  }

  /** Goes on from `from` to the end of record number `records`, or of the part. Returns the position. */
  advance(part: Uint8Array, from: number, records: number): number {
    let at = from;
    while (this.records < records) {
      const end = part.indexOf(LINE_FEED, at);
      const stop = end < 0 ? part.length : end;
      if (this.quoted) this.countQuotes(part, at, stop);
      if (end < 0) return part.length;
      at = end + 1;
      if (!this.inside) this.records++;
    }
    return at;
  }

  /** An odd number of quotes so far means that the position is inside a quoted field. */
  private countQuotes(part: Uint8Array, from: number, to: number): void {
    for (let i = from; i < to; i++) if (part[i] === QUOTE) this.inside = !this.inside;
  }
}

/** Rows of JSON from several files, with a comma between each two. */
export async function* joinPieces(pieces: readonly AsyncIterable<Uint8Array>[]): AsyncGenerator<Uint8Array> {
  const separator = new TextEncoder().encode(ROW_SEPARATOR);
  let isFirst = true;
  for (const piece of pieces) {
    // The last bytes of a part wait: those of the last part may be a comma and a line end.
    let tail: Uint8Array = new Uint8Array(0);
    if (!isFirst) yield separator;
    isFirst = false;
    for await (const part of piece) {
      const all = tail.length === 0 ? part : concat([tail, part]);
      yield all.subarray(0, -separator.length);
      tail = all.slice(-separator.length);
    }
    yield withoutSeparator(tail);
  }
}

/** Rows without the line end and the comma of the last. */
export function joinRows(parts: readonly Uint8Array[]): Uint8Array {
  return withoutSeparator(concat(parts));
}

function withoutSeparator(rows: Uint8Array): Uint8Array {
  let end = rows.length;
  if (rows[end - 1] === LINE_FEED) end--;
  if (rows[end - 1] === 0x2c) end--;
  return rows.subarray(0, end);
}
