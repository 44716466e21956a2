/** Writes the small tree by hand, as FORMAT.md says it must be. Parquet is DuckDB's; all else is written out here. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import type {
  ParquetFile,
  PublishedFile,
  RowColumn,
  RowGroup,
  RowsFile,
} from '../../../build/format/manifest.ts';
import { compareRows, compareValues, type Value } from '../../../site/query/order.ts';
import { makeOrders } from './orders.ts';
import {
  AREAS,
  allRows,
  COLUMNS,
  FILTERS,
  KEY_COLUMNS,
  LEVELS,
  ORDER,
  PLACE,
  type Row,
  sliceRows,
  YEARS,
} from './rows.ts';

export const MODIFIED = '2026-11-21T00:00:00Z';
export const DIMENSION_COLUMNS: readonly RowColumn[] = [
  { name: 'area_code', type: 'string', parquet: 'BYTE_ARRAY', from: null },
  { name: 'area_name', type: 'string', parquet: 'BYTE_ARRAY', from: null },
  { name: 'area_type', type: 'string', parquet: 'BYTE_ARRAY', from: null },
];

export const STAMP = {
  version: '1.2.0',
  schema_hash: 'ab'.repeat(32),
  license: 'ODC-By-1.0',
  attribution: 'Nobody “at all”',
};

export interface TreeOptions {
  readonly sample?: boolean;
  /** Slices stored as Parquet alone: the edge gives the other formats from it. */
  readonly parquetAlone?: boolean;
}

export async function writeTree(folder: string, options: TreeOptions = {}): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await new TreeWriter(folder, connection, options).write();
  connection.disconnectSync();
  instance.closeSync();
}

/** Lists every file that the folder has now. */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines: string[] = [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file);
    if (!entry.isFile() || name === 'SHA256SUMS') continue;
    lines.push(`${sha256(await readFile(file))}  ${name}\n`);
  }
  const file = join(folder, 'SHA256SUMS');
  await writeFile(file, lines.join(''));
  await utimes(file, new Date(MODIFIED), new Date(MODIFIED));
}

class TreeWriter {
  private readonly folder: string;
  private readonly connection: DuckDBConnection;
  private readonly options: TreeOptions;

  constructor(folder: string, connection: DuckDBConnection, options: TreeOptions) {
    this.folder = folder;
    this.connection = connection;
    this.options = options;
  }

  async write(): Promise<void> {
    const dataset = await this.writeDataset();
    const dimension = await this.writeDimension();
    const documents = [
      await this.document('', 'index.json', { service: 'Demo' }),
      await this.document('', 'healthz.json', { status: 'ok' }),
      await this.document('', 'api/v1/datasets/index.json', { count: 1 }),
    ];
    await this.document('', 'manifest.json', {
      release: '2026-11-21-00000000',
      date: '2026-11-21',
      datasets: [{ key: 'demo/things', release: 'datasetrel00', rows: 1, ...dataset }],
      dimensions: [
        { key: 'demo/_dimensions/areas', release: 'dimension000', rows: AREAS.length, ...dimension },
      ],
      documents,
    });
    const pages = { 'index.html': 'Demo', 'api/v1/index.html': 'api/v1', 'api/v1/demo/index.html': 'demo' };
    for (const [file, title] of Object.entries(pages))
      await this.put(file, `<!doctype html><title>${title}</title>\n`);
    await this.put('secret.txt', 'inside\n');
    await writeChecksums(this.folder);
  }

  private async writeDataset(): Promise<PublishedFile> {
    const folder = 'api/v1/demo/things';
    const schemaFolder = 'api/v1/datasets/demo/things';
    const release = 'datasetrel00';
    const slices = [];
    for (const detail of LEVELS) {
      for (const year of YEARS[detail]!) slices.push(await this.writeSlice(folder, year, detail));
    }
    slices.sort((a, b) => a.year - b.year || (a.detail < b.detail ? -1 : 1));
    const history = [];
    for (const detail of ['areas', 'units']) {
      const rows = [...allRows(detail)].sort(compareRows([...PLACE, ...ORDER].map(position)));
      const file = await this.parquet(folder, `history/${detail}.parquet`, COLUMNS, KEY_COLUMNS, rows);
      history.push({ detail, years: YEARS[detail], rows: rows.length, file });
    }
    const orders = [];
    for (const { entry, path, rows } of makeOrders('units', ORDER, { years: 2 }))
      orders.push({ ...entry, file: await this.parquet(folder, path, COLUMNS, KEY_COLUMNS, rows) });
    await this.document(schemaFolder, 'index.json', {
      release,
      detail_levels: LEVELS,
      default_detail: 'areas',
      filters: FILTERS,
    });
    const ofSchema = (file: PublishedFile) => ({ ...file, path: `../../datasets/demo/things/${file.path}` });
    const documents = [
      await this.document(folder, 'values.json', { release }),
      ofSchema(await this.file(schemaFolder, 'contract.yaml', 'kind: DataContract\n')),
      ofSchema(await this.document(schemaFolder, 'contract.json', { kind: 'DataContract' })),
    ];
    return this.document('', `${folder}/manifest.json`, {
      release,
      ...this.sample(),
      dataset: 'demo/things',
      ...STAMP,
      rows: 1,
      columns: COLUMNS,
      order: ORDER,
      place: PLACE,
      key_columns: KEY_COLUMNS,
      ...{ slices, history, orders, documents },
    });
  }

  private async writeSlice(folder: string, year: number, detail: string) {
    const rows = sliceRows(year, detail);
    const base = `year=${year}/${detail}`;
    const parquet = await this.parquet(folder, `${base}.parquet`, COLUMNS, KEY_COLUMNS, rows);
    const release = parquet.sha256.slice(0, 12);
    const head = { dataset: 'demo/things', ...this.stamp(release), detail, years: [year], filters: {} };
    const alone = this.options.parquetAlone;
    const csv = alone ? [] : [await this.csv(folder, `${base}.csv`, COLUMNS, rows)];
    const json = alone ? [] : await this.json(folder, base, head, COLUMNS, rows);
    return { year, detail, rows: rows.length, release, files: { json, csv, parquet: [parquet] } };
  }

  private async writeDimension(): Promise<PublishedFile> {
    const folder = 'api/v1/demo/_dimensions/areas';
    const release = 'dimension000';
    const rows = AREAS.map((area): Row => [area.code, area.name, area.type]).sort(compareRows([0]));
    const parquet = await this.parquet(folder, 'rows.parquet', DIMENSION_COLUMNS, ['area_code'], rows);
    const head = { dimension: 'areas', ...this.stamp(release) };
    const json = await this.json(folder, 'rows', head, DIMENSION_COLUMNS, rows);
    const csv = [await this.csv(folder, 'rows.csv', DIMENSION_COLUMNS, rows)];
    const documents = [await this.document(folder, 'schema.json', { name: 'areas' })];
    return this.document('', `${folder}/manifest.json`, {
      release,
      ...this.sample(),
      dimension: 'areas',
      ...STAMP,
      rows: rows.length,
      columns: DIMENSION_COLUMNS,
      order: ['area_code'],
      key_columns: ['area_code'],
      files: { json, csv, parquet: [parquet] },
      documents,
    });
  }

  private sample() {
    return this.options.sample ? { sample: true } : {};
  }

  private stamp(release: string) {
    const { version, schema_hash, license, attribution } = STAMP;
    return { version, schema_hash, release, license, attribution, ...this.sample() };
  }

  private async json(
    folder: string,
    base: string,
    head: object,
    columns: readonly RowColumn[],
    rows: readonly Row[],
  ): Promise<RowsFile[]> {
    const notices = this.options.sample
      ? ['Synthetic sample data: no figure here describes a real place.']
      : [];
    const pageName = (name: string, number: number) =>
      number === 1 ? `${name}.json` : `${name}.page-${number}.json`;
    const files: RowsFile[] = [];
    for (let offset = 0; offset === 0 || offset < rows.length; offset += 10_000) {
      const page = rows.slice(offset, offset + 10_000);
      const number = offset / 10_000 + 1;
      const isLast = offset + 10_000 >= rows.length;
      const next = isLast ? null : pageName(base.slice(base.lastIndexOf('/') + 1), number + 1);
      const place = { total: rows.length, offset, limit: 10_000, count: page.length, next, notices };
      const text = jsonPage({ ...head, ...place }, columns, page);
      files.push({ ...(await this.file(folder, pageName(base, number), text)), rows: page.length });
    }
    return files;
  }

  private async csv(
    folder: string,
    path: string,
    columns: readonly RowColumn[],
    rows: readonly Row[],
  ): Promise<RowsFile> {
    return { ...(await this.file(folder, path, csvText(columns, rows))), rows: rows.length };
  }

  private async parquet(
    folder: string,
    path: string,
    columns: readonly RowColumn[],
    keys: readonly string[],
    rows: readonly Row[],
  ): Promise<ParquetFile> {
    const full = join(this.folder, folder, path);
    await mkdir(dirname(full), { recursive: true });
    const source = `${full}.ndjson`;
    await writeFile(source, rows.map((row, i) => JSON.stringify([i, ...row])).join('\n'));
    const fields = columns.map(
      ({ name, parquet }, i) => `CAST(json ->> ${i + 1} AS ${TYPES[parquet]}) AS "${name}"`,
    );
    await this.connection.run(
      `COPY (SELECT ${fields.join(', ')} FROM read_json_objects('${source}', format = 'newline_delimited')
       ORDER BY CAST(json ->> 0 AS INTEGER)) TO '${full}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)`,
    );
    await rm(source);
    const published = await this.describe(folder, path);
    return { ...published, rows: rows.length, row_groups: await rowGroups(full, columns, keys, rows) };
  }

  private document(folder: string, path: string, document: object): Promise<PublishedFile> {
    return this.file(folder, path, `${JSON.stringify({ format: 'civic-tree/1.0', ...document }, null, 2)}\n`);
  }

  private async file(folder: string, path: string, text: string): Promise<PublishedFile> {
    await this.put(join(folder, path), text);
    return this.describe(folder, path);
  }

  private async put(path: string, text: string): Promise<void> {
    const full = join(this.folder, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    await utimes(full, new Date(MODIFIED), new Date(MODIFIED));
  }

  private async describe(folder: string, path: string): Promise<PublishedFile> {
    const bytes = await readFile(join(this.folder, folder, path));
    return { path, bytes: bytes.length, sha256: sha256(bytes), modified: MODIFIED };
  }
}

const TYPES: Readonly<Record<string, string>> = {
  INT32: 'INTEGER',
  INT64: 'BIGINT',
  DOUBLE: 'DOUBLE',
  BYTE_ARRAY: 'VARCHAR',
  BOOLEAN: 'BOOLEAN',
};

/** Bounds from the rows themselves; places and sizes from the footer. */
async function rowGroups(
  file: string,
  columns: readonly RowColumn[],
  keys: readonly string[],
  rows: readonly Row[],
): Promise<RowGroup[]> {
  const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(file));
  let at = 0;
  return row_groups.map(group => {
    const chunks = group.columns.map(({ meta_data }) => meta_data!);
    const held = rows.slice(at, at + Number(group.num_rows));
    at += held.length;
    const valuesOf = (key: string) =>
      held.map(row => row[columns.findIndex(({ name }) => name === key)] ?? null);
    const bounds = keys.map(key => columnBounds(valuesOf(key)));
    return {
      rows: held.length,
      start: Number(chunks[0]!.dictionary_page_offset ?? chunks[0]!.data_page_offset),
      sizes: chunks.map(chunk => Number(chunk.total_compressed_size)),
      min: bounds.map(bound => bound.min),
      max: bounds.map(bound => bound.max),
      nulls: bounds.map(bound => bound.nulls),
    };
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function position(name: string): number {
  return COLUMNS.findIndex(column => column.name === name);
}

function columnBounds(values: readonly Value[]) {
  const present = values.filter(value => value !== null).sort(compareValues);
  return { min: present[0] ?? null, max: present.at(-1) ?? null, nulls: values.length - present.length };
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
  const lines = [
    columns.map(column => column.name),
    ...rows.map(row => columns.map((_, i) => field(row[i] ?? null))),
  ];
  return lines.map(line => `${line.join(',')}\r\n`).join('');
}
