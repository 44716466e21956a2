/** Picked rows → lines of JSON or CSV. */
import type { LineKind } from '../../query/encode.ts';
import { type ColumnChunk, cellEncoders } from './column-chunk.ts';
import type { GroupReader, GroupRef } from './group-reader.ts';
import { openAll, type PickedRows } from './scan.ts';

/** The text of rows, each with its line end; in JSON with a comma too. */
export type LineRenderer = (picked: PickedRows) => Promise<string>;

export function lineRenderer(reader: GroupReader, kind: LineKind): LineRenderer {
  const encoders = cellEncoders(reader.columns, kind);
  return async ({ groups, at, rows }) => {
    const chunks = await openAll(reader, groups, at);
    let text = '';
    for (let from = 0; from < rows.length; ) {
      const number = at === null ? 0 : at[from]!;
      let to = from + 1;
      while (to < rows.length && (at === null || at[to] === number)) to++;
      text += renderRun(chunks[number]!, groups[number]!, rows.subarray(from, to));
      from = to;
    }
    return text;
  };

  /** Rows of one group. */
  function renderRun(chunks: readonly ColumnChunk[], group: GroupRef, rows: Uint32Array): string {
    const isNew = chunks.some(chunk => !chunk.hasTexts(kind));
    const columns = chunks.map((chunk, position) => ({
      codes: chunk.codes,
      values: chunk.values,
      texts: chunk.textsOf(kind),
      encode: encoders[position]!,
    }));
    if (isNew) reader.weigh(group);
    let text = '';
    for (const row of rows) {
      for (let position = 0; position < columns.length; position++) {
        const column = columns[position]!;
        const code = column.codes[row]!;
        text += column.texts[code] ?? remember(column.texts, code, column.encode(column.values[code]!));
      }
    }
    return text;
  }
}

function remember(texts: (string | undefined)[], code: number, text: string): string {
  texts[code] = text;
  return text;
}
