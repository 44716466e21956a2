/**
 * A cache of the lines of row groups. Rendering costs more than all else in an answer of many rows, and readers ask for
 * the same rows again, as other pages or with other conditions.
 */
import type { RowColumn } from '../../../build/format/manifest.ts';
import { type LineEncoder, type LineKind, lineEncoder } from '../../query/encode.ts';
import { Kept } from '../files/kept.ts';
import type { PackedGroup } from './packed-group.ts';
import { RecordCounter } from './text-cut.ts';

/** Neighbouring rows that are rendered together: few, since most questions are about some rows of a group. */
const BLOCK_ROWS = 64;

/** An estimate of what a block takes besides its bytes. */
const BLOCK_OVERHEAD = 512;

/** The lines of neighbouring rows, and where each begins. The last number is the end. */
interface Block {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** A row group whose lines are kept. */
export interface TextSource {
  /** Names the group among all row groups of all files. */
  readonly key: string;
  readonly group: PackedGroup;
  readonly columns: readonly RowColumn[];
}

const encoder = new TextEncoder();

export class KeptText {
  private readonly blocks: Kept<Block>;
  private readonly encoders = {
    json: new WeakMap<readonly RowColumn[], LineEncoder>(),
    csv: new WeakMap<readonly RowColumn[], LineEncoder>(),
  };

  /** `most`: an estimate of memory, in bytes. */
  constructor(most: number) {
    this.blocks = new Kept(most);
  }

  /** The lines of `count` rows of a group; `rowAt` gives their numbers in the group. */
  gather(
    source: TextSource,
    kind: LineKind,
    count: number,
    rowAt: (index: number) => number,
  ): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    let block: Block | null = null;
    let begin = Number.NaN;
    for (let index = 0; index < count; ) {
      const first = rowAt(index);
      const start = first - (first % BLOCK_ROWS);
      if (start !== begin) block = this.find(source, kind, start);
      begin = start;
      let end = first;
      do {
        index++;
        end++;
      } while (index < count && end < start + BLOCK_ROWS && rowAt(index) === end);
      const { bytes, starts } = block!;
      parts.push(bytes.subarray(starts[first - start], starts[end - start]));
    }
    return parts;
  }

  private find(source: TextSource, kind: LineKind, start: number): Block {
    const key = `${source.key} ${kind} ${start}`;
    const known = this.blocks.get(key);
    if (known) return known;
    const block = renderBlock(source, kind, this.encoder(source.columns, kind), start);
    this.blocks.keep(key, block, block.bytes.length + BLOCK_OVERHEAD);
    return block;
  }

  /** One encoder for all row groups of a table, since their values repeat. */
  private encoder(columns: readonly RowColumn[], kind: LineKind): LineEncoder {
    const known = this.encoders[kind].get(columns);
    if (known) return known;
    const encode = lineEncoder(columns, kind);
    this.encoders[kind].set(columns, encode);
    return encode;
  }
}

function renderBlock(
  { group, columns }: TextSource,
  kind: LineKind,
  encode: LineEncoder,
  start: number,
): Block {
  const rows = Array.from({ length: Math.min(BLOCK_ROWS, group.rows - start) }, (_, row) => start + row);
  const values = columns.map((_, position) => group.pick(position, rows));
  const bytes = encoder.encode(encode(values, 0, rows.length));
  const counter = new RecordCounter(kind === 'csv', 0);
  const starts = new Uint32Array(rows.length + 1);
  for (let row = 0; row < rows.length; row++) starts[row + 1] = counter.advance(bytes, starts[row]!, row + 1);
  return { bytes, starts };
}
