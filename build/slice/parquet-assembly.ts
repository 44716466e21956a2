/**
 * One Parquet file out of row groups of others: their bytes as they are, and a footer that says where they are now. The
 * rest of the footer says the same in all files that are taken from.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { BEHIND_FOOTER, MAGIC, readBytes, readEndingOf } from './parquet-ending.ts';
import { type Footer, type FooterGroup, parseFooter, renderFooter } from './parquet-footer.ts';

/** Row groups of a file, by number: from the first to the one before `end`. */
export interface GroupRange {
  readonly file: string;
  readonly first: number;
  readonly end: number;
}

const CHUNK = 1 << 20;

/** Footers of files that stay as they are, by path: those of large files take a while to read. */
export type KnownFooters = Map<string, Footer>;

/**
 * Writes `target`, which must not be there yet, and returns where each row group begins in it. Bytes are copied in bounded
 * memory; footers are read whole, and kept in `known`.
 */
export function assembleParquet(
  target: string,
  ranges: readonly GroupRange[],
  known: KnownFooters = new Map(),
): number[] {
  const sources = new Map<string, Source>();
  const output = openSync(target, 'wx');
  try {
    writeSync(output, MAGIC);
    let start = MAGIC.length;
    const placed: { group: FooterGroup; start: number }[] = [];
    for (const { file, first, end } of ranges) {
      const source = sources.get(file) ?? openSource(file, known);
      sources.set(file, source);
      const taken = source.footer.groups.slice(first, end);
      for (const [from, length] of stretches(taken)) copyBytes(source.file, from, length, output);
      for (const group of taken) {
        placed.push({ group, start });
        start += group.bytes;
      }
    }
    const [like, ...others] = [...sources.values()].map(({ footer }) => footer);
    if (like === undefined) throw new Error(`${target} would have no row groups.`);
    if (others.some(({ head, tail }) => !head.equals(like.head) || !tail.equals(like.tail)))
      throw new Error(`${target} would be made of files whose columns or metadata differ.`);
    const footer = renderFooter(like, placed);
    const ending = Buffer.alloc(BEHIND_FOOTER);
    ending.writeUInt32LE(footer.length);
    MAGIC.copy(ending, BEHIND_FOOTER - MAGIC.length);
    writeSync(output, footer);
    writeSync(output, ending);
    return placed.map(one => one.start);
  } finally {
    closeSync(output);
    for (const { file } of sources.values()) closeSync(file);
  }
}

interface Source {
  readonly file: number;
  readonly footer: Footer;
}

function openSource(path: string, known: KnownFooters): Source {
  const file = openSync(path, 'r');
  try {
    const footer = known.get(path) ?? parseFooter(readEndingOf(file).subarray(0, -BEHIND_FOOTER));
    known.set(path, footer);
    return { file, footer };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Where row groups lie, those that follow each other without a gap as one: first byte and length. */
function stretches(groups: readonly FooterGroup[]): [number, number][] {
  const found: [number, number][] = [];
  for (const { start, bytes } of groups) {
    const last = found.at(-1);
    if (last !== undefined && last[0] + last[1] === start) last[1] += bytes;
    else found.push([start, bytes]);
  }
  return found;
}

function copyBytes(input: number, from: number, length: number, output: number): void {
  for (let done = 0; done < length; done += CHUNK)
    writeSync(output, readBytes(input, from + done, Math.min(CHUNK, length - done)));
}
