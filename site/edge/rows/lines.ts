/** Picked rows → text. */
import type { TextFormat } from '../../../build/format/documents.ts';
import { cellEncoder } from '../../query/encode.ts';
import { type ColumnChunk, valueAt } from './column-chunk.ts';
import type { GroupReader } from './group-reader.ts';
import { openGroups, type PickedRows } from './scan.ts';
import { STEP } from './texts.ts';

export type Picks = Iterable<PickedRows> | AsyncIterable<PickedRows>;

const encoder = new TextEncoder();

/**
 * Lines include their line end, in JSON after a comma. The last one lacks its last `cut` bytes, and `tail`
 * follows. Throws TreeMismatch.
 */
export async function* renderLines(
  reader: GroupReader,
  format: TextFormat,
  picks: Picks,
  head: string,
  cut: number,
  tail: string,
): AsyncGenerator<Uint8Array> {
  const { columns } = reader;
  const encoders = columns.map((column, index) =>
    cellEncoder(column, format, index === 0, index === columns.length - 1),
  );
  const end = encoder.encode(tail);
  let part: Uint8Array | null = null;
  for await (const picked of picks) {
    await reader.endOfTurn();
    const groups = await openGroups(picked, group => reader.texts(group, format));
    if (part) yield part;
    const before: Uint8Array = encoder.encode(part ? '' : head);
    const size = before.length + makeTexts(groups, format, picked, encoders);
    const bytes = new Uint8Array(size + Math.max(STEP, end.length));
    bytes.set(before);
    copyTexts(groups, format, picked, new DataView(bytes.buffer, before.length));
    part = bytes.subarray(0, size);
  }
  if (part === null) yield encoder.encode(head + tail);
  else {
    // A part of its own would have to be put together with the others.
    const last = new Uint8Array(part.buffer, 0, part.length - cut + end.length);
    last.set(end, part.length - cut);
    yield last;
  }
}

/** Returns their length. Its own function, since V8 runs loops in generators slower. */
function makeTexts(
  groups: readonly (readonly ColumnChunk[])[],
  format: TextFormat,
  { at, rows }: PickedRows,
  encoders: readonly ReturnType<typeof cellEncoder>[],
): number {
  let length = 0;
  for (let index = 0; index < rows.length; index++) {
    const chunks = groups[at === null ? 0 : at[index]!]!;
    const row = rows[index]!;
    for (let column = 0; column < chunks.length; column++) {
      const chunk = chunks[column]!;
      const texts = chunk.texts[format]!;
      const code = chunk.codes[row]!;
      if (texts.lengthOf(code) === 0) texts.add(code, encoders[column]!(valueAt(chunk, code)));
      length += texts.lengthOf(code);
    }
  }
  return length;
}

function copyTexts(
  groups: readonly (readonly ColumnChunk[])[],
  format: TextFormat,
  { at, rows }: PickedRows,
  to: DataView,
): void {
  let end = 0;
  for (let index = 0; index < rows.length; index++) {
    const chunks = groups[at === null ? 0 : at[index]!]!;
    const row = rows[index]!;
    for (let column = 0; column < chunks.length; column++) {
      const { texts, codes } = chunks[column]!;
      end = texts[format]!.copy(codes[row]!, to, end);
    }
  }
}
