/** What a draft says of values that are probably no figures: markers of missing ones, and figures far outside all others. */
import {
  boundsOf,
  type FarValues,
  farValueRemedy,
  farValueText,
  findFarValues,
} from '../check/far-values.ts';
import type { Session } from '../lake/database.ts';
import { type ColumnGuess, count } from './column-guess.ts';
import type { DraftTable } from './draft-table.ts';

/** Adds to each measure the values that are probably none. Nobody knows whether such a column lacks a value. */
export async function withFarValues(
  session: Session,
  { table }: DraftTable,
  columns: readonly ColumnGuess[],
): Promise<readonly ColumnGuess[]> {
  const measures = columns.flatMap(guess =>
    guess.role === 'metric' ? [{ name: guess.name, sql: guess.value, guess }] : [],
  );
  const far = new Map<ColumnGuess, FarValues>(
    (await findFarValues(session, table, '0', measures)).map(({ column, found }) => [column.guess, found]),
  );
  return columns.map(guess => {
    const found = far.get(guess);
    return found === undefined ? guess : { ...guess, far: found, required: false };
  });
}

type Markers = Pick<ColumnGuess, 'name' | 'odd' | 'far'>;

/** What a person should know or decide, in sentences. */
export function markerNotes(columns: readonly Markers[]): string[] {
  return columns.flatMap(({ name, odd, far }) => {
    const notes: string[] = [];
    if (odd !== null && odd.unknown.length === 0)
      notes.push(
        `${name} has ${listed(odd.missing)} in ${count(odd.rows, 'row')}, which missing_values reads as NULL. Say what NULL means: null_meaning.`,
      );
    if (odd !== null && odd.unknown.length > 0)
      notes.push(
        `${name} is text because of ${listed([...odd.unknown, ...odd.missing])} in ${count(odd.rows, 'row')}. If these say that there is no figure, the contract has the lines for it.`,
      );
    if (far !== null) {
      const remedy = farValueRemedy(odd?.missing ?? [], valuesOf(far));
      notes.push(`${name} is ${farValueText(far)}. ${remedy}`);
    }
    return notes;
  });
}

/** The lines of `customProperties` that say which values are missing; as comments where a person decides. */
export function markerLines({ odd, far }: Markers): string[] {
  const lines: string[] = [];
  const missing = (values: readonly (string | number)[]) =>
    `- { property: missing_values, value: ${JSON.stringify(values).replaceAll(',', ', ')} }`;
  if (odd !== null && odd.unknown.length === 0) {
    lines.push(`${missing(odd.missing)} # guess: no figures, in ${count(odd.rows, 'row')}`);
    lines.push(
      `# - { property: null_meaning, value: ${JSON.stringify(`What ${listed(odd.missing)} means`)} }`,
    );
  }
  if (odd !== null && odd.unknown.length > 0) {
    lines.push(
      '# question: do these texts among the figures say that there is none? Then take the # from this line, write number as logicalType and metric as column_role, and remove required',
      `# ${missing([...odd.unknown, ...odd.missing])}`,
    );
  }
  if (far !== null) {
    const values = valuesOf(far);
    const before = odd?.missing ?? [];
    lines.push(
      `# question: ${farValueText(far)}. Take the # from one of these lines`,
      `# ${missing([...before, ...values])} # there is no figure${before.length === 0 ? '' : '; in place of the line above'}`,
      ...boundsOf(values).map(bound => `# - ${bound} # it is a figure`),
    );
  }
  return lines;
}

function valuesOf({ values }: FarValues): number[] {
  return values.map(({ value }) => value);
}

function listed(texts: readonly string[]): string {
  return texts.map(one => JSON.stringify(one)).join(', ');
}
