/** Answers whose rows an executor finds in row groups. */
import type { RowFormat, ValuesDocument } from '../../../build/format/documents.ts';
import { explainEmpty } from '../../query/empty-answer.ts';
import { knownTotal } from '../../query/envelope.ts';
import type { Plan, ScanPlan } from '../../query/plan.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange, Weight } from '../exchange.ts';
import { type Batch, BudgetExceeded, cutBatch, type Executor } from '../executors/executor.ts';
import { proveSources } from '../executors/proved-sources.ts';
import { readDocument } from '../past.ts';
import type { PageLink } from '../question.ts';
import { renderCsv } from '../render/csv.ts';
import { renderJson } from '../render/json.ts';
import { renderParquet } from '../render/parquet.ts';
import { codeAnswer } from './coding.ts';
import { startEarly } from './early-start.ts';
import type { Headers } from './headers.ts';
import { judgePage, linkHeader, nextPage } from './page.ts';
import { refuseCost } from './refusal.ts';

/**
 * An answer of at most so many rows is read to its end before its first byte is sent. A longer one is streamed, once
 * every file is known to be there and, where the host can tell, to have the right bytes.
 */
const HELD_ROWS = 10_000;

/** The most of a scan that is light. It takes no longer than a thread needs to hear of it and to hand its answer over. */
const LIGHT = { bytes: 48 << 10, rows: 8192 };

export async function respondScan(exchange: Exchange, plan: ScanPlan, pageLink: PageLink): Promise<Answer> {
  const { headers, settled, choice } = await judgePage(exchange.incoming, plan, pageLink);
  if (settled) return settled;
  const { limit } = plan.request;
  const held = limit !== null && limit <= HELD_ROWS;
  const executor = chooseExecutor(exchange.executors, plan, held);
  if (!executor) return refuseCost(plan, `${plan.bytes} bytes of row groups`, exchange.incoming);
  const here = async () => {
    try {
      return held
        ? await respondHeld(exchange, plan, executor, limit, headers, pageLink)
        : await respondStream(exchange, plan, executor, headers, pageLink);
    } catch (error) {
      if (error instanceof BudgetExceeded) return refuseCost(plan, error.message, exchange.incoming);
      throw error;
    }
  };
  const { compute, incoming } = exchange;
  const weight = weigh(plan, executor === exchange.executors[0]);
  return codeAnswer(compute ? await compute(incoming, weight, here) : await here(), choice, incoming);
}

function weigh({ bytes, rows }: ScanPlan, isCheapest: boolean): Weight {
  if (!isCheapest) return 'heavy';
  return bytes <= LIGHT.bytes && rows <= LIGHT.rows ? 'light' : 'middle';
}

/**
 * The first executor whose budget covers the most that the plan may read. Where the answer is known before its first
 * byte is sent, the last executor may try whether the plan really takes so much.
 */
function chooseExecutor(executors: readonly Executor[], plan: ScanPlan, held: boolean): Executor | undefined {
  const { sort } = plan.residual;
  const passed = passedBytes(plan);
  const able = executors.find(
    ({ budget: { bytes, rows, passed: most = bytes } }) =>
      plan.bytes <= bytes && passed <= most && (!sort || plan.rows <= rows),
  );
  return able ?? (held || sort ? executors.at(-1) : undefined);
}

/** The bytes of rows that the plan reads and the answer leaves out: all, where only a scan can count the answer's rows. */
function passedBytes({ bytes, rows, total, residual: { offset, limit } }: ScanPlan): number {
  if (total === null) return bytes;
  const answered = Math.min(total, limit ?? total, Math.max(0, rows - offset));
  return rows === 0 ? 0 : bytes * (1 - answered / rows);
}

async function respondHeld(
  exchange: Exchange,
  plan: ScanPlan,
  executor: Executor,
  limit: number,
  headers: Headers,
  pageLink: PageLink,
): Promise<Answer> {
  const { files, incoming } = exchange;
  const { format, offset } = plan.request;
  // One row more than the page has tells whether another page follows.
  const wanted = plan.total === null ? limit + 1 : limit;
  const rows: Batch[] = [];
  for await (const batch of executor.scan(plan, wanted, { files, signal: incoming.signal })) rows.push(batch);
  const found = rows.reduce((sum, batch) => sum + batch.rows, 0);
  const count = Math.min(found, limit);
  const more = plan.total === null ? found > limit : offset + count < plan.total;
  const next = nextPage(plan, pageLink, more);
  const linked = { ...headers, ...linkHeader(next) };
  if (format !== 'json') return bodyAnswer(200, linked, renderRows(plan, format, takeRows(rows, count)));
  const said = count === 0 && offset === 0 ? await withReason(exchange, plan) : plan;
  return bodyAnswer(
    200,
    linked,
    renderJson(said, rows, { count, total: knownTotal(plan, count, more), next }),
  );
}

/** The plan of an answer without rows, with the reason among its notices. Of the past, nothing tells the reason. */
async function withReason(exchange: Exchange, plan: ScanPlan): Promise<ScanPlan> {
  const { conditions, asOf } = plan.request;
  const hasYears = plan.table.year < 0 || plan.years.length > 0;
  if (conditions.length === 0 || asOf !== undefined || !hasYears) return plan;
  const values = await readDocument<ValuesDocument>(exchange, `${plan.table.folder}/values.json`);
  return values ? { ...plan, notices: [...plan.notices, ...explainEmpty(plan, values)] } : plan;
}

/** JSON always has a limit, and no limit of it is this large. */
async function respondStream(
  { files, incoming: { signal } }: Exchange,
  plan: ScanPlan,
  executor: Executor,
  headers: Headers,
  pageLink: PageLink,
): Promise<Answer> {
  await proveSources(files, plan.sources, { footers: false }, signal);
  const batches = executor.scan(plan, plan.request.limit, { files, signal });
  // Without a total, only the last row tells whether another page follows.
  const { offset, limit } = plan.request;
  const more = plan.total !== null && limit !== null && offset + limit < plan.total;
  const linked = { ...headers, ...linkHeader(nextPage(plan, pageLink, more)) };
  return bodyAnswer(200, linked, renderRows(plan, plan.request.format, await startEarly(batches, 1)));
}

function renderRows(plan: Plan, format: RowFormat, batches: AsyncIterable<Batch>): AsyncIterable<Uint8Array> {
  return format === 'csv' ? renderCsv(plan.table, batches) : renderParquet(plan.table, batches);
}

async function* takeRows(batches: readonly Batch[], count: number): AsyncGenerator<Batch> {
  let left = count;
  for (const batch of batches) {
    const rows = Math.min(left, batch.rows);
    if (rows > 0) yield cutBatch(batch, 0, rows);
    left -= rows;
  }
}
