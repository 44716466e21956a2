/** Runs DuckDB-WASM in this thread: starts it, locks it, and lets statements be cancelled. */

import { createDuckDB, DEFAULT_RUNTIME, type DuckDBBindings, VoidLogger } from '@duckdb/duckdb-wasm/blocking';
import {
  Bool,
  type Data,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchReader,
  Schema,
  Struct,
  Table,
  Type,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { ColumnType } from '../../../build/format/documents.ts';
import { toStream } from '../../edge/answer.ts';
import { type Found, HostError, watchedFetch } from '../../edge/files/watched-fetch.ts';
import type { ColumnValues } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import { EngineError, type Progress } from './engine.ts';
import { PackedBuilder, type PackedColumn, type PackedTable } from './packed-table.ts';

/** A browser on a phone gives a tab little more. */
const MEMORY_LIMIT = '768MB';

/** Milliseconds of computing between checks for a cancellation. */
const PATIENCE = 30;

/** Locks DuckDB: it can no longer fetch, read or load anything. */
const SETTINGS = [
  'SET autoinstall_known_extensions = false',
  'SET autoload_known_extensions = false',
  'SET allow_community_extensions = false',
  'SET enable_external_access = false',
  `SET memory_limit = '${MEMORY_LIMIT}'`,
  'SET lock_configuration = true',
];

export interface AnswerColumn {
  readonly name: string;
  /** DuckDB's type. */
  readonly type: string;
}

export class DuckDb {
  private readonly bindings: DuckDBBindings;
  private readonly connection: number;

  private constructor(bindings: DuckDBBindings, connection: number) {
    this.bindings = bindings;
    this.connection = connection;
  }

  static async start(module: WebAssembly.Module): Promise<DuckDb> {
    // This runtime can't open files.
    const none = { mainModule: '', mainWorker: '' };
    const bindings = await createDuckDB({ mvp: none, eh: none }, new VoidLogger(), DEFAULT_RUNTIME);
    giveModule(bindings, module);
    await bindings.instantiate(() => undefined);
    bindings.open({ path: ':memory:' });
    let connection = 0;
    bindings.connect().useUnsafe((_, id) => {
      connection = id;
    });
    const database = new DuckDb(bindings, connection);
    for (const setting of SETTINGS) database.run(setting);
    return database;
  }

  run(statement: string): void {
    this.bindings.runQuery(this.connection, statement);
  }

  /** Adds rows to a table with exactly these columns. */
  insert(table: string, rows: PackedTable): void {
    this.bindings.insertArrowFromIPCStream(this.connection, encodeArrow(rows), {
      name: table,
      schema: 'main',
      create: false,
    });
  }

  /** Throws EngineError, in DuckDB's words, if the statement is wrong. */
  prepare(statement: string): void {
    const { bindings, connection } = this;
    try {
      bindings.closePrepared(connection, bindings.createPrepared(connection, statement));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  describe(statement: string): readonly AnswerColumn[] {
    const bytes = this.bindings.runQuery(this.connection, `DESCRIBE ${statement}`);
    const described: AnswerColumn[] = [];
    for (const {
      rows,
      columns: [names = [], types = []],
    } of decodeArrow([bytes]))
      for (let row = 0; row < rows; row++)
        described.push({ name: String(names[row]), type: String(types[row]) });
    return described;
  }

  /** DuckDB must give each column as BOOLEAN, INTEGER, DOUBLE or VARCHAR. */
  async query(
    statement: string,
    columns: readonly { readonly name: string; readonly type: ColumnType; readonly wide: boolean }[],
    signal: AbortSignal,
  ): Promise<PackedTable> {
    const { bindings, connection } = this;
    const builder = new PackedBuilder(columns);
    let since = performance.now();
    const pause = async () => {
      if (performance.now() - since < PATIENCE) return;
      await new Promise(done => setTimeout(done, 0));
      since = performance.now();
      if (!signal.aborted) return;
      bindings.cancelPendingQuery(connection);
      signal.throwIfAborted();
    };
    try {
      let header = bindings.startPendingQuery(connection, statement, true);
      while (header === null) {
        await pause();
        header = bindings.pollPendingQuery(connection);
      }
      for (;;) {
        await pause();
        const part = bindings.fetchQueryResults(connection);
        if (part === null) continue;
        if (part.length === 0) break;
        for (const batch of decodeArrow([header, part])) builder.append(batch.columns, batch.rows);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw refusalOf(error);
    }
    return builder.build();
  }
}

function refusalOf(error: unknown): EngineError {
  return new EngineError({ kind: 'refusal', words: error instanceof Error ? error.message : String(error) });
}

/**
 * Uses the compiled module, which DuckDB's own loader would fetch again. DuckDB looks for its runtime in the
 * global scope.
 */
function giveModule(bindings: DuckDBBindings, module: WebAssembly.Module): void {
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    success: (instance: WebAssembly.Instance, compiled: WebAssembly.Module) => void,
  ) => {
    void WebAssembly.instantiate(module, imports).then(instance => success(instance, module));
    return [];
  };
  Object.assign(bindings, { instantiateWasm });
  Object.assign(globalThis, { DUCKDB_RUNTIME: DEFAULT_RUNTIME });
}

/** The first bytes of gzip; a host may have decompressed the file already. */
const GZIP = [0x1f, 0x8b];

/**
 * `silence`: milliseconds without a byte after which it fails. `onProgress` gets compressed bytes if the host
 * announces their number.
 */
export async function loadModule(
  url: URL,
  silence: number,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<WebAssembly.Module> {
  try {
    return await compile(await watchedFetch(url.href, {}, silence, signal), onProgress);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HostError)) throw new EngineError({ kind: 'module' });
    const { status, silence } = error;
    throw new EngineError({ kind: 'database', status, silence });
  }
}

async function compile(found: Found, onProgress: (progress: Progress) => void): Promise<WebAssembly.Module> {
  const { response } = found;
  const { ok, status } = response;
  if (!ok) {
    await found.end();
    throw new HostError('The host has no database.', { status });
  }
  const length = Number(response.headers.get('content-length') ?? 0);
  const total = response.headers.has('content-encoding') || length === 0 ? null : length;
  let done = 0;
  const body = toStream(found.parts, found.end) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        done += part.length;
        onProgress({ stage: 'start', done, total });
        controller.enqueue(part as Uint8Array<ArrayBuffer>);
      },
    }),
  );
  const [head, content] = await peek(counted);
  const isGzip = GZIP.every((byte, index) => head[index] === byte);
  const plain = isGzip ? content.pipeThrough(new DecompressionStream('gzip')) : content;
  return WebAssembly.compileStreaming(
    new Response(plain, { headers: { 'Content-Type': 'application/wasm' } }),
  );
}

/** The first chunk of a stream, and the whole stream. */
async function peek(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<[Uint8Array, ReadableStream<Uint8Array<ArrayBuffer>>]> {
  const [look, content] = stream.tee();
  const reader = look.getReader();
  const { value } = await reader.read();
  void reader.cancel();
  return [value ?? new Uint8Array(0), content];
}

/** Writes all rows as one stream. Integers held as doubles become 64-bit integers. */
export function encodeArrow({ columns, rows }: PackedTable): Uint8Array {
  const data = columns.map((column, index) => columnData(column, rows, index));
  const schema = new Schema(columns.map(({ name }, index) => new Field(name, data[index]!.type, true)));
  const struct = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children: data });
  return tableToIPC(new Table([new RecordBatch(schema, struct)]), 'stream');
}

function columnData(column: PackedColumn, rows: number, index: number): Data {
  switch (column.kind) {
    case 'text': {
      const { codes, texts } = column;
      const dictionary: Vector<Utf8> = vectorFromArray(texts, new Utf8());
      return makeData({
        type: new Dictionary(new Utf8(), new Int32(), index),
        length: rows,
        nullCount: -1,
        nullBitmap: setBits(rows, row => codes[row] !== 0),
        data: Int32Array.from(codes, code => Math.max(0, code - 1)),
        dictionary,
      });
    }
    case 'number': {
      const { values, nulls, type } = column;
      const validity = nulls
        ? { nullCount: -1, nullBitmap: setBits(rows, row => nulls[row] === 0) }
        : { nullCount: 0 };
      if (values instanceof Int32Array)
        return makeData({ type: new Int32(), length: rows, data: values, ...validity });
      if (type === 'boolean')
        return makeData({
          type: new Bool(),
          length: rows,
          data: setBits(rows, row => values[row] === 1),
          ...validity,
        });
      if (values instanceof Float64Array && type === 'number')
        return makeData({ type: new Float64(), length: rows, data: values, ...validity });
      return makeData({
        type: new Int64(),
        length: rows,
        data: BigInt64Array.from(values, BigInt),
        ...validity,
      });
    }
    default:
      return column satisfies never;
  }
}

/** One bit per row, padded to eight bytes. */
function setBits(rows: number, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 64) * 8);
  for (let row = 0; row < rows; row++) if (isSet(row)) bits[row >> 3]! |= 1 << (row & 7);
  return bits;
}

/** Reads the rows of a stream, batch by batch: booleans, 32-bit integers, doubles and texts. */
export function* decodeArrow(
  parts: Iterable<Uint8Array>,
): Generator<{ readonly rows: number; readonly columns: readonly ColumnValues[] }> {
  for (const batch of RecordBatchReader.from(parts)) {
    const columns = batch.schema.fields.map((_, index) =>
      readVector(batch.getChildAt(index)!, batch.numRows),
    );
    yield { rows: batch.numRows, columns };
  }
}

function readVector(vector: Vector, rows: number): ColumnValues {
  const plain = vector.type.typeId === Type.Int || vector.type.typeId === Type.Float;
  if (plain && vector.nullCount === 0) return vector.toArray() as ArrayLike<number>;
  return Array.from({ length: rows }, (_, row) => vector.get(row) as Value);
}
