/**
 * The alternative to the edge: the same API as a live service, Fastify in front of DuckDB, over the same Parquet. It
 * pools connections, keeps prepared statements, chooses files by level and year, lets DuckDB cache footers, and sends
 * the same envelope and pages. It answers only facts, without place= and as_of=, since nothing else is measured. It
 * shares no code with the edge, so a faster edge doesn't make it faster. `node live-service.js TREE` prints its address.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBValue,
} from '@duckdb/node-api';
import { fastify } from 'fastify';
import type { SchemaDocument } from '../../build/format/documents.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';

const PAGE = 10_000;
const CONNECTIONS = 4;

type Query = Readonly<Record<string, string>>;

interface Dataset {
  readonly manifest: DatasetManifest;
  readonly schema: SchemaDocument;
  readonly folder: string;
}

type Question = ReturnType<typeof ask>;

/** A connection with its prepared statements. It answers one question at a time. */
interface Worker {
  readonly connection: DuckDBConnection;
  readonly prepared: Map<string, DuckDBPreparedStatement>;
}

const instance = await DuckDBInstance.create(':memory:', { threads: '2', enable_object_cache: 'true' });
const idle: Worker[] = [];
for (let i = 0; i < CONNECTIONS; i++)
  idle.push({ connection: await instance.connect(), prepared: new Map() });
const waiting: ((worker: Worker) => void)[] = [];

function ask({ manifest, schema, folder }: Dataset, query: Query) {
  const detail = query.detail ?? schema.default_detail;
  const [least, most] = [query.year ?? query.year_min ?? 0, query.year ?? query.year_max ?? 9999].map(Number);
  const slices = manifest.slices.filter(
    slice => slice.detail === detail && slice.year >= least! && slice.year <= most!,
  );
  const types = new Map(manifest.columns.map(({ name, type }) => [name, type]));
  const where: string[] = [];
  const values: DuckDBValue[] = [];
  const filters: Record<string, readonly string[]> = {};
  for (const { param, kind, column = '', bound } of schema.filters) {
    const input = query[param];
    if (input === undefined || /^(year|detail)/.test(kind)) continue;
    const items = kind === 'range' ? [input] : [...new Set(input.split(','))].sort();
    const places = items.map(item => `$${values.push(convert(item, types.get(column)))}`);
    filters[param] = items;
    where.push(
      kind === 'range'
        ? `"${column}" ${bound === 'min' ? '>=' : '<='} ${places}`
        : `"${column}" IN (${places})`,
    );
  }
  const [offset, limit] = [Number(query.offset ?? 0), Number(query.limit ?? PAGE)];
  const files = slices.map(slice => `'${path.join(folder, slice.files.parquet[0]!.path)}'`);
  const columns = manifest.columns.map(({ name, type }) =>
    type === 'integer' ? `"${name}"::DOUBLE AS "${name}"` : `"${name}"`,
  );
  const from =
    files.length === 0
      ? `(SELECT ${[...types.keys()].map(name => `NULL AS "${name}"`)}) WHERE false`
      : `read_parquet([${files}], hive_partitioning = false) WHERE ${where.join(' AND ') || 'true'}`;
  const order = manifest.order.map(column => `"${column}" NULLS FIRST`);
  // One row more than a page, to see if any follow.
  const rows = query.format === 'csv' ? limit : limit + 1;
  const total = where.length > 0 ? null : slices.reduce((sum, slice) => sum + slice.rows, 0);
  return {
    sql: `SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT $${values.push(rows)} OFFSET $${values.push(offset)}`,
    values,
    page: { detail, years: slices.map(slice => slice.year), filters, total, offset, limit },
  };
}

function convert(item: string, type: string | undefined): DuckDBValue {
  if (type === 'integer' || type === 'number') return Number(item);
  return type === 'boolean' ? item === 'true' : item;
}

async function readColumns({ sql, values }: Question) {
  const worker = idle.pop() ?? (await new Promise<Worker>(done => waiting.push(done)));
  try {
    const statement = worker.prepared.get(sql) ?? (await worker.connection.prepare(sql));
    worker.prepared.set(sql, statement);
    statement.bind(values);
    return (await statement.runAndReadAll()).getColumnsJS();
  } finally {
    const next = waiting.shift() ?? (one => idle.push(one));
    next(worker);
  }
}

async function answerJson({ manifest }: Dataset, question: Question, url: string): Promise<string> {
  const columns = await readColumns(question);
  const { dataset, version, schema_hash, release, license, attribution } = manifest;
  const { total, offset, limit } = question.page;
  const found = columns[0]?.length ?? 0;
  const count = Math.min(found, limit);
  const following = new URL(url, 'http://live.test');
  following.searchParams.set('offset', String(offset + limit));
  const next = found > limit ? following.pathname + following.search : null;
  const head = JSON.stringify({
    ...{ dataset, version, schema_hash, release, license, attribution, ...question.page },
    ...{ total: total ?? (next === null ? offset + count : null), count, next, notices: [] },
  });
  const names = manifest.columns.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  let rows = '';
  for (let row = 0; row < count; row++) {
    for (const [i, column] of columns.entries()) {
      const value = column[row];
      rows += names[i] + (typeof value === 'string' ? JSON.stringify(value) : String(value));
    }
    rows += row === count - 1 ? '}' : '},\n';
  }
  return `${head.slice(0, -1)},"data":[${rows}]}`;
}

/** On a connection of its own, which it holds until the client has all rows. */
async function* streamCsv({ manifest }: Dataset, { sql, values }: Question): AsyncGenerator<string> {
  yield `${manifest.columns.map(({ name }) => name)}\r\n`;
  const field = (value: DuckDBValue) => {
    if (value === null) return '';
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const connection = await instance.connect();
  try {
    for await (const rows of (await connection.stream(sql, values)).yieldRows())
      yield rows.map(row => `${row.map(field)}\r\n`).join('');
  } finally {
    connection.closeSync();
  }
}

const tree = path.resolve(process.argv[2] ?? '');
const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
const server = fastify({ exposeHeadRoutes: false });
for (const { key, path: file } of ((await read('manifest.json')) as TreeManifest).datasets) {
  const manifest: DatasetManifest = await read(file);
  const schema: SchemaDocument = await read(`api/v1/datasets/${key}/index.json`);
  const dataset = { manifest, schema, folder: path.join(tree, path.dirname(file)) };
  server.get<{ Querystring: Query }>(`/api/v1/${key}`, async (request, reply) => {
    const question = ask(dataset, request.query);
    if (request.query.format === 'csv')
      return reply.type('text/csv; charset=utf-8').send(Readable.from(streamCsv(dataset, question)));
    return reply.type('application/json').send(await answerJson(dataset, question, request.url));
  });
}
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
