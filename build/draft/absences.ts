/** Says why a drafted dataset has no time axis, no join or no map, and what would add it. */
import { LIFE_DATE } from '../contract/columns.ts';
import { countOf } from '../format/shown-text.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { type ColumnGuess, isLatitude, isLongitude, isNamedLikeTime } from './column-guess.ts';
import type { OpenDraft, TableDraft } from './table-draft.ts';

const AREA_NAME = /(fips|geoid|county)/iu;
const PLACE_NAME =
  /(count(y|ies)|district|city|town|municip|state|region|provinc|country|nation|place|station|school|site|tract|zip|postal|fips|geoid|ward|borough|parish|location|kreis|gemeinde|comuna|ciudad|país|pais|commune|département|ville)/iu;

export async function explainAbsences(
  session: Session,
  drafts: readonly OpenDraft[],
): Promise<readonly TableDraft[]> {
  const explained: TableDraft[] = [];
  for (const open of drafts) {
    const { draft } = open;
    const notes = [...draft.notes];
    if (draft.kind === 'dataset') {
      notes.push(...(await whyTimeless(session, open)));
      notes.push(...(await whyUnjoined(session, open, drafts)));
      notes.push(...(await whyUnmapped(session, open, drafts)));
    }
    explained.push({ ...draft, notes });
  }
  return explained;
}

async function whyTimeless(session: Session, { draft, table }: OpenDraft): Promise<string[]> {
  const columns = draft.columns.filter(({ name }) => !LIFE_DATE.test(name));
  if (draft.columns.some(({ role }) => role === 'year' || role === 'time')) return [];
  const close =
    columns.find(({ type }) => type === 'date' || type === 'timestamp') ??
    columns.find(({ name }) => isNamedLikeTime(name));
  const none = 'No time axis: no column says when.';
  if (close === undefined) return [`${none} If all rows are of one year, add a column year.`];
  const { name, sql, value, reading } = close;
  if (reading.doubt !== null) return [`${none} ${name} does, once its question is settled.`];
  const [blank = 0] = await readAggregates<number>(session, table.table, [`count(*) - count(${value})`]);
  if (blank > 0)
    return [
      `${none} The closest, ${name}, is blank in ${countOf(blank, 'row')}: fill it there, or leave these rows out, and draft again.`,
    ];
  const cells = await session.rows<{ cell: string }>(
    `SELECT DISTINCT ${sql}::VARCHAR AS cell FROM ${table.table} ORDER BY 1 LIMIT 3`,
  );
  const listed = cells.map(({ cell }) => JSON.stringify(cell)).join(', ');
  return [
    `${none} The closest, ${name}, has values such as ${listed}. Write years (2024), dates (2024-05-31), months (2024-05) or quarters (2024-Q2), and draft again.`,
  ];
}

async function whyUnjoined(
  session: Session,
  { draft, table }: OpenDraft,
  drafts: readonly OpenDraft[],
): Promise<string[]> {
  if (draft.joins.length > 0 || draft.notes.some(note => note.includes('not joined'))) return [];
  const others = drafts.filter(
    ({ draft: other, table: target }) => target !== table && other.rows < draft.rows && other.rowsOf === null,
  );
  const columns = draft.columns.filter(isCode);
  let best: { readonly text: string; readonly shared: number } | null = null;
  for (const { draft: other, table: target } of others) {
    for (const key of other.columns.filter(
      one => isCode(one) && one.required && one.distinct === other.rows,
    )) {
      const keys = `(SELECT ${key.value}::VARCHAR FROM ${target.table})`;
      const shared = await readAggregates<number>(
        session,
        table.table,
        columns.map(({ value }) => `count(DISTINCT ${value}) FILTER (${value}::VARCHAR IN ${keys})`),
      );
      for (const [i, column] of columns.entries()) {
        const known = shared[i] ?? 0;
        // A few of many values may be equal by chance.
        if (known <= (best?.shared ?? 0) || known * 2 < column.distinct) continue;
        const what = `${known} of ${countOf(column.distinct, 'value')} of ${column.name} are in ${key.name} of ${other.file.name}`;
        const remedy =
          known < column.distinct || column.name === key.name
            ? 'A join needs all of them, as codes of one type'
            : `Call that column ${column.name} too, and draft again`;
        best = { shared: known, text: `No join: ${what}. ${remedy}.` };
      }
    }
  }
  if (others.length === 0) return [];
  const files = others.map(({ draft: other }) => other.file.name).join(', ');
  return [best?.text ?? `No join: no column has the values of a unique column of ${files}.`];
}

function isCode({ type, role }: ColumnGuess): boolean {
  return role !== 'time' && role !== 'year' && (type === 'string' || type === 'integer');
}

async function whyUnmapped(
  session: Session,
  { draft, table }: OpenDraft,
  drafts: readonly OpenDraft[],
): Promise<string[]> {
  const targets = drafts.filter(other => draft.joins.some(({ target }) => target === other.draft.name));
  for (const target of targets) if (await hasPlaces(session, target)) return [];
  if (draft.notes.some(note => note.startsWith('No map'))) return [];
  const areas = draft.columns.filter(({ name, role }) => role === 'categorical' && AREA_NAME.test(name));
  for (const area of areas) {
    const [five = 0, four = 0] = await digits(session, table.table, area);
    if (five + four === 0 || (five + four) * 10 < area.distinct * 9) continue;
    const lost = four === 0 ? '' : ` ${countOf(four, 'code')} lost the leading zero.`;
    return [
      `No map: ${area.name} has county codes of five digits, but no table lists these places.${lost} Draft again with a table beside this one, with ${area.name} as its key and the names: its places are on the map.`,
    ];
  }
  const close = draft.columns.find(
    ({ name, role }) => role === 'categorical' && PLACE_NAME.test(name) && !isNamedLikeTime(name),
  );
  return [
    close === undefined
      ? 'No map: no column has coordinates or names places.'
      : `No map: no column has coordinates, and ${close.name} (${countOf(close.distinct, 'different value')}) has no codes that a map knows. Draft again with a table of its places, with a latitude and a longitude for each, or with their boundaries as GeoJSON.`,
  ];
}

/** Numbers of different codes with five and with four digits. */
async function digits(session: Session, table: string, { value }: ColumnGuess): Promise<number[]> {
  const of = (length: number) =>
    `count(DISTINCT ${value}) FILTER (regexp_full_match(${value}::VARCHAR, '[0-9]{${length}}'))`;
  return readAggregates<number>(session, table, [of(5), of(4)]);
}

/** Whether the map shows the dimension's places: by points, boundaries or county codes. */
async function hasPlaces(session: Session, { draft, table }: OpenDraft): Promise<boolean> {
  if (draft.boundaries !== null) return true;
  if (draft.columns.some(isLatitude) && draft.columns.some(isLongitude)) return true;
  const key = draft.columns.find(({ name }) => name === draft.grain?.[0]);
  if (key === undefined) return false;
  const [five = 0] = await digits(session, table.table, key);
  return five > 0 && five * 10 >= key.distinct * 9;
}
