/** Answers of the routes that give rows: a stored file, lines cut out of stored files, or a scan. */
import type { RowFormat } from '../../build/format/documents.ts';
import { pageTail, ROW_SEPARATOR } from '../../build/format/envelope.ts';
import { encodeCsvHeader } from '../query/encode.ts';
import { knownTotal, renderEnvelope } from '../query/envelope.ts';
import { type CutPlan, type Piece, type Plan, planFiles, type ScanPlan } from '../query/plan.ts';
import { formatQuery, type Pair, withPair } from '../query/query-string.ts';
import { canonicalText } from '../query/request.ts';
import { type Answer, answerConditions, bodyAnswer, type Incoming, linkPath } from './answer.ts';
import { type Batch, BudgetExceeded, type Executor } from './executor.ts';
import { type Files, statListed } from './files.ts';
import { answerHeaders, attachment, contentType, type Headers, type Validators } from './headers.ts';
import { refuseCost } from './refusal.ts';
import { renderCsv } from './render/csv.ts';
import { renderJson } from './render/json.ts';
import { renderParquet } from './render/parquet.ts';
import { sha256 } from './sha256.ts';
import { answerListed } from './stored.ts';
import { concat, cutPiece, joinRows } from './text-cut.ts';

/**
 * Answers of so many rows are read to their end before the first byte is sent. Longer ones are streamed, once all their
 * files are known to be there and of the right length.
 */
const HELD_ROWS = 10_000;

export interface RowsContext {
  readonly files: Files;
  readonly executors: readonly Executor[];
  readonly incoming: Incoming;
  /** The query as it was given: the next page's link repeats it. */
  readonly pairs: readonly Pair[];
  /** What the next page is called, where the page was asked for by its file's name. */
  readonly nextFile?: string;
}

export async function answerPlan(context: RowsContext, plan: Plan): Promise<Answer> {
  const { files, incoming } = context;
  const { format } = plan.request;
  if (plan.kind === 'stored' && !(format === 'json' && plan.more)) {
    return answerListed(
      files,
      incoming,
      plan.file.path,
      plan.file.entry,
      attachment(plan.table.name, format),
    );
  }
  const validators = await deriveValidators(context, plan);
  const headers = answerHeaders(contentType(`.${format}`), validators, attachment(plan.table.name, format));
  const conditional = answerConditions(incoming, validators, headers);
  if (conditional) return conditional;
  switch (plan.kind) {
    case 'stored':
      return answerCut(context, { ...plan, kind: 'cut', pieces: [wholePiece(plan.file)] }, headers);
    case 'cut':
      return answerCut(context, plan, headers);
    case 'scan':
      return answerScan(context, plan, headers);
    default:
      return plan satisfies never;
  }
}

function wholePiece(file: Piece['file']): Piece {
  return { file, skip: 0, take: file.entry.rows };
}

async function answerCut(context: RowsContext, plan: CutPlan, headers: Headers): Promise<Answer> {
  const { files, incoming } = context;
  if (plan.request.format === 'csv') {
    for (const { file } of plan.pieces) await statListed(files, file, incoming.signal);
    return bodyAnswer(200, headers, cutCsv(context, plan));
  }
  const pieces: Uint8Array[] = [];
  let count = 0;
  for (const piece of plan.pieces) {
    const parts: Uint8Array[] = [];
    for await (const part of cutPiece(files, piece, 'json', incoming.signal)) parts.push(part);
    pieces.push(encode(count === 0 ? '' : ROW_SEPARATOR), joinRows(parts));
    count += piece.take;
  }
  const next = nextLink(context, plan, plan.request.offset + count < (plan.total ?? 0));
  const head = renderEnvelope(plan, { count, total: plan.total, next });
  const body = concat([encode(head), ...pieces, encode(pageTail(count))]);
  return bodyAnswer(200, { ...headers, ...linkHeader(next) }, body);
}

async function* cutCsv({ files, incoming }: RowsContext, plan: CutPlan): AsyncGenerator<Uint8Array> {
  yield encode(encodeCsvHeader(plan.table.columns));
  for (const piece of plan.pieces) yield* cutPiece(files, piece, 'csv', incoming.signal);
}

async function answerScan(context: RowsContext, plan: ScanPlan, headers: Headers): Promise<Answer> {
  const { files, incoming, executors } = context;
  const { format, limit } = plan.request;
  const held = limit !== null && limit <= HELD_ROWS;
  const executor = chooseExecutor(executors, plan, held);
  if (!executor) return refuseCost(plan, `${plan.bytes} bytes of row groups`, incoming);
  try {
    if (!held) for (const { file } of plan.sources) await statListed(files, file, incoming.signal);
    const wanted = format === 'json' && limit !== null && plan.total === null ? limit + 1 : limit;
    const batches = executor.scan(plan, wanted, { files, signal: incoming.signal });
    if (!held) return bodyAnswer(200, headers, renderRows(plan, format, await startEarly(batches)));
    const rows: Batch[] = [];
    for await (const batch of batches) rows.push(batch);
    if (format !== 'json') return bodyAnswer(200, headers, renderRows(plan, format, replay(rows)));
    const found = rows.reduce((sum, batch) => sum + batch.rows, 0);
    const count = Math.min(found, limit);
    const more = plan.total === null ? found > limit : plan.request.offset + count < plan.total;
    const next = nextLink(context, plan, more);
    const body = renderJson(plan, rows, { count, total: knownTotal(plan, count, more), next });
    return bodyAnswer(200, { ...headers, ...linkHeader(next) }, body);
  } catch (error) {
    if (error instanceof BudgetExceeded) return refuseCost(plan, error.message, incoming);
    throw error;
  }
}

/**
 * The first whose budget the plan is within. A plan is judged by the most that it may read; where an answer is known
 * before its first byte is sent, the last may try whether it really takes so much.
 */
function chooseExecutor(executors: readonly Executor[], plan: ScanPlan, held: boolean): Executor | undefined {
  const { sort } = plan.residual;
  const able = executors.find(
    ({ budget }) => plan.bytes <= budget.bytes && (!sort || plan.rows <= budget.rows),
  );
  return able ?? (held || sort ? executors.at(-1) : undefined);
}

function renderRows(plan: Plan, format: RowFormat, batches: AsyncIterable<Batch>): AsyncIterable<Uint8Array> {
  return format === 'csv' ? renderCsv(plan.table, batches) : renderParquet(plan.table, batches);
}

/** Waits for the first batch, so that what fails at once is an error and not a broken answer. */
async function startEarly(batches: AsyncIterable<Batch>): Promise<AsyncIterable<Batch>> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* all(): AsyncGenerator<Batch> {
    try {
      for (let item = first; !item.done; item = await iterator.next()) yield item.value;
    } finally {
      await iterator.return?.();
    }
  }
  return all();
}

async function* replay(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches;
}

/** ETag: a hash of all that decides the bytes but the rows, and of the release that decides those. */
async function deriveValidators(context: RowsContext, plan: Plan): Promise<Validators> {
  const self = nextLink(context, plan, true);
  const head = renderEnvelope(plan, { count: 0, total: plan.total, next: self });
  const hash = await sha256(
    encode(head + plan.table.stamp.release + canonicalText(plan.table.folder, plan.request)),
  );
  let modified = '';
  for (const file of planFiles(plan)) if (file.modified > modified) modified = file.modified;
  return { etag: `"${hash.slice(0, 32)}"`, modified: modified === '' ? null : new Date(modified) };
}

/** Path and query of the following page: the query as it was given, with another offset. */
function nextLink(
  { incoming, pairs, nextFile }: RowsContext,
  { request }: Plan,
  more: boolean,
): string | null {
  if (!more || request.limit === null) return null;
  if (nextFile !== undefined) return nextFile;
  return linkPath(incoming) + formatQuery(withPair(pairs, 'offset', String(request.offset + request.limit)));
}

function linkHeader(next: string | null): Headers {
  return next === null ? {} : { Link: `<${next}>; rel="next"` };
}

const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
