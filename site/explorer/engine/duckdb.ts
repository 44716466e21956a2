/** Runs DuckDB-WASM in this thread: starts it on demand, locks it, and keeps its statements interruptible. */

import { createDuckDB, DEFAULT_RUNTIME, type DuckDBBindings, VoidLogger } from '@duckdb/duckdb-wasm/blocking';
import type { ColumnType } from '../../../build/format/documents.ts';
import { type Found, HostError, watchedFetch } from '../../edge/files/watched-fetch.ts';
import { toStream } from '../../edge/parts.ts';
import { decodeArrow, encodeArrow } from './arrow-rows.ts';
import { EngineError, type Progress } from './engine.ts';
import { PackedBuilder, type PackedTable } from './packed-table.ts';

/** A tab on a phone gets little more. */
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

/** A column of an answer. */
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
    // This runtime cannot open files.
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
      throw new EngineError({
        kind: 'refusal',
        words: error instanceof Error ? error.message : String(error),
      });
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

  /** Returns the rows of a statement; DuckDB must give each column as BOOLEAN, INTEGER, DOUBLE or VARCHAR. */
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
      throw new EngineError({
        kind: 'refusal',
        words: error instanceof Error ? error.message : String(error),
      });
    }
    return builder.build();
  }
}

/**
 * Uses the compiled module; DuckDB's own loader would fetch it again. DuckDB looks for its runtime in the global scope,
 * so this puts it there.
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

/** `silence`: milliseconds without a byte after which it gives up. `onProgress` receives compressed bytes if the host announces their number. */
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

/** Returns the first chunk of a stream, and the whole stream. */
async function peek(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<[Uint8Array, ReadableStream<Uint8Array<ArrayBuffer>>]> {
  const [look, content] = stream.tee();
  const reader = look.getReader();
  const { value } = await reader.read();
  void reader.cancel();
  return [value ?? new Uint8Array(0), content];
}
