/** Picked rows → text. */
import type { TextFormat } from '../../../build/format/documents.ts';
import { type CellEncoder, cellEncoders } from '../../query/encode.ts';
import type { ColumnChunk } from './column-chunk.ts';
import type { GroupReader } from './group-reader.ts';
import { takePart } from './part-memory.ts';
import { type GroupLines, type PickedRows, splitByGroup } from './scan.ts';

export type Picks = Iterable<PickedRows> | AsyncIterable<PickedRows>;

interface OpenLines extends GroupLines {
  readonly chunks: readonly ColumnChunk[];
}

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
  const encoders = cellEncoders(reader.columns, format);
  const end = encoder.encode(tail);
  let part: Uint8Array | null = null;
  for await (const picked of picks) {
    await reader.endOfTurn();
    const groups: OpenLines[] = [];
    for (const own of splitByGroup(picked))
      groups.push({ ...own, chunks: await reader.textChunks(own.group, own.rows.length) });
    if (part) yield part;
    const before = encoder.encode(part ? '' : head);
    const bytes = renderPart(groups, format, encoders, before, end.length);
    part = bytes.subarray(0, bytes.length - end.length);
  }
  if (part === null) yield encoder.encode(head + tail);
  else {
    // A part of its own would have to be put together with the others.
    const last = new Uint8Array(part.buffer, 0, part.length - cut + end.length);
    last.set(end, part.length - cut);
    yield last;
  }
}

/** Between `before` and room for `after` bytes. Column by column: loops over one column's arrays are faster. */
function renderPart(
  groups: readonly OpenLines[],
  format: TextFormat,
  encoders: readonly CellEncoder[],
  before: Uint8Array,
  after: number,
): Uint8Array {
  /** Each line's length, then where it goes on. */
  const places = new Uint32Array(groups.reduce((sum, { lines }) => sum + lines.length, 0));
  for (const { chunks, rows, lines } of groups)
    for (const { codes, dictionary } of chunks)
      dictionary.textsIn(format, encoders).addLengths(codes, rows, lines, places);
  let size = before.length;
  for (let line = 0; line < places.length; line++) {
    const length = places[line]!;
    places[line] = size;
    size += length;
  }
  const bytes = takePart(size + after);
  bytes.set(before);
  const view = new DataView(bytes.buffer);
  for (const { chunks, rows, lines } of groups)
    for (const { codes, dictionary } of chunks)
      dictionary.textsIn(format, encoders).copy(codes, rows, lines, places, view);
  return bytes;
}
