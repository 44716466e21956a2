/** Answers whose rows are found in row groups. */
import type { ValuesDocument } from '../../../build/format/documents.ts';
import { pageTail, ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { explainEmpty } from '../../query/empty-answer.ts';
import { encodeCsvHeader } from '../../query/encode.ts';
import { knownTotal, type PageFacts, renderEnvelope } from '../../query/envelope.ts';
import type { ScanPlan } from '../../query/plan.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { begin, readWhole } from '../parts.ts';
import { readDocument } from '../past.ts';
import type { PageLink } from '../question.ts';
import { lineRenderer } from '../rows/lines.ts';
import { type Batch, renderParquet } from '../rows/parquet.ts';
import { BudgetExceeded, type PickedRows, pickValues, Scan } from '../rows/scan.ts';
import { codeAnswer } from './coding.ts';
import { judgePage, linkHeader, nextPage } from './page.ts';
import { refuseCost } from './refusal.ts';

/**
 * The rows of a page of at most so many rows are known before its first byte is sent. Those of a longer answer are found
 * while it is sent.
 */
const KNOWN_ROWS = 10_000;

/** An answer of at most so many rows is sent as a whole. A longer one is rendered while its reader takes it. */
const WHOLE_ROWS = 1024;

const encoder = new TextEncoder();

export async function respondScan(exchange: Exchange, plan: ScanPlan, pageLink: PageLink): Promise<Answer> {
  const { incoming, budget } = exchange;
  const { headers, settled, choice } = await judgePage(incoming, plan, pageLink);
  if (settled) return settled;
  const { limit, format, offset } = plan.request;
  const isKnown = limit !== null && limit <= KNOWN_ROWS;
  if (!budget || (!isKnown && plan.bytes > budget.bytes))
    return refuseCost(plan, `${plan.bytes} bytes of row groups`, incoming);
  const scan = new Scan(plan, { ...exchange, budget, signal: incoming.signal });
  let picks: Iterable<PickedRows> | AsyncIterable<PickedRows>;
  let page: PageFacts;
  try {
    if (isKnown) {
      // One row more than the page has tells whether another page follows.
      const found = await readPicks(scan, plan.total === null ? limit + 1 : limit);
      const count = Math.min(limit, countRows(found));
      const more = plan.total === null ? countRows(found) > limit : offset + count < plan.total;
      picks = takeRows(found, count);
      page = { count, total: knownTotal(plan, count, more), next: nextPage(plan, pageLink, more) };
    } else {
      const more = plan.total !== null && limit !== null && offset + limit < plan.total;
      picks = scan.pick(limit);
      page = { count: Number.POSITIVE_INFINITY, total: plan.total, next: nextPage(plan, pageLink, more) };
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) return refuseCost(plan, error.message, incoming);
    throw error;
  }
  const said =
    page.count === 0 && offset === 0 && format === 'json' ? await withReason(exchange, plan) : plan;
  const parts = render(scan, said, picks, page);
  const body = page.count <= WHOLE_ROWS ? await readWhole(parts) : await begin(parts);
  return codeAnswer(bodyAnswer(200, { ...headers, ...linkHeader(page.next) }, body), choice, incoming);
}

function render(
  scan: Scan,
  plan: ScanPlan,
  picks: Iterable<PickedRows> | AsyncIterable<PickedRows>,
  page: PageFacts,
): AsyncIterable<Uint8Array> {
  const { format } = plan.request;
  switch (format) {
    case 'json':
      return renderJson(scan, plan, picks, page);
    case 'csv':
      return renderCsv(scan, picks);
    case 'parquet':
      return renderParquet(plan.table, readBatches(scan, picks));
    default:
      return format satisfies never;
  }
}

async function* renderJson(
  scan: Scan,
  plan: ScanPlan,
  picks: Iterable<PickedRows> | AsyncIterable<PickedRows>,
  page: PageFacts,
): AsyncGenerator<Uint8Array> {
  const toLines = lineRenderer(scan.reader, 'json');
  let head = renderEnvelope(plan, page);
  let left = page.count;
  for await (const picked of picks) {
    left -= picked.rows.length;
    const lines = encoder.encode(head + (await toLines(picked)));
    // A comma and a line end follow each row but the last.
    yield left > 0 ? lines : lines.subarray(0, -ROW_SEPARATOR.length);
    head = '';
  }
  yield encoder.encode(head + pageTail(page.count));
}

async function* renderCsv(
  scan: Scan,
  picks: Iterable<PickedRows> | AsyncIterable<PickedRows>,
): AsyncGenerator<Uint8Array> {
  const toLines = lineRenderer(scan.reader, 'csv');
  let head = encodeCsvHeader(scan.reader.columns);
  for await (const picked of picks) {
    yield encoder.encode(head + (await toLines(picked)));
    head = '';
  }
  if (head !== '') yield encoder.encode(head);
}

async function* readBatches(
  scan: Scan,
  picks: Iterable<PickedRows> | AsyncIterable<PickedRows>,
): AsyncGenerator<Batch> {
  for await (const picked of picks)
    yield { rows: picked.rows.length, columns: await pickValues(scan.reader, picked) };
}

async function readPicks(scan: Scan, limit: number): Promise<readonly PickedRows[]> {
  const found: PickedRows[] = [];
  for await (const picked of scan.pick(limit)) found.push(picked);
  return found;
}

function countRows(picks: readonly PickedRows[]): number {
  return picks.reduce((sum, { rows }) => sum + rows.length, 0);
}

function* takeRows(picks: readonly PickedRows[], count: number): Generator<PickedRows> {
  let left = count;
  for (const { groups, at, rows } of picks) {
    const to = Math.min(left, rows.length);
    left -= to;
    if (to > 0) yield { groups, at: at?.subarray(0, to) ?? null, rows: rows.subarray(0, to) };
  }
}

/** The plan of an answer without rows, with the reason among its notices. Of the past, nothing tells the reason. */
async function withReason(exchange: Exchange, plan: ScanPlan): Promise<ScanPlan> {
  const { conditions, asOf } = plan.request;
  const hasYears = plan.table.year < 0 || plan.years.length > 0;
  if (conditions.length === 0 || asOf !== undefined || !hasYears) return plan;
  const values = await readDocument<ValuesDocument>(exchange, `${plan.table.folder}/values.json`);
  return values ? { ...plan, notices: [...plan.notices, ...explainEmpty(plan, values)] } : plan;
}
