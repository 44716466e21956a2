/** The small dataset as a prepared table, with made-up files: planning needs no bytes. */
import { NO_TEXTS } from '../../build/format/documents.ts';
import type { ParquetFile, RowGroup, RowsFile, SliceFiles } from '../../build/format/manifest.ts';
import { compareRows, compareValues, type Value } from '../../site/query/order.ts';
import type { Plan } from '../../site/query/plan.ts';
import { planRequest } from '../../site/query/plan.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request.ts';
import type { Table } from '../../site/query/table.ts';
import { prepareDataset } from '../../site/query/table.ts';
import {
  allRows,
  COLUMNS,
  FILTERS,
  KEY_COLUMNS,
  LEVELS,
  makeCopies,
  ORDER,
  PLACE,
  position,
  type Row,
  sliceRows,
  YEARS,
} from '../edge/tree/rows.ts';

export interface TableOptions {
  readonly groupRows?: number;
  readonly copyGroupRows?: number;
  /** Columns of the grain, in another order. */
  readonly order?: readonly string[];
  /** Row groups have no bounds. */
  readonly withoutBounds?: boolean;
  readonly withoutText?: boolean;
  /** Files of rows by the values of columns; none if absent. */
  readonly byValues?: Parameters<typeof makeCopies>[2];
}

/** The rows of every made-up file, by path. */
export type StoredRows = Map<string, readonly Row[]>;

export interface TestTable {
  readonly table: Table;
  readonly stored: StoredRows;
}

const FOLDER = 'api/v1/demo/things';

export function planQuery(table: Table, query: string): Plan {
  const parsed = parseRequest(table, parseQuery(query)!);
  if (!('request' in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return planRequest(table, parsed.request);
}

export function makeTable(options: TableOptions = {}): TestTable {
  const { groupRows = 64, copyGroupRows = 48, order = ORDER } = options;
  const stored: StoredRows = new Map();
  const store = (path: string, rows: readonly Row[], bytes: number): RowsFile => {
    stored.set(`${FOLDER}/${path}`, rows);
    return { path, bytes, sha256: path, modified: '2026-11-21T00:00:00Z', rows: rows.length };
  };
  const parquet = (path: string, rows: readonly Row[], size: number): ParquetFile => {
    const row_groups = chunk(rows, size).map(group => describeGroup(group, options.withoutBounds === true));
    return { ...store(path, rows, rows.length * 20), row_groups };
  };
  const sorted = (rows: readonly Row[], names: readonly string[]) =>
    [...rows].sort(compareRows(names.map(position)));
  const slices = LEVELS.flatMap(detail =>
    YEARS[detail]!.map(year => {
      const rows = sorted(sliceRows(year, detail), order);
      const base = `year=${year}/${detail}`;
      const pages = rows.length === 0 ? [[]] : chunk(rows, 10_000);
      const files: SliceFiles = {
        ...NO_TEXTS,
        ...(!options.withoutText && {
          json: pages.map((page, i) => store(`${base}.${i}.json`, page, page.length * 90)),
          csv: [store(`${base}.csv`, rows, rows.length * 50)],
        }),
        parquet: [parquet(`${base}.parquet`, rows, groupRows)],
      };
      return { year, detail, rows: rows.length, release: `${detail}${year}`, files };
    }),
  );
  const byPlace = ['areas', 'units'].map(detail => {
    const rows = sorted(allRows(detail), [...PLACE, ...order]);
    const file = parquet(`_copies/${detail}.parquet`, rows, copyGroupRows);
    return { detail, by: PLACE, years: YEARS[detail]!, rows: rows.length, file };
  });
  const byValues = (options.byValues ? ['areas', 'units'] : []).flatMap(detail =>
    makeCopies(detail, order, options.byValues!).map(({ entry, path, rows }) => ({
      ...entry,
      file: parquet(path, rows, copyGroupRows),
    })),
  );
  const stamp = { format: 'civic-tree/2.1', release: 'release00000' };
  const manifest = {
    ...{
      ...stamp,
      dataset: 'demo/things',
      version: '1.0.0',
      schema_hash: '00',
      license: null,
      attribution: null,
    },
    ...{ rows: 0, columns: COLUMNS, order, place: PLACE, key_columns: KEY_COLUMNS },
    ...{ slices, copies: [...byPlace, ...byValues], documents: [] },
  };
  const schema = { ...stamp, detail_levels: LEVELS, default_detail: 'areas', filters: FILTERS } as never;
  return { table: prepareDataset(FOLDER, manifest, schema), stored };
}

function describeGroup(rows: readonly Row[], withoutBounds: boolean): RowGroup {
  const columns = KEY_COLUMNS.map(name => rows.map(row => row[position(name)] ?? null));
  const present = columns.map(values =>
    values.filter((value): value is Exclude<Value, null> => value !== null).sort(compareValues),
  );
  return {
    rows: rows.length,
    start: 4,
    sizes: [rows.length * 19],
    min: withoutBounds ? [] : present.map(values => values[0] ?? null),
    max: withoutBounds ? [] : present.map(values => values.at(-1) ?? null),
    nulls: present.map(values => rows.length - values.length),
  };
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
