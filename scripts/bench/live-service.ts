/**
 * The alternative: the same API as a live service, Fastify in front of DuckDB, over the same Parquet. It pools
 * connections, keeps prepared statements, chooses files by level and year, lets DuckDB cache footers, and sends the same
 * envelope and pages. It serves facts only, which is all that the measurement asks.
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
import { type FastifyInstance, fastify } from 'fastify';
import type { ColumnType } from '../../build/format/documents.ts';
import { pageHead, pageTail, ROW_SEPARATOR } from '../../build/format/envelope.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import { encodeCsvHeader, lineEncoder } from '../../site/query/encode.ts';
import type { Value } from '../../site/query/order.ts';

const PAGE = 10_000;
const CONNECTIONS = 4;

type Query = Readonly<Record<string, string>>;

interface Dataset {
  readonly manifest: DatasetManifest;
  readonly schema: SchemaDocument;
  readonly folder: string;
}

interface Question {
  readonly sql: string;
  readonly values: readonly DuckDBValue[];
  readonly detail: string;
  readonly years: readonly number[];
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly offset: number;
  readonly limit: number | null;
  readonly total: number | null;
}

interface Worker {
  readonly connection: DuckDBConnection;
  readonly prepared: Map<string, DuckDBPreparedStatement>;
}

/** One statement for each form of question. The oldest are dropped. */
const MOST_PREPARED = 200;

class Pool {
  private readonly idle: Worker[] = [];
  private readonly waiting: ((worker: Worker) => void)[] = [];

  static async open(): Promise<Pool> {
    const pool = new Pool();
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
    for (let i = 0; i < CONNECTIONS; i++) {
      const connection = await instance.connect();
      if (i === 0) await connection.run('SET enable_object_cache = true');
      pool.idle.push({ connection, prepared: new Map() });
    }
    return pool;
  }

  async use<Result>(work: (worker: Worker) => Promise<Result>): Promise<Result> {
    const worker = this.idle.pop() ?? (await new Promise<Worker>(done => this.waiting.push(done)));
    try {
      return await work(worker);
    } finally {
      const next = this.waiting.shift();
      if (next) next(worker);
      else this.idle.push(worker);
    }
  }
}

async function prepare(
  { connection, prepared }: Worker,
  { sql, values }: Question,
): Promise<DuckDBPreparedStatement> {
  let statement = prepared.get(sql);
  if (!statement) {
    statement = await connection.prepare(sql);
    const [oldest] = prepared.keys();
    if (prepared.size >= MOST_PREPARED && oldest !== undefined) {
      prepared.get(oldest)?.destroySync();
      prepared.delete(oldest);
    }
    prepared.set(sql, statement);
  }
  statement.bind([...values]);
  return statement;
}

export async function createLiveService(tree: string): Promise<FastifyInstance> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(tree, file), 'utf8'));
  const root: TreeManifest = await read('manifest.json');
  const pool = await Pool.open();
  const server = fastify({ exposeHeadRoutes: false });
  for (const { key, path: file } of root.datasets) {
    const manifest: DatasetManifest = await read(file);
    const schema: SchemaDocument = await read(`api/v1/datasets/${key}/index.json`);
    const dataset = { manifest, schema, folder: path.join(tree, path.dirname(file)) };
    server.get<{ Querystring: Query }>(`/api/v1/${key}`, async (request, reply) => {
      const question = ask(dataset, request.query);
      if ('problem' in question) return reply.code(422).send({ detail: [question.problem] });
      if (request.query.format === 'csv') {
        reply.type('text/csv; charset=utf-8');
        return reply.send(Readable.from(streamCsv(pool, dataset, question)));
      }
      reply.type('application/json');
      return reply.send(await answerJson(pool, dataset, question, request.url));
    });
  }
  return server;
}

function ask({ manifest, schema, folder }: Dataset, query: Query): Question | { problem: object } {
  const named = new Map(schema.filters.map(filter => [filter.param, filter]));
  for (const [name, input] of Object.entries(query)) {
    const known = named.has(name) || ['limit', 'offset', 'format'].includes(name);
    if (!known || typeof input !== 'string')
      return { problem: { type: 'extra_forbidden', loc: ['query', name], input } };
  }
  const detail = query.detail ?? schema.default_detail;
  const number = (name: string): number | null => (query[name] === undefined ? null : Number(query[name]));
  const [year, min, max] = [number('year'), number('year_min'), number('year_max')];
  const slices = manifest.slices.filter(
    slice =>
      slice.detail === detail &&
      (year === null || slice.year === year) &&
      (min === null || slice.year >= min) &&
      (max === null || slice.year <= max),
  );
  const typeOf = (name: string | undefined) => manifest.columns.find(column => column.name === name)?.type;
  const where: string[] = [];
  const values: DuckDBValue[] = [];
  const filters: Record<string, readonly string[]> = {};
  for (const filter of schema.filters) {
    const input = query[filter.param];
    if (input === undefined || /^(year|detail)/.test(filter.kind)) continue;
    const place = (item: string) => `$${values.push(convert(item, typeOf(filter.column)))}`;
    if (filter.kind === 'range') {
      filters[filter.param] = [input];
      where.push(`"${filter.column}" ${filter.bound === 'min' ? '>=' : '<='} ${place(input)}`);
      continue;
    }
    const items = [...new Set(input.split(','))].sort();
    filters[filter.param] = items;
    where.push(`"${filter.column}" IN (${items.map(place).join(', ')})`);
  }
  const limit = number('limit') ?? (query.format === 'csv' ? null : PAGE);
  const offset = number('offset') ?? 0;
  const files = slices.map(slice => `'${path.join(folder, slice.files.parquet[0]!.path)}'`);
  const columns = manifest.columns.map(column => `"${column.name}"`).join(', ');
  const order = manifest.order.map(column => `"${column}" NULLS FIRST`).join(', ');
  const from =
    files.length === 0
      ? `(SELECT ${columns} FROM (VALUES (NULL)) WHERE false)`
      : `read_parquet([${files}], hive_partitioning = false)`;
  const page = limit === null ? '' : ` LIMIT $${values.push(limit + 1)} OFFSET $${values.push(offset)}`;
  return {
    sql: `SELECT ${columns} FROM ${from}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} ORDER BY ${order}${page}`,
    values,
    detail,
    years: slices.map(slice => slice.year),
    filters,
    offset,
    limit,
    total: where.length > 0 ? null : slices.reduce((sum, slice) => sum + slice.rows, 0),
  };
}

function convert(item: string, type: ColumnType | undefined): DuckDBValue {
  if (type === 'integer' || type === 'number') return Number(item);
  return type === 'boolean' ? item === 'true' : item;
}

const plain = (value: unknown): Value => (typeof value === 'bigint' ? Number(value) : (value as Value));

async function answerJson(
  pool: Pool,
  { manifest }: Dataset,
  question: Question,
  url: string,
): Promise<string> {
  const columns = await pool.use(async worker => {
    const reader = await (await prepare(worker, question)).runAndReadAll();
    return reader.getColumnsJS().map(column => column.map(plain));
  });
  const limit = question.limit ?? PAGE;
  const found = columns[0]?.length ?? 0;
  const count = Math.min(found, limit);
  const lines = lineEncoder(manifest.columns, 'json')(columns, 0, count);
  const { version, schema_hash, release, license, attribution } = manifest;
  const { detail, years, filters, offset, total } = question;
  const following = new URL(url, 'http://live.test');
  following.searchParams.set('offset', String(offset + limit));
  const next = found > limit ? following.pathname + following.search : null;
  const known = total ?? (next === null ? offset + count : null);
  const stamp = { version, schema_hash, release, license, attribution };
  const paging = { total: known, offset, limit, count, next, notices: [] };
  const head = pageHead({ dataset: manifest.dataset, ...stamp, detail, years, filters, ...paging });
  return head + (count === 0 ? '' : lines.slice(0, -ROW_SEPARATOR.length)) + pageTail(count);
}

/** Keeps one connection until its reader has all rows. */
async function* streamCsv(pool: Pool, { manifest }: Dataset, question: Question): AsyncGenerator<string> {
  yield encodeCsvHeader(manifest.columns);
  const encode = lineEncoder(manifest.columns, 'csv');
  let release = (): void => undefined;
  const held = new Promise<void>(done => {
    release = done;
  });
  const worker = await new Promise<Worker>((done, fail) => {
    pool
      .use(async one => {
        done(one);
        await held;
      })
      .catch(fail);
  });
  try {
    const result = await (await prepare(worker, question)).stream();
    for (
      let chunk = await result.fetchChunk();
      chunk && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      const columns = chunk.getColumns().map(column => column.map(plain));
      yield encode(columns, 0, chunk.rowCount);
    }
  } finally {
    release();
  }
}
