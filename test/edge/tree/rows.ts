/** Rows of a small made-up dataset that has every kind of column, filter and oddity. Always the same. */

import { datasetFilters } from '../../../build/contract/filters.ts';
import { parseContracts } from '../../../build/contract/parse-contracts.ts';
import type { CopyEntry, RowColumn } from '../../../build/format/manifest.ts';
import { compareRows, type Value } from '../../../site/query/order.ts';
import { readContracts } from '../../publishers/contract-text.ts';

export type Row = readonly Value[];

const LOGICAL = {
  INT32: 'integer',
  INT64: 'integer',
  BYTE_ARRAY: 'string',
  BOOLEAN: 'boolean',
  DOUBLE: 'number',
} as const;

export const column = (
  name: string,
  parquet: keyof typeof LOGICAL = 'BYTE_ARRAY',
  from: string | null = null,
) => ({ name, type: LOGICAL[parquet], parquet, from }) satisfies RowColumn;

export const COLUMNS: readonly RowColumn[] = [
  column('year', 'INT32'),
  column('area_code'),
  column('area_name', 'BYTE_ARRAY', 'areas'),
  column('area_type', 'BYTE_ARRAY', 'areas'),
  column('unit_code'),
  column('group'),
  column('step', 'INT64'),
  column('open', 'BOOLEAN'),
  column('rate', 'DOUBLE'),
  column('people', 'INT64'),
  column('note'),
];

export const position = (name: string) => COLUMNS.findIndex(one => one.name === name);

const texts = Object.entries(readContracts('edge/tree/contracts')).map(([file, text]) => ({ file, text }));
const { contracts } = parseContracts(texts);
const dataset = contracts.datasets[0]!;
const valuesOf = (name: string) =>
  dataset.columns.find(one => one.name === name)?.validValues?.map(String) ?? [];

export const ORDER = dataset.grain;
export const PLACE = dataset.placeColumns;
export const KEY_COLUMNS = [...ORDER, 'open', 'rate', 'note', 'area_type'];
export const GROUPS = valuesOf('group');
export const TYPES = ['city', 'rural'];
export const LEVELS = dataset.levels;
export const FILTERS = datasetFilters(dataset, contracts, LEVELS);
export const YEARS: Readonly<Record<string, readonly number[]>> = {
  areas: [2019, 2020, 2022, 2023],
  units: [2019, 2020, 2022, 2023],
  whole: [2022],
};

const NOTES = [null, ...valuesOf('note')];
const RATES = [null, 0, 1, 0.45689739436520227, 1e-7, 1e21, 123456.789, -2.5, 0.1 + 0.2, 5e-324];

export type Area = Readonly<{ code: string; name: string; type: string | null }>;

/** Some codes sort differently by UTF-16 units and by bytes. */
export const AREAS: readonly Area[] = [
  ...Array.from({ length: 38 }, (_, i) => ({
    code: String(101 + i * 7).padStart(3, '0'),
    name: `Area ${i + 1}${i % 9 === 0 ? ', "the great"' : ''}`,
    type: i % 5 === 0 ? null : TYPES[i % 2]!,
  })),
  { code: '\ue000', name: 'Private', type: 'rural' },
  { code: '𝒳', name: 'Astral', type: 'city' },
];

const slices = new Map<string, readonly Row[]>();

/** All rows of a slice in published order. Cached: tests ask for them thousands of times. */
export function sliceRows(year: number, detail: string): readonly Row[] {
  const name = `${year}/${detail}`;
  const rows = slices.get(name) ?? makeRows(year, detail);
  slices.set(name, rows);
  return rows;
}

function makeRows(year: number, detail: string): readonly Row[] {
  const rows: Row[] = [];
  let seed = year * 31 + detail.length;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const push = (area: Area | null, unit: string | null, group: string, step: number) => {
    const rate = RATES[random(RATES.length)] ?? null;
    const people = random(7) === 0 ? null : random(2) === 0 ? 9007199254740991 - random(9) : random(5000);
    const open = random(6) === 0 ? null : random(2) === 1;
    const note = NOTES[random(NOTES.length)] ?? null;
    const { code = null, name = null, type = null } = area ?? {};
    rows.push([year, code, name, type, unit, group, step, open, rate, people, note]);
  };
  const areas = detail === 'whole' ? [null] : AREAS.filter((_, i) => (i + year) % 11 !== 0);
  const units = detail === 'units' ? (year === 2023 ? 60 : 17) : 1;
  const unitCode = (unit: number) => (detail === 'units' ? `u${String(unit).padStart(3, '0')}` : null);
  for (const area of areas)
    for (let unit = 0; unit < units; unit++)
      for (const group of GROUPS) for (const step of [1, 2]) push(area, unitCode(unit), group, step);
  return rows.sort(compareRows(ORDER.map(position)));
}

export function allRows(detail: string): readonly Row[] {
  return (YEARS[detail] ?? []).flatMap(year => sliceRows(year, detail));
}

/** Columns with the attributes that follow from them. */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  area_code: ['area_type'],
  group: [],
  step: [],
  open: [],
};

/** `years`: how many years a file has; `without`: a year that no file has. */
export function makeCopies(
  detail: string,
  order: readonly string[],
  { years: length, without }: { readonly years: number; readonly without?: number },
) {
  const years = YEARS[detail]!.filter(year => year !== without);
  const runs: (readonly number[])[] = [];
  for (let i = 0; i < years.length; i += length) runs.push(years.slice(i, i + length));
  return Object.entries(COPIED).flatMap(([column, attributes]) =>
    runs.map(run => makeCopy(detail, order, column, attributes, run)),
  );
}

function makeCopy(
  detail: string,
  order: readonly string[],
  column: string,
  attributes: readonly string[],
  years: readonly number[],
) {
  const names = [...new Set([column, ...order])];
  const rows = allRows(detail)
    .filter(row => years.includes(Number(row[0])))
    .sort(compareRows(names.map(position)));
  const having = new Map<Value, Row[]>();
  for (const row of rows) {
    const value = row[position(column)] ?? null;
    having.set(value, having.get(value) ?? []);
    having.get(value)!.push(row);
  }
  const groups = [...having.values()];
  const following = attributes.map(name => [name, groups.map(([first]) => first?.[position(name)] ?? null)]);
  const entry: Omit<CopyEntry, 'file'> = {
    detail,
    by: [column],
    years,
    rows: rows.length,
    counted: {
      values: [...having.keys()],
      rows: groups.map(held => years.map(year => held.filter(row => row[0] === year).length)),
      ...(following.length > 0 && { attributes: Object.fromEntries(following) }),
    },
  };
  return { path: `_copies/${detail}.${column}.${years[0]}.parquet`, rows, entry };
}
