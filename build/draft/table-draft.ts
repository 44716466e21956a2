/** Drafts datasets and dimensions from tables, with the joins between them. */
import { nameCode, type WrongCode } from '../check/check.ts';
import {
  boundsOf,
  type FarValues,
  farValueRemedy,
  farValueText,
  findFarValues,
  missingValues,
} from '../check/far-values.ts';
import type { FileLayout } from '../contract/custom-profile.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import { NO_FORM } from '../contract/text-form.ts';
import { countOf, someOf } from '../format/shown-text.ts';
import { type Boundary, readBoundaries } from '../lake/boundaries.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import { findKey } from '../slice/dimension-rows.ts';
import { type ColumnGuess, guessColumns, isLatitude, isLongitude } from './column-guess.ts';
import { CODE_NAME } from './column-types.ts';
import { type DraftFile, type DraftTable, freeName, plainName, type RawColumn } from './draft-table.ts';
import { findGrain } from './grain-search.ts';

export interface DraftJoin {
  /** Column of the dataset. */
  readonly column: string;
  /** Name of the dimension, and its key. */
  readonly target: string;
  readonly key: string;
  readonly reason: string;
  /** The dimension's other columns are in the dataset itself. */
  readonly own: boolean;
}

export interface TableDraft {
  readonly kind: 'dataset' | 'dimension';
  /** Topic or name of the dimension. */
  readonly name: string;
  readonly reason: string;
  readonly file: DraftFile;
  readonly rows: number;
  readonly columns: readonly ColumnGuess[];
  readonly leftOut: readonly RawColumn[];
  /** Null if no set of columns identifies a row. */
  readonly grain: readonly string[] | null;
  readonly grainReason: string;
  readonly joins: readonly DraftJoin[];
  /** Sentences for people. */
  readonly notes: readonly string[];
  /** Sentences that end with the lines that answer them. A build needs the answers. */
  readonly questions: readonly string[];
  readonly layout: FileLayout;
  /** Only of dimensions. */
  readonly boundaries: DraftFile | null;
  /** Topic of the dataset that provides the rows; null for a table of its own. */
  readonly rowsOf: string | null;
}

export async function draftTable(session: Session, table: DraftTable, name: string): Promise<TableDraft> {
  const guessed = await withFarValues(session, table, await guessColumns(session, table));
  const { columns: grain, reason: grainReason } = await findGrain(session, table, guessed);
  const columns = guessed.map((one): ColumnGuess => {
    const isKey = grain?.includes(one.name) === true && (one.role === 'attribute' || one.role === 'metric');
    return isKey ? { ...one, role: 'categorical', roleReason: 'it identifies a row', unit: null } : one;
  });
  return {
    kind: 'dataset',
    name,
    reason: '',
    file: table.file,
    rows: table.rows,
    columns,
    leftOut: table.leftOut,
    grain,
    grainReason,
    joins: [],
    notes: [
      ...table.notes.map(({ message }) => message),
      ...table.leftOut.map(
        ({ name, native }) =>
          `${name} is left out: a table for readers has no lists, records or bytes (${native})`,
      ),
      ...splitTime(columns),
      ...dayNotes(columns),
      ...markerNotes(columns),
      ...(await textNotes(session, table, columns)),
    ],
    questions: table.questions.map(({ message }) => message),
    layout: {
      ...(table.file.sheet === undefined ? {} : { sheet: table.file.sheet }),
      ...(table.yearColumns === undefined ? {} : { year_columns: table.yearColumns }),
    },
    boundaries: null,
    rowsOf: null,
  };
}

const PARTS = {
  quarter: { name: /^(quarter|qtr|trimestre|quartal|kwartaal|kvartal)$/iu, sql: "year || '-Q' || quarter" },
  month: { name: /^(month|mes|mois|monat|maand|mês|mese)$/iu, sql: "year || '-' || lpad(month, 2, '0')" },
} as const;

/** A year and a part of it in two columns: the dataset is by year, and the part is a category. */
function splitTime(columns: readonly ColumnGuess[]): string[] {
  const year = columns.find(({ role }) => role === 'year');
  if (year === undefined || columns.some(({ role }) => role === 'time')) return [];
  return Object.entries(PARTS).flatMap(([unit, { name, sql }]) => {
    const part = columns.find(one => name.test(one.name));
    if (part === undefined) return [];
    return [
      `${year.name} and ${part.name} say when in two columns. For charts over ${unit}s, write them as one (${sql}), and draft again.`,
    ];
  });
}

/** A larger table isn't a dimension. */
const MOST_KEYS = 200_000;

/** Codes named in a note. */
const NAMED = 5;

function unknownCodes(
  column: ColumnGuess,
  key: ColumnGuess,
  target: TableDraft,
  unknown: readonly WrongCode[],
): string {
  const named = someOf(unknown.map(nameCode), NAMED);
  return `${unknown.length} of ${countOf(column.distinct, 'value')} of ${column.name} ${unknown.length === 1 ? 'is' : 'are'} no ${key.name} of ${target.file.name}, so the two tables are not joined: ${named}. Correct them, or add them there, and draft again.`;
}

/** Makes dimensions of tables whose keys other tables refer to, and joins them. */
export async function linkTables(
  session: Session,
  drafts: readonly TableDraft[],
  tables: readonly DraftTable[],
): Promise<TableDraft[]> {
  const joins = drafts.map((): DraftJoin[] => []);
  const notes = drafts.map((): string[] => []);
  const dimensions = new Map<number, string>();
  for (const [k, target] of drafts.entries()) {
    const key = keyOf(target);
    if (key === null) continue;
    for (const [i, source] of drafts.entries()) {
      if (i === k || dimensions.has(i)) continue;
      const column = source.columns.find(one => refersTo(one, key, target.name));
      if (column === undefined || column.type !== key.type) continue;
      // A join adds the other columns. Tables that share them are alike, such as a sheet for each year.
      const added = new Set(target.columns.map(({ name }) => name).filter(name => name !== key.name));
      if (source.columns.some(({ name }) => added.has(name))) continue;
      const keys = `(SELECT DISTINCT ${key.value}::VARCHAR AS k FROM ${tables[k]?.table})`;
      const unknown = await session.rows<WrongCode>(
        `SELECT a.v AS code, count(*) AS rows, any_value(z.k) AS meant FROM (SELECT ${column.value}::VARCHAR AS v FROM ${tables[i]?.table}) a LEFT JOIN ${keys} z ON z.k <> a.v AND ltrim(z.k, '0') = a.v WHERE a.v IS NOT NULL AND a.v NOT IN (SELECT k FROM ${keys}) GROUP BY 1 ORDER BY 1`,
      );
      if (unknown.length > 0) {
        // If most values are unknown, the column has other codes.
        if (unknown.length * 2 <= column.distinct) notes[i]?.push(unknownCodes(column, key, target, unknown));
        continue;
      }
      joins[i]?.push({
        column: column.name,
        target: target.name,
        key: key.name,
        reason: `every ${column.name} is a ${key.name} of ${target.file.name}`,
        own: false,
      });
      dimensions.set(k, source.file.name);
    }
  }
  return drafts.map((draft, i) => {
    const from = dimensions.get(i);
    return from === undefined
      ? { ...draft, joins: joins[i] ?? [], notes: [...draft.notes, ...(notes[i] ?? [])] }
      : { ...draft, kind: 'dimension', reason: `${from} refers to its ${draft.grain?.join(', ')}` };
  });
}

/** Of a table that could be a dimension: a key of one column, and no time. */
function keyOf({ grain, columns, rows }: TableDraft): ColumnGuess | null {
  const key = columns.find(({ name }) => name === grain?.[0]);
  const hasTime = columns.some(({ role }) => role === 'time' || role === 'year');
  return grain?.length !== 1 || key === undefined || !key.required || hasTime || rows > MOST_KEYS
    ? null
    : key;
}

function refersTo({ name, role }: ColumnGuess, key: ColumnGuess, table: string): boolean {
  if (role === 'time' || role === 'year') return false;
  const [own, other] = [plainName(name), plainName(key.name)];
  const singular = table.replace(/ies$/, 'y').replace(/s$/, '');
  return (
    own === other || own === `${singular}_${other}` || own === singular || other === `${singular}_${own}`
  );
}

/** In degrees, about 100 m: geocoders round. */
const SAME_PLACE = 0.001;

/**
 * If each value of a category has about one latitude and longitude, its values become a dimension with points
 * on the map. Places without coordinates have no point.
 */
export async function drawPlaces(
  session: Session,
  draft: TableDraft,
  table: DraftTable,
  taken: Set<string>,
): Promise<readonly TableDraft[]> {
  const latitude = draft.columns.find(isLatitude);
  const longitude = draft.columns.find(isLongitude);
  if (draft.kind === 'dimension' || latitude === undefined || longitude === undefined) return [draft];
  // The fewest first: of inspections and their facilities, the facilities are places.
  const places = draft.columns
    .filter(
      ({ role, type, required, distinct }) =>
        role === 'categorical' && type === 'string' && required && distinct > 1 && distinct <= MOST_KEYS,
    )
    .sort((a, b) => a.distinct - b.distinct);
  const isPlaced = `${latitude.value} IS NOT NULL AND ${longitude.value} IS NOT NULL`;
  let nearest: { readonly name: string; readonly apart: number } | null = null;
  for (const place of places) {
    if (draft.joins.some(({ column }) => column === place.name)) continue;
    const texts = draft.columns.filter(
      ({ name, role, type }) =>
        name !== place.name && role !== 'metric' && role !== 'time' && type === 'string',
    );
    const counts = texts.map(
      ({ value }, i) =>
        `count(DISTINCT ${value}) + (count(${value}) > 0 AND count(${value}) < count(*))::INTEGER AS count_${i}`,
    );
    const spans = [latitude, longitude].map(
      ({ value }, i) =>
        `max(${value}) FILTER (${isPlaced}) - min(${value}) FILTER (${isPlaced}) AS span_${i}`,
    );
    const row = await session.row<Record<string, number>>(
      `SELECT count(*) FILTER (span_0 > ${SAME_PLACE} OR span_1 > ${SAME_PLACE}) AS apart, count(*) FILTER (span_0 IS NULL) AS blank${texts.map((_, i) => `, max(count_${i}) AS "most ${i}"`).join('')} FROM (SELECT ${[...spans, ...counts].join(', ')} FROM ${table.table} GROUP BY ${place.value})`,
    );
    const { apart = 0, blank = 0 } = row;
    if (nearest === null || apart <= nearest.apart) nearest = { name: place.name, apart };
    // If most values have no coordinates, the column isn't a place.
    if (apart > 0 || blank * 2 > place.distinct) continue;
    const own = texts.filter((_, i) => (row[`most ${i}`] ?? 2) <= 1);
    const isName = ({ name, distinct }: ColumnGuess) => distinct === place.distinct && !CODE_NAME.test(name);
    const reason = `each ${place.name} of ${draft.file.name} has one latitude and one longitude`;
    // A later delivery may have a place without coordinates.
    const points = [latitude, longitude].map(one => ({ ...one, required: false }));
    // The first attribute names a place if it is a text.
    const columns = [place, ...own.filter(isName), ...points, ...own.filter(one => !isName(one))];
    const [joined, dimension] = keyDimension(draft, place, columns, reason, taken);
    const notes =
      blank === 0 ? [] : [`${countOf(blank, place.name)} without coordinates: no point on the map.`];
    return [joined, { ...dimension, notes: [...dimension.notes, ...notes] }];
  }
  const why =
    nearest === null
      ? 'no column of texts or codes that every row has names the places'
      : `${countOf(nearest.apart, 'value')} of ${nearest.name} ${nearest.apart === 1 ? 'lies' : 'lie'} at several places, more than 100 m apart`;
  return [{ ...draft, notes: [...draft.notes, `No map, although there are coordinates: ${why}.`] }];
}

/**
 * Makes a dimension of a dataset's column and the columns that depend on it, and joins the two. Adds its name
 * to `taken`.
 */
function keyDimension(
  draft: TableDraft,
  place: ColumnGuess,
  columns: readonly ColumnGuess[],
  reason: string,
  taken: Set<string>,
): readonly [dataset: TableDraft, dimension: TableDraft] {
  const noun = plainName(place.name).replace(/_(?:ids?|codes?|no|nr|number|key|name)$/, '');
  const name = freeName(taken.has(plural(noun)) ? `${noun}_places` : plural(noun), taken);
  taken.add(name);
  const dimension: TableDraft = {
    kind: 'dimension',
    name,
    reason,
    file: draft.file,
    rows: place.distinct,
    // Values come from the dataset's typed columns.
    columns: columns.map(one => ({ ...one, reading: { form: NO_FORM, utc: one.reading.utc, doubt: null } })),
    leftOut: [],
    grain: [place.name],
    grainReason: 'the place itself',
    joins: [],
    notes: [
      `It has no file of its own: each build draws its rows from those of ${draft.name}, so that a new ${place.name} needs no more.`,
    ],
    questions: [],
    layout: {},
    boundaries: null,
    rowsOf: draft.name,
  };
  const join: DraftJoin = {
    column: place.name,
    target: name,
    key: place.name,
    reason: `the dimension ${name} has its place on the map`,
    own: true,
  };
  return [{ ...draft, joins: [...draft.joins, join] }, dimension];
}

function plural(name: string): string {
  if (/[sx]$/.test(name)) return `${name}_places`;
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;
}

export interface OpenDraft {
  readonly draft: TableDraft;
  readonly table: DraftTable;
}

/** Each file belongs to the places that it has most keys of. Returns a diagnostic for a file without any. */
export async function linkBoundaries(
  session: Session,
  files: readonly DraftFile[],
  drafts: readonly OpenDraft[],
  taken: Set<string>,
): Promise<{ readonly drafts: readonly OpenDraft[]; readonly problems: readonly Diagnostic[] }> {
  let all = [...drafts];
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const found = readBoundaries({ ...file, path: file.name });
    if ('severity' in found) problems.push(found);
    else {
      const linked = await linkOne(session, file, found, all, taken);
      const message =
        'No column of the tables has the keys of these boundaries, as their id or in a property. Name the table with these places too, or leave the file out.';
      if (linked === null) problems.push(diagnosticAt(file.name, 'error', 'draft-boundaries', message));
      else all = linked;
    }
  }
  return { drafts: all, problems };
}

async function linkOne(
  session: Session,
  file: DraftFile,
  boundaries: readonly Boundary[],
  drafts: readonly OpenDraft[],
  taken: Set<string>,
): Promise<OpenDraft[] | null> {
  const matched = async ({ table }: OpenDraft, { value }: ColumnGuess) => {
    const rows = await session.rows<{ key: string }>(
      `SELECT DISTINCT ${value}::VARCHAR AS key FROM ${table.table} WHERE ${value} IS NOT NULL LIMIT 200000`,
    );
    const keys = new Map(rows.map(({ key }) => [key, null]));
    return findKey(boundaries, keys, null)?.matched ?? 0;
  };
  let best: { readonly open: OpenDraft; readonly column: ColumnGuess; readonly matches: number } | null =
    null;
  for (const open of drafts) {
    const { draft } = open;
    const places = draft.columns.filter(({ name, role, type, required }) =>
      draft.kind === 'dimension'
        ? draft.grain?.length === 1 && draft.grain[0] === name
        : role === 'categorical' &&
          (type === 'string' || type === 'integer') &&
          required &&
          !draft.joins.some(join => join.column === name),
    );
    for (const column of places) {
      const matches = await matched(open, column);
      // A few of many values may be equal by chance.
      if (matches > (best?.matches ?? 0) && matches * 2 >= column.distinct) best = { open, column, matches };
    }
  }
  if (best === null) return null;
  const { open, column, matches } = best;
  const reason = `${file.name} has the boundaries of ${countOf(matches, 'place')}`;
  const placed = (draft: TableDraft): TableDraft => ({ ...draft, boundaries: file });
  if (open.draft.kind === 'dimension')
    return drafts.map(one => {
      if (one !== open) return one;
      return { ...one, draft: placed({ ...one.draft, notes: [...one.draft.notes, `${reason}.`] }) };
    });
  const [joined, dimension] = keyDimension(open.draft, column, [column], reason, taken);
  return drafts.flatMap(one =>
    one === open
      ? [
          { ...one, draft: joined },
          { ...one, draft: placed(dimension) },
        ]
      : [one],
  );
}

/** Such columns may lack values, so they aren't required. */
async function withFarValues(
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

/** About outer spaces, and about blanks that may mean the text above them. */
async function textNotes(
  session: Session,
  { table, rows }: DraftTable,
  columns: readonly ColumnGuess[],
): Promise<string[]> {
  const texts = columns.filter(({ native, type }) => native === null && type === 'string');
  const found = await readAggregates<string | number | null>(
    session,
    table,
    texts.flatMap(({ sql }) => [
      `min(${sql}) FILTER (${sql} <> trim(${sql}))`,
      `CASE WHEN arg_min(${sql} IS NULL, rowid) THEN 0 ELSE count(${sql}) END`,
    ]),
  );
  return texts.flatMap(({ name, distinct }, i) => {
    const [spaced, filled] = [found[2 * i], Number(found[2 * i + 1])];
    const isAbove = filled > 1 && filled === distinct && filled * 2 <= rows;
    const spaces = `${name} has texts with outer spaces, such as ${JSON.stringify(spaced)}, which readers would have to type. Remove them, and draft again.`;
    const blanks = `${name} is blank in ${countOf(rows - filled, 'row')}, as if each text meant the rows below it too. If it does, write it into each, and draft again.`;
    return [...(spaced === null ? [] : [spaces]), ...(isAbove ? [blanks] : [])];
  });
}

type Markers = Pick<ColumnGuess, 'name' | 'odd' | 'far'>;

/** 44197 is 2021-01-01. These are the days from 1954 to 2119. */
const DAY_NUMBERS = { least: 20_000, most: 80_000 };

/** A workbook that is saved as CSV has numbers where cells had no format of a date. */
function dayNotes(columns: readonly ColumnGuess[]): string[] {
  return columns.flatMap(({ name, type, least, most }) => {
    const [first, last] = [Number(least), Number(most)];
    const isDay = type === 'integer' && first >= DAY_NUMBERS.least && last <= DAY_NUMBERS.most;
    if (!isDay || !/(^|[^\p{L}])(date|fecha|datum)([^\p{L}]|$)/iu.test(name)) return [];
    const day = new Date(Date.UTC(1899, 11, 30 + first)).toISOString().slice(0, 10);
    return [
      `${name} has numbers such as ${first}, which may be days as workbooks count them (${day}). If so, write them as dates, and draft again.`,
    ];
  });
}

/** Sentences for people. */
function markerNotes(columns: readonly (Markers & Pick<ColumnGuess, 'signed'>)[]): string[] {
  return columns.flatMap(({ name, odd, far, signed }) => {
    const notes: string[] = [];
    if (signed !== null)
      notes.push(
        `${name} is text because its figures have signs (${JSON.stringify(signed)}). To publish numbers, write them without, a negative one as -5, and draft again.`,
      );
    if (odd !== null && odd.unknown.length === 0)
      notes.push(
        `${name} has ${listed(odd.missing)} in ${countOf(odd.rows, 'row')}, which missing_values reads as NULL. Say what NULL means: null_meaning.`,
      );
    if (odd !== null && odd.unknown.length > 0)
      notes.push(
        `${name} is text because of ${listed([...odd.unknown, ...odd.missing])} in ${countOf(odd.rows, 'row')}. If these say that there is no figure, the contract has the lines for it; if they are figures with marks, write the marks into a column of their own.`,
      );
    if (far !== null) {
      const remedy = farValueRemedy(odd?.missing ?? [], valuesOf(far));
      notes.push(`${name} is ${farValueText(far)}. ${remedy}`);
    }
    return notes;
  });
}

/** Lines of `customProperties` about missing values, as comments if a person has to decide. */
export function markerLines({ odd, far }: Markers): string[] {
  const lines: string[] = [];
  if (odd !== null && odd.unknown.length === 0) {
    lines.push(`- ${missingValues(odd.missing)} # guess: no figures, in ${countOf(odd.rows, 'row')}`);
    lines.push(
      `# - { property: null_meaning, value: ${JSON.stringify(`What ${listed(odd.missing)} means`)} }`,
    );
  }
  if (odd !== null && odd.unknown.length > 0) {
    lines.push(
      '# question: do these texts among the figures say that there is none? Then take the # from this line, write number as logicalType and metric as column_role, and remove required',
      `# - ${missingValues([...odd.unknown, ...odd.missing])}`,
    );
  }
  if (far !== null) {
    const values = valuesOf(far);
    const before = odd?.missing ?? [];
    lines.push(
      `# question: ${farValueText(far)}. Take the # from one of these lines`,
      `# - ${missingValues([...before, ...values])} # there is no figure${before.length === 0 ? '' : '; in place of the line above'}`,
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
