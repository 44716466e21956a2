/** Runs DuckDB-WASM in this thread: starts it, locks it, and lets statements be cancelled. */

import { createDuckDB, DEFAULT_RUNTIME, type DuckDBBindings, VoidLogger } from '@duckdb/duckdb-wasm/blocking';
import {
  Dictionary,
  Field,
  makeData,
  RecordBatch,
  RecordBatchReader,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Uint16,
  Uint32,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { HostError, watchedFetch } from '../../edge/files/watched-fetch.ts';
import type { Value } from '../../query/order.ts';
import { type CodedColumn, type CodedRows, RowsBuilder } from './coded-rows.ts';
import { EngineError, type Progress } from './engine.ts';

/** A browser on a phone gives a tab little more. */
const MEMORY_LIMIT = '768MB';

/** Locks DuckDB: it can no longer fetch, read or load anything. */
const SETTINGS = [
  'SET autoinstall_known_extensions = false',
  'SET autoload_known_extensions = false',
  'SET allow_community_extensions = false',
  'SET enable_external_access = false',
  `SET memory_limit = '${MEMORY_LIMIT}'`,
  'SET lock_configuration = true',
];

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

  /** Adds rows to a table with exactly these columns. DuckDB reads their values from texts. */
  insert(table: string, columns: readonly CodedColumn[], rows: number): void {
    this.bindings.insertArrowFromIPCStream(this.connection, encodeArrow(columns, rows), {
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

  /** The first columns of the answer, which are texts. Throws EngineError, in DuckDB's words, if it can't compute it. */
  query(statement: string, names: readonly string[]): CodedRows {
    try {
      return decodeArrow(this.bindings.runQuery(this.connection, statement), names);
    } catch (error) {
      throw refusalOf(error);
    }
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
  onProgress: (progress: Progress) => void,
): Promise<WebAssembly.Module> {
  try {
    const { response, parts, end } = await watchedFetch(url.href, {}, silence);
    const { ok, status, headers } = response;
    if (!ok) {
      await end();
      throw new HostError('The host has no database.', { status });
    }
    const length = Number(headers.get('content-length') ?? 0);
    const total = headers.has('content-encoding') || length === 0 ? null : length;
    const read: Uint8Array<ArrayBuffer>[] = [];
    let done = 0;
    for (let part = await parts.next(); !part.done; part = await parts.next()) {
      read.push(part.value as Uint8Array<ArrayBuffer>);
      done += part.value.length;
      onProgress({ stage: 'start', done, total });
    }
    const isGzip = GZIP.every((byte, index) => read[0]?.[index] === byte);
    const file = new Blob(read).stream();
    const plain = isGzip ? file.pipeThrough(new DecompressionStream('gzip')) : file;
    const wasm = new Response(plain, { headers: { 'Content-Type': 'application/wasm' } });
    return await WebAssembly.compileStreaming(wasm);
  } catch (error) {
    if (!(error instanceof HostError)) throw new EngineError({ kind: 'module' });
    const { status, silence } = error;
    throw new EngineError({ kind: 'database', status, silence });
  }
}

/** Writes all rows as one stream, with values as texts. Arrow's dictionaries may have NULL, as our columns. */
export function encodeArrow(columns: readonly CodedColumn[], rows: number): Uint8Array {
  const data = columns.map(({ codes, values }, id) => {
    const texts = values.map(value => (value === null ? null : String(value)));
    const dictionary = vectorFromArray(texts, new Utf8());
    const index = codes instanceof Uint16Array ? new Uint16() : new Uint32();
    const type = new Dictionary(dictionary.type, index, id);
    return makeData({ type, length: rows, nullCount: 0, data: codes, dictionary });
  });
  const schema = new Schema(columns.map(({ name }, index) => new Field(name, data[index]!.type, true)));
  const struct = makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children: data });
  return tableToIPC(new Table([new RecordBatch(schema, struct)]), 'stream');
}

/** The first columns of a stream, which are texts. */
export function decodeArrow(bytes: Uint8Array, names: readonly string[]): CodedRows {
  const builder = new RowsBuilder(names.map(name => ({ name, type: 'string' })));
  for (const batch of RecordBatchReader.from(bytes)) {
    const values = names.map((_, index) => [...batch.getChildAt(index)!] as Value[]);
    builder.append(values, batch.numRows);
  }
  return builder.build();
}
