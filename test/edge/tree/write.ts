/**
 * Writes the small tree by hand as FORMAT.md says. DuckDB writes Parquet; everything else is written here.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { ParquetFile, PublishedFile, RowColumn, RowsFile } from '../../../build/format/manifest.ts';
import { readRowGroups } from '../../../build/slice/rows-writer.ts';
import { compareRows, type Value } from '../../../site/query/order.ts';
import { duckdb } from '../../publishers/publisher-folder.ts';
import {
  AREAS,
  allRows,
  COLUMNS,
  column,
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
} from './rows.ts';

const MODIFIED = '2026-11-21T00:00:00Z';
const DIMENSION_COLUMNS = ['area_code', 'area_name', 'area_type'].map(name => column(name));

export const STAMP = {
  version: '1.2.0',
  schema_hash: 'ab'.repeat(32),
  license: 'ODC-By-1.0',
  attribution: 'Nobody “at all”',
};

export interface TreeOptions {
  readonly sample?: boolean;
  /** Slices are stored only as Parquet; the edge makes the other formats from it. */
  readonly parquetAlone?: boolean;
}

/** Columns and rows of one kind, and the columns whose bounds are published. */
type Shape = readonly [columns: readonly RowColumn[], keys: readonly string[]];
const THINGS: Shape = [COLUMNS, KEY_COLUMNS];
const AREA: Shape = [DIMENSION_COLUMNS, ['area_code']];

/** Lists every file of the folder. */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines: string[] = [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file);
    if (!entry.isFile() || name === 'SHA256SUMS') continue;
    lines.push(`${sha256(await readFile(file))}  ${name}\n`);
  }
  await put(folder, 'SHA256SUMS', lines.join(''));
}

export async function writeTree(root: string, { sample, parquetAlone }: TreeOptions = {}): Promise<void> {
  const sampled = sample ? { sample: true } : {};
  const notices = sample ? ['Synthetic sample data: no figure here describes a real place.'] : [];

  const file = async (folder: string, path: string, text: string): Promise<PublishedFile> => {
    await put(root, join(folder, path), text);
    return describe(root, folder, path);
  };
  const document = (folder: string, path: string, fields: object) =>
    file(folder, path, `${JSON.stringify({ format: 'civic-tree/2.0', ...fields }, null, 2)}\n`);

  const json = async (folder: string, base: string, head: object, [columns]: Shape, rows: readonly Row[]) => {
    const pageName = (name: string, number: number) => `${name}${number === 1 ? '' : `.page-${number}`}.json`;
    const files: RowsFile[] = [];
    for (let offset = 0; offset === 0 || offset < rows.length; offset += 10_000) {
      const page = rows.slice(offset, offset + 10_000);
      const number = offset / 10_000 + 1;
      const next = offset + 10_000 >= rows.length ? null : pageName(basename(base), number + 1);
      const place = { total: rows.length, offset, limit: 10_000, count: page.length, next, notices };
      const text = jsonPage({ ...head, ...place }, columns, page);
      files.push({ ...(await file(folder, pageName(base, number), text)), rows: page.length });
    }
    return files;
  };

  const csv = async (folder: string, path: string, [columns]: Shape, rows: readonly Row[]) => ({
    ...(await file(folder, path, csvText(columns, rows))),
    rows: rows.length,
  });

  const parquet = async (
    folder: string,
    path: string,
    [columns, keys]: Shape,
    rows: readonly Row[],
  ): Promise<ParquetFile> => {
    const full = join(root, folder, path);
    const source = `${full}.ndjson`;
    await put(root, relative(root, source), rows.map((row, i) => JSON.stringify([i, ...row])).join('\n'));
    const fields = columns.map(
      ({ name, parquet }, i) => `CAST(json ->> ${i + 1} AS ${TYPES[parquet]}) AS "${name}"`,
    );
    await duckdb(
      `COPY (SELECT ${fields.join(', ')} FROM read_json_objects('${source}', format = 'newline_delimited')
       ORDER BY CAST(json ->> 0 AS INTEGER)) TO '${full}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
    );
    await rm(source);
    const stored = columns.map(one => ({ column: one }) as never);
    const { groups } = await readRowGroups(full, stored, keys);
    return { ...(await describe(root, folder, path)), rows: rows.length, row_groups: groups };
  };

  const writeSlice = async (folder: string, year: number, detail: string) => {
    const rows = sliceRows(year, detail);
    const base = `year=${year}/${detail}`;
    const whole = await parquet(folder, `${base}.parquet`, THINGS, rows);
    const release = whole.sha256.slice(0, 12);
    const { version, schema_hash, ...terms } = STAMP;
    const stamp = { dataset: 'demo/things', version, schema_hash, release, ...terms, ...sampled };
    const head = { ...stamp, detail, years: [year], filters: {} };
    const files = {
      json: parquetAlone ? [] : await json(folder, base, head, THINGS, rows),
      csv: parquetAlone ? [] : [await csv(folder, `${base}.csv`, THINGS, rows)],
      parquet: [whole],
    };
    return { year, detail, rows: rows.length, release, files };
  };

  const writeDataset = async (): Promise<PublishedFile> => {
    const [folder, ofSchema] = ['api/v1/demo/things', 'api/v1/datasets/demo/things'];
    const release = 'datasetrel00';
    const slices = [];
    for (const detail of LEVELS)
      for (const year of YEARS[detail]!) slices.push(await writeSlice(folder, year, detail));
    slices.sort((a, b) => a.year - b.year || (a.detail < b.detail ? -1 : 1));
    const copies = [];
    for (const detail of ['areas', 'units']) {
      const rows = [...allRows(detail)].sort(compareRows([...PLACE, ...ORDER].map(position)));
      const whole = await parquet(folder, `_copies/${detail}.parquet`, THINGS, rows);
      copies.push({ detail, by: PLACE, years: YEARS[detail], rows: rows.length, file: whole });
    }
    for (const { entry, path, rows } of makeCopies('units', ORDER, { years: 2 }))
      copies.push({ ...entry, file: await parquet(folder, path, THINGS, rows) });
    const levels = { detail_levels: LEVELS, default_detail: 'areas', filters: FILTERS };
    await document(ofSchema, 'index.json', { release, ...levels });
    const contracts = [
      await file(ofSchema, 'contract.yaml', 'kind: DataContract\n'),
      await document(ofSchema, 'contract.json', { kind: 'DataContract' }),
    ].map(one => ({ ...one, path: `../../datasets/demo/things/${one.path}` }));
    const documents = [await document(folder, 'values.json', { release }), ...contracts];
    return document('', `${folder}/manifest.json`, {
      ...{ release, ...sampled, dataset: 'demo/things', ...STAMP, rows: 1 },
      ...{ columns: COLUMNS, order: ORDER, place: PLACE, key_columns: KEY_COLUMNS },
      ...{ slices, copies, documents },
    });
  };

  const writeDimension = async (): Promise<PublishedFile> => {
    const folder = 'api/v1/demo/_dimensions/areas';
    const release = 'dimension000';
    const rows = AREAS.map((area): Row => [area.code, area.name, area.type]).sort(compareRows([0]));
    const { version, schema_hash, ...terms } = STAMP;
    const head = { dimension: 'areas', version, schema_hash, release, ...terms, ...sampled };
    const files = {
      json: await json(folder, 'rows', head, AREA, rows),
      csv: [await csv(folder, 'rows.csv', AREA, rows)],
      parquet: [await parquet(folder, 'rows.parquet', AREA, rows)],
    };
    const documents = [await document(folder, 'schema.json', { name: 'areas' })];
    return document('', `${folder}/manifest.json`, {
      ...{ release, ...sampled, dimension: 'areas', ...STAMP, rows: rows.length },
      ...{ columns: DIMENSION_COLUMNS, order: ['area_code'], key_columns: ['area_code'], files, documents },
    });
  };

  const datasets = [{ key: 'demo/things', release: 'datasetrel00', rows: 1, ...(await writeDataset()) }];
  const areas = { key: 'demo/_dimensions/areas', release: 'dimension000', rows: AREAS.length };
  const dimensions = [{ ...areas, ...(await writeDimension()) }];
  const documents = [
    await document('', 'index.json', { service: 'Demo' }),
    await document('', 'healthz.json', { status: 'ok' }),
    await document('', 'api/v1/datasets/index.json', { count: 1 }),
  ];
  const release = { release: '2026-11-21-00000000', date: '2026-11-21' };
  await document('', 'manifest.json', { ...release, datasets, dimensions, documents });
  for (const name of ['index.html', '404.html', 'api/v1/index.html', 'api/v1/demo/index.html'])
    await put(root, name, `<!doctype html><title>${name}</title>\n`);
  await put(root, 'secret.txt', 'inside\n');
  await writeChecksums(root);
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ INT32: 'INTEGER', INT64: 'BIGINT', DOUBLE: 'DOUBLE', BYTE_ARRAY: 'VARCHAR', BOOLEAN: 'BOOLEAN' },
};

async function put(root: string, path: string, text: string): Promise<void> {
  const full = join(root, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, text);
  await utimes(full, new Date(MODIFIED), new Date(MODIFIED));
}

async function describe(root: string, folder: string, path: string): Promise<PublishedFile> {
  const bytes = await readFile(join(root, folder, path));
  return { path, bytes: bytes.length, sha256: sha256(bytes), modified: MODIFIED };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function jsonPage(head: object, columns: readonly RowColumn[], rows: readonly Row[]): string {
  const lines = rows.map(row =>
    JSON.stringify(Object.fromEntries(columns.map((column, i) => [column.name, row[i] ?? null]))),
  );
  return `${JSON.stringify(head).slice(0, -1)},"data":[\n${lines.join(',\n')}${lines.length > 0 ? '\n' : ''}]}\n`;
}

export function csvText(columns: readonly RowColumn[], rows: readonly Row[]): string {
  const field = (value: Value) => {
    if (value === null) return '';
    const text = String(value);
    return text === '' || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const cells = rows.map(row => columns.map((_, i) => field(row[i] ?? null)));
  return [columns.map(column => column.name), ...cells].map(line => `${line.join(',')}\r\n`).join('');
}
