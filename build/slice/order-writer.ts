/** Writes the orders of a level: the rows of some years, by the value of one column and then as answers are. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Scalar } from '../format/documents.ts';
import type { OrderEntry } from '../format/manifest.ts';
import { COPIES, datasetFolder, NO_YEAR, orderPath } from '../format/paths.ts';
import { readAggregates } from '../lake/column-batches.ts';
import type { Session } from '../lake/database.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, numberedRows, rowOrder } from '../lake/sql.ts';
import { rowsInput, type SliceInput } from './dataset-slices.ts';
import { affordsOrder, chooseOrders, isTooSmall, keepsBudget, MOST_VALUES } from './order-choice.ts';
import { groupRows } from './parquet-options.ts';
import { copyParquet, type WrittenParquet } from './rows-writer.ts';
import { meanBytes } from './slice-estimate.ts';
import { factRows, joinedRows } from './slice-table.ts';
import { timeText } from './text-sql.ts';

export type WrittenOrder = Omit<OrderEntry, 'file'> & { readonly file: WrittenParquet };

/** The temporary table of the rows. */
const ROWS = 'run';

/** Rows of the sample that tells how long rows are as text. */
const SAMPLE_ROWS = 400;

/** `slices` are those of one level whose rows stand in one file, and `filtered` the columns that requests filter by. */
export async function writeOrders(
  input: SliceInput,
  filtered: readonly string[],
  slices: readonly LakeSlice[],
  rows: number,
): Promise<WrittenOrder[]> {
  const { session, dataset, columns, folder } = input;
  if (filtered.length === 0 || isTooSmall(rows)) return [];
  await session.run(`CREATE TEMP TABLE ${ROWS} AS ${joinedRows(input, factRows(input, slices))}`);
  try {
    const names = filtered.filter(name => columns.some(({ column }) => column.name === name));
    const values = await countValues(session, names);
    const counted = names.map((name, i) => ({ name, values: values[i]!, key: keyOf(columns, name) }));
    const chosen = chooseOrders(rows, counted, dataset);
    if (chosen.length === 0) return [];
    await mkdir(path.join(folder, COPIES), { recursive: true });
    const textBytes = await estimateText(input, rows);
    const written: WrittenOrder[] = [];
    for (const name of chosen) {
      const sizes = written.map(one => one.file.bytes);
      if (!affordsOrder(sizes, textBytes)) break;
      const attributes = filtered.filter(other => keyOf(columns, other) === name);
      const order = await writeOrder(input, name, attributes, slices, rows);
      if (keepsBudget([...sizes, order.file.bytes], textBytes)) written.push(order);
      else await rm(path.join(folder, order.file.path));
    }
    return written;
  } finally {
    await session.run(`DROP TABLE ${ROWS}`);
  }
}

/** Different values of each column. Sets of many values take memory, so they are only estimated. */
async function countValues(session: Session, names: readonly string[]): Promise<number[]> {
  const columns = names.map(name => identifier(name));
  const about = await readAggregates<number>(
    session,
    ROWS,
    columns.map(column => `approx_count_distinct(${column})`),
  );
  const isFew = about.map(values => values <= 2 * MOST_VALUES);
  const exact = await readAggregates<number>(
    session,
    ROWS,
    columns.filter((_, i) => isFew[i]).map(column => `count(DISTINCT ${column})`),
  );
  return about.map((values, i) => (isFew[i] ? exact.shift()! : values));
}

/** The foreign key that determines a column's values; null if no other column alone does. */
function keyOf(columns: SliceInput['columns'], name: string): string | null {
  const join = columns.find(({ column }) => column.name === name)?.join;
  return join?.columns.length === 1 ? (join.columns[0] ?? null) : null;
}

async function writeOrder(
  input: SliceInput,
  name: string,
  attributes: readonly string[],
  slices: readonly LakeSlice[],
  rows: number,
): Promise<WrittenOrder> {
  const { dataset, columns } = input;
  const { domain, topic } = dataset;
  const [{ year: first = NO_YEAR, detail = '' } = {}] = slices;
  const years = slices.map(slice => slice.year);
  const position = columns.findIndex(({ column }) => column.name === name);
  const file = orderPath(domain, topic, detail, { name, position }, first);
  const order = [name, ...dataset.order.filter(column => column !== name)];
  const table = `(SELECT * FROM ${ROWS} ORDER BY ${rowOrder(order)})`;
  const written = await copyParquet(
    rowsInput(input, table, rows),
    path.posix.relative(datasetFolder(domain, topic), file),
    groupRows('history', rows),
  );
  const counted = await countRows(input, name, attributes, years);
  return { detail, column: name, years, rows, ...counted, file: written.file };
}

/** The rows of each value and year, and what attributes follow from each value. */
async function countRows(
  { session, dataset, columns }: SliceInput,
  name: string,
  attributes: readonly string[],
  years: readonly number[],
): Promise<Pick<OrderEntry, 'values' | 'counts' | 'attributes'>> {
  const { yearColumn } = dataset.time;
  const year = yearColumn === null ? `${NO_YEAR}` : identifier(yearColumn);
  // Columns may have any names, so these have others.
  const own = attributes.map((attribute, i) => `, ${identifier(attribute)} AS a${i}`);
  const list = attributes.map(
    (attribute, i) => `, any_value(${scalarSql(columns, attribute, `a${i}`)}) AS a${i}`,
  );
  const listed = await session.rows<
    { value: Scalar | null; year: number; rows: number } & Record<`a${number}`, Scalar | null>
  >(
    `SELECT ${scalarSql(columns, name, 'v')} AS value, y AS year, count(*)::DOUBLE AS rows${list.join('')} FROM (SELECT ${identifier(name)} AS v, ${year} AS y${own.join('')} FROM ${ROWS}) GROUP BY v, y ORDER BY v NULLS FIRST, y`,
  );
  const counts = new Map<Scalar | null, number[]>();
  const first = new Map<Scalar | null, (typeof listed)[number]>();
  for (const row of listed) {
    const ofYears = counts.get(row.value) ?? years.map(() => 0);
    counts.set(row.value, ofYears);
    ofYears[years.indexOf(row.year)] = row.rows;
    first.set(row.value, row);
  }
  const following = attributes.map((attribute, i) => [
    attribute,
    [...first.values()].map(row => row[`a${i}`] ?? null),
  ]);
  return {
    values: [...counts.keys()],
    counts: [...counts.values()],
    ...(following.length > 0 && { attributes: Object.fromEntries(following) }),
  };
}

/** A value `x` of a column as the bounds of row groups have it: times are texts without the Z of UTC. */
function scalarSql(columns: SliceInput['columns'], name: string, x: string): string {
  const type = columns.find(({ column }) => column.name === name)?.column.type ?? 'string';
  switch (type) {
    case 'boolean':
      return x;
    case 'integer':
    case 'number':
      return `${x}::DOUBLE`;
    case 'string':
      return `${x}::VARCHAR`;
    case 'date':
    case 'timestamp':
      return `rtrim(${timeText(x)}, 'Z')`;
    default:
      return type satisfies never;
  }
}

/** An estimate of the bytes of the rows as JSON and CSV, the same on any machine. */
async function estimateText({ session, columns }: SliceInput, rows: number): Promise<number> {
  const { from, number } = numberedRows(
    ROWS,
    columns.map(({ column }) => column.name),
  );
  const step = Math.max(1, Math.floor(rows / SAMPLE_ROWS));
  const { json, csv } = await session.row<{ json: number | null; csv: number | null }>(
    `SELECT ${meanBytes(columns)} FROM ${from} WHERE ${number} % ${step} = 0`,
  );
  return rows * ((json ?? 0) + (csv ?? 0));
}
