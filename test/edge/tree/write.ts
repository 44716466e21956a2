/** Writes the small tree by hand, as FORMAT.md says it must be. Parquet is DuckDB's; all else is written out here. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
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
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    lines.push(`${sha256}  ${name}\n`);
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
    const key = { datasets: 'demo/things', dimension: 'demo/_dimensions/areas' };
    await this.document('', 'manifest.json', {
      format: 'civic-tree/1.0',
      release: '2026-11-21-00000000',
      date: '2026-11-21',
      datasets: [{ key: key.datasets, release: 'datasetrel00', rows: 1, ...dataset }],
      dimensions: [{ key: key.dimension, release: 'dimension000', rows: AREAS.length, ...dimension }],
      documents,
    });
    await this.put('index.html', '<!doctype html><title>Demo</title>\n');
    await this.put('api/v1/index.html', '<!doctype html><title>api/v1</title>\n');
    await this.put('api/v1/demo/index.html', '<!doctype html><title>demo</title>\n');
    await this.put('secret.txt', 'inside\n');
    await writeChecksums(this.folder);
  }

  private async writeDataset(): Promise<PublishedFile> {
    const folder = 'api/v1/demo/things';
    const slices = [];
    for (const detail of LEVELS) {
      for (const year of YEARS[detail]!) slices.push(await this.writeSlice(folder, year, detail));
    }
    slices.sort((a, b) => a.year - b.year || (a.detail < b.detail ? -1 : 1));
    const history = [];
    for (const detail of ['areas', 'units']) {
      const positions = [...PLACE, ...ORDER].map(position);
      const rows = [...allRows(detail)].sort(compareRows(positions));
      const file = await this.parquet(folder, `history/${detail}.parquet`, COLUMNS, KEY_COLUMNS, rows, 2048);
      history.push({ detail, years: YEARS[detail], rows: rows.length, file });
    }
    const orders = [];
    for (const { entry, path, rows } of makeOrders('units', ORDER, { years: 2 })) {
      const file = await this.parquet(folder, path, COLUMNS, KEY_COLUMNS, rows, 2048);
      orders.push({ ...entry, file });
    }
    const release = 'datasetrel00';
    const schemaFolder = 'api/v1/datasets/demo/things';
    await this.document(schemaFolder, 'index.json', {
      release,
      detail_levels: LEVELS,
      default_detail: 'areas',
      filters: FILTERS,
    });
    const documents = [
      await this.document(folder, 'values.json', { release }),
      {
        ...(await this.file(schemaFolder, 'contract.yaml', 'kind: DataContract\n')),
        path: '../../datasets/demo/things/contract.yaml',
      },
      {
        ...(await this.document(schemaFolder, 'contract.json', { kind: 'DataContract' })),
        path: '../../datasets/demo/things/contract.json',
      },
    ];
    return this.document('', `${folder}/manifest.json`, {
      format: 'civic-tree/1.0',
      release,
      ...this.sample(),
      dataset: 'demo/things',
      ...STAMP,
      rows: 1,
      columns: COLUMNS,
      order: ORDER,
      place: PLACE,
      key_columns: KEY_COLUMNS,
      slices,
      history,
      orders,
      documents,
    });
  }

  private async writeSlice(folder: string, year: number, detail: string) {
    const rows = sliceRows(year, detail);
    const base = `year=${year}/${detail}`;
    const parquet = await this.parquet(folder, `${base}.parquet`, COLUMNS, KEY_COLUMNS, rows, 2048);
    const release = parquet.sha256.slice(0, 12);
    const head = {
      dataset: 'demo/things',
      ...stamp(release, this.options),
      detail,
      years: [year],
      filters: {},
    };
    const alone = this.options.parquetAlone;
    const csv = alone ? [] : [await this.csv(folder, `${base}.csv`, COLUMNS, rows)];
    const json = alone ? [] : await this.json(folder, base, head, COLUMNS, rows, this.notices());
    return { year, detail, rows: rows.length, release, files: { json, csv, parquet: [parquet] } };
  }

  private async writeDimension(): Promise<PublishedFile> {
    const folder = 'api/v1/demo/_dimensions/areas';
    const rows = AREAS.map((area): Row => [area.code, area.name, area.type]).sort(compareRows([0]));
    const parquet = await this.parquet(folder, 'rows.parquet', DIMENSION_COLUMNS, ['area_code'], rows, 2048);
    const release = 'dimension000';
    const head = { dimension: 'areas', ...stamp(release, this.options) };
    const json = await this.json(folder, 'rows', head, DIMENSION_COLUMNS, rows, this.notices());
    const csv = [await this.csv(folder, 'rows.csv', DIMENSION_COLUMNS, rows)];
    const documents = [await this.document(folder, 'schema.json', { name: 'areas' })];
    return this.document('', `${folder}/manifest.json`, {
      format: 'civic-tree/1.0',
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

  private notices(): string[] {
    return this.options.sample ? ['Synthetic sample data: no figure here describes a real place.'] : [];
  }

  private async json(
    folder: string,
    base: string,
    head: object,
    columns: readonly RowColumn[],
    rows: readonly Row[],
    notices: readonly string[],
  ): Promise<RowsFile[]> {
    const files: RowsFile[] = [];
    const name = base.slice(base.lastIndexOf('/') + 1);
    for (let offset = 0; offset === 0 || offset < rows.length; offset += 10_000) {
      const page = rows.slice(offset, offset + 10_000);
      const number = offset / 10_000 + 1;
      const next = offset + 10_000 < rows.length ? `${name}.page-${number + 1}.json` : null;
      const text = jsonPage(
        { ...head, total: rows.length, offset, limit: 10_000, count: page.length, next, notices },
        columns,
        page,
      );
      const path = number === 1 ? `${base}.json` : `${base}.page-${number}.json`;
      files.push({ ...(await this.file(folder, path, text)), rows: page.length });
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
    size: number,
  ): Promise<ParquetFile> {
    const types = {
      INT32: 'INTEGER',
      INT64: 'BIGINT',
      DOUBLE: 'DOUBLE',
      BYTE_ARRAY: 'VARCHAR',
      BOOLEAN: 'BOOLEAN',
    };
    const full = join(this.folder, folder, path);
    await mkdir(dirname(full), { recursive: true });
    const source = `${full}.ndjson`;
    await writeFile(source, rows.map((row, i) => JSON.stringify([i, ...row])).join('\n'));
    const fields = columns.map(
      (column, i) => `CAST(json ->> ${i + 1} AS ${types[column.parquet]}) AS "${column.name}"`,
    );
    const quoted = `'${source}'`;
    await this.connection.run(
      `COPY (SELECT ${fields.join(', ')} FROM read_json_objects(${quoted}, format = 'newline_delimited')
       ORDER BY CAST(json ->> 0 AS INTEGER)) TO '${full}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${size})`,
    );
    await writeFile(source, '');
    const { rm } = await import('node:fs/promises');
    await rm(source);
    const groups = await this.rowGroups(full, columns, keys, rows);
    const published = await this.describe(folder, path);
    return { ...published, rows: rows.length, row_groups: groups };
  }

  private async rowGroups(
    full: string,
    columns: readonly RowColumn[],
    keys: readonly string[],
    rows: readonly Row[],
  ): Promise<RowGroup[]> {
    const reader = await this.connection.runAndReadAll(
      `SELECT row_group_id::INTEGER AS g, row_group_num_rows::INTEGER AS n, total_compressed_size::INTEGER AS size,
              coalesce(dictionary_page_offset, data_page_offset)::INTEGER AS start
       FROM parquet_metadata('${full}') ORDER BY row_group_id, column_id`,
    );
    const chunks = reader.getRowObjects() as unknown as {
      g: number;
      n: number;
      size: number;
      start: number;
    }[];
    const groups: RowGroup[] = [];
    let at = 0;
    for (let i = 0; i < chunks.length; i += columns.length) {
      const group = chunks.slice(i, i + columns.length);
      const held = rows.slice(at, at + group[0]!.n);
      at += held.length;
      const bounds = keys.map(key =>
        columnBounds(held.map(row => row[columns.findIndex(column => column.name === key)] ?? null)),
      );
      groups.push({
        rows: held.length,
        start: group[0]!.start,
        sizes: group.map(chunk => chunk.size),
        min: bounds.map(bound => bound.min),
        max: bounds.map(bound => bound.max),
        nulls: bounds.map(bound => bound.nulls),
      });
    }
    return groups;
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
    return {
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      modified: MODIFIED,
    };
  }
}

function stamp(release: string, { sample }: TreeOptions) {
  const { version, schema_hash, license, attribution } = STAMP;
  return { version, schema_hash, release, license, attribution, ...(sample && { sample: true }) };
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
