/** Picked rows → lines of JSON or CSV. */
import { cellEncoder, type LineKind } from '../../query/encode.ts';
import type { GroupReader } from './group-reader.ts';
import { openGroups, type PickedRows } from './scan.ts';
import type { CellEncoder, TextRun } from './column-cache.ts';

/** The text of rows, each with its line end; in JSON with a comma too. Throws TreeMismatch. */
export type LineRenderer = (picked: PickedRows) => Promise<string>;

export function lineRenderer(reader: GroupReader, kind: LineKind): LineRenderer {
  const { columns } = reader;
  const encoders = columns.map((column, index) =>
    cellEncoder(column, kind, index === 0, index === columns.length - 1),
  );
  return async picked => {
    const { at, rows } = picked;
    await reader.endOfTurn();
    const runs = await openGroups(picked, group => reader.textRuns(group, kind));
    let text = '';
    for (let from = 0; from < rows.length; ) {
      const number = at === null ? 0 : at[from]!;
      let to = from + 1;
      while (to < rows.length && (at === null || at[to] === number)) to++;
      text += renderRows(runs[number]!, rows.subarray(from, to), kind, encoders);
      from = to;
    }
    return text;
  };
}

/** Rows of one group. */
function renderRows(
  runs: readonly TextRun[],
  rows: Uint32Array,
  kind: LineKind,
  encoders: readonly CellEncoder[],
): string {
  const parts = runs.map(run => ({ run, codes: run.codes, texts: run.texts(kind) }));
  let text = '';
  for (const row of rows) {
    for (let index = 0; index < parts.length; index++) {
      const { run, codes, texts } = parts[index]!;
      const code = codes[row]!;
      text += texts[code] ?? run.encode(code, texts, encoders);
    }
  }
  return text;
}
