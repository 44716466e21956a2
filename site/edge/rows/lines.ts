/** Picked rows → text. */
import type { TextFormat } from '../../../build/format/documents.ts';
import { cellEncoder } from '../../query/encode.ts';
import type { GroupReader } from './group-reader.ts';
import { openGroups, type PickedRows } from './scan.ts';
import { type CellEncoder, encodeRun, type TextRun } from './text-run.ts';

export type Picks = Iterable<PickedRows> | AsyncIterable<PickedRows>;

/** V8 stores texts above 128 kB where they cost twice the time. */
const PART_LENGTH = 64_000;

const ROWS_AT_ONCE = 100;

const encoder = new TextEncoder();

/**
 * Lines include their line end, in JSON after a comma. `close` gets the last row's part and ends it. Throws
 * TreeMismatch.
 */
export async function* renderLines(
  reader: GroupReader,
  format: TextFormat,
  picks: Picks,
  head: string,
  close: (rest: string) => string,
): AsyncGenerator<Uint8Array> {
  const { columns } = reader;
  const encoders = columns.map((column, index) =>
    cellEncoder(column, format, index === 0, index === columns.length - 1),
  );
  let text = head;
  for await (const picked of picks) {
    await reader.endOfTurn();
    const groups = await openGroups(picked, group => reader.textRuns(group, format));
    for (let from = 0; from < picked.rows.length; from += ROWS_AT_ONCE) {
      if (text.length > PART_LENGTH) {
        yield encoder.encode(text);
        text = '';
      }
      text += renderRows(groups, format, picked, from, encoders);
    }
  }
  yield encoder.encode(close(text));
}

/** Its own function, since V8 runs loops in generators slower. */
function renderRows(
  groups: readonly (readonly TextRun[])[],
  format: TextFormat,
  { at, rows }: PickedRows,
  from: number,
  encoders: readonly CellEncoder[],
): string {
  const to = Math.min(rows.length, from + ROWS_AT_ONCE);
  let text = '';
  for (let index = from; index < to; index++) {
    const runs = groups[at === null ? 0 : at[index]!]!;
    const row = rows[index]!;
    for (let next = 0; next < runs.length; next++) {
      const run = runs[next]!;
      const texts = run.texts[format]!;
      text += texts[run.codes[row]!] ??= encodeRun(run, row, encoders);
    }
  }
  return text;
}
