/** Picked rows → JSON or CSV. */
import { cellEncoder, type LineKind } from '../../query/encode.ts';
import type { TextRun } from './column-cache.ts';
import type { GroupReader } from './group-reader.ts';
import { openGroups, type PickedRows } from './scan.ts';

export type Picks = Iterable<PickedRows> | AsyncIterable<PickedRows>;

/** The engine puts longer texts where they cost twice the time: 64,000 characters are 300 rows or so. */
const PART_LENGTH = 64_000;

const encoder = new TextEncoder();

/**
 * `head`, and the lines of rows, each with its line end and in JSON with a comma too. `close` ends the last part, which
 * has the last row. Throws TreeMismatch.
 */
export async function* renderLines(
  reader: GroupReader,
  kind: LineKind,
  picks: Picks,
  head: string,
  close: (rest: string) => string,
): AsyncGenerator<Uint8Array> {
  const { columns } = reader;
  const encoders = columns.map((column, index) =>
    cellEncoder(column, kind, index === 0, index === columns.length - 1),
  );
  const openTexts = (run: TextRun) => ({ run, codes: run.codes, texts: run.texts(kind) });
  let text = head;
  for await (const picked of picks) {
    await reader.endOfTurn();
    const groups = await openGroups(picked, async group =>
      (await reader.textRuns(group, kind)).map(openTexts),
    );
    const { at, rows } = picked;
    for (let index = 0; index < rows.length; index++) {
      if (text.length > PART_LENGTH) {
        yield encoder.encode(text);
        text = '';
      }
      const runs = groups[at === null ? 0 : at[index]!]!;
      const row = rows[index]!;
      for (let next = 0; next < runs.length; next++) {
        const { run, codes, texts } = runs[next]!;
        const code = codes[row]!;
        text += texts[code] ?? run.encode(code, texts, encoders);
      }
    }
  }
  yield encoder.encode(close(text));
}
