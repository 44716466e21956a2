/** Answers made of rows: those of stored files under another head, or those of row groups. Find, render, send. */
import type { ValuesDocument } from '../../../build/format/documents.ts';
import { pageTail, ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { explainEmpty } from '../../query/empty-answer.ts';
import { encodeCsvHeader } from '../../query/encode.ts';
import { knownTotal, type PageFacts, renderEnvelope } from '../../query/envelope.ts';
import { type Plan, planFiles, type ScanPlan, type StoredPlan } from '../../query/plan.ts';
import { canonicalText } from '../../query/request.ts';
import type { StoredFile } from '../../query/table.ts';
import type { Answer, Exchange } from '../answer.ts';
import type { Files } from '../files/files.ts';
import { streamListed } from '../files/proof.ts';
import { sha256 } from '../files/sha256.ts';
import { begin, readWhole } from '../parts.ts';
import { type Picks, renderLines } from '../rows/lines.ts';
import { type Batch, renderParquet } from '../rows/parquet.ts';
import { type Budget, BudgetExceeded, type PickedRows, pickValues, Scan } from '../rows/scan.ts';
import { attachment, type Headers, type Validators } from './headers.ts';
import { refuseCost } from './refusal.ts';
import { negotiate, sendBody } from './representation.ts';

/** The address of the page that begins at an offset. */
export type PageLink = (offset: number) => string;

/** Rows that are found, and not yet read or not yet text. */
interface Rendered {
  readonly parts: AsyncIterable<Uint8Array>;
  /** Whether the answer is so short that it is sent as a whole. A longer one is rendered while its reader takes it. */
  readonly isShort: boolean;
  /** The address of the following page. */
  readonly next: string | null;
}

/** The most rows, and about the most bytes of lines, that are sent as a whole. */
const SHORT_ROWS = 1024;
const SHORT_BYTES = 512 << 10;

const encoder = new TextEncoder();

export async function respondRows(exchange: Exchange, plan: Plan, pageLink: PageLink): Promise<Answer> {
  const { incoming, budget } = exchange;
  const { table, request } = plan;
  const validators = await deriveValidators(plan, pageLink);
  const extra = attachment(table.name, request.format);
  const found = negotiate(exchange, { path: `.${request.format}`, stored: null, validators, extra });
  if (found.settled) return found.settled;
  try {
    const { parts, isShort, next } =
      plan.kind === 'stored'
        ? joinRows(exchange, plan, pageLink)
        : await scanRows(exchange, withinBudget(plan, budget), plan, pageLink);
    const body = isShort ? await readWhole(parts) : await begin(parts);
    const link: Headers = next === null ? {} : { Link: `<${next}>; rel="next"` };
    return await sendBody(exchange, found, body, link);
  } catch (error) {
    if (plan.kind !== 'scan' || !(error instanceof BudgetExceeded)) throw error;
    return refuseCost(plan, error.message, incoming);
  }
}

/** The ETag hashes all that decides the bytes but the rows, and the release, which decides the rows. */
async function deriveValidators(plan: Plan, pageLink: PageLink): Promise<Validators> {
  const head = renderEnvelope(plan, { count: 0, total: plan.total, next: nextPage(plan, pageLink, true) });
  const text = head + plan.table.manifest.release + canonicalText(plan.table.folder, plan.request);
  const hash = await sha256(encoder.encode(text));
  let modified = '';
  for (const { entry } of planFiles(plan)) if (entry.modified > modified) modified = entry.modified;
  return { etag: `"${hash.slice(0, 32)}"`, modified: modified === '' ? null : new Date(modified) };
}

/** The address of the following page; null where `more` is false or the answer has no pages. */
function nextPage({ request }: Plan, pageLink: PageLink, more: boolean): string | null {
  return more && request.limit !== null ? pageLink(request.offset + request.limit) : null;
}

/** The rows of stored files. Nothing is parsed. */
function joinRows({ files, incoming }: Exchange, plan: StoredPlan, pageLink: PageLink): Rendered {
  const { total, table, request } = plan;
  const count = plan.files.reduce((sum, { entry }) => sum + entry.rows, 0);
  const bytes = plan.files.reduce((sum, { entry }) => sum + entry.bytes, 0);
  const next = nextPage(plan, pageLink, request.offset + count < (total ?? 0));
  async function* csv(): AsyncGenerator<Uint8Array> {
    const head = encoder.encode(encodeCsvHeader(table.columns));
    yield head;
    for (const file of plan.files) yield* readPart(files, file, head.length, 0, incoming.signal);
  }
  async function* json(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(renderEnvelope(plan, { count, total, next }));
    for (const [index, file] of plan.files.entries()) {
      if (index > 0) yield encoder.encode(ROW_SEPARATOR);
      let isHead = true;
      for await (const part of readPart(files, file, 0, pageTail(file.entry.rows).length, incoming.signal)) {
        yield isHead ? part.subarray(part.indexOf(LINE_FEED) + 1) : part;
        isHead = false;
      }
    }
    yield encoder.encode(pageTail(count));
  }
  return { parts: request.format === 'csv' ? csv() : json(), isShort: bytes <= SHORT_BYTES, next };
}

const LINE_FEED = 10;

/** A file without its first `before` bytes and its last `after` ones. */
function readPart(
  files: Files,
  { path, entry }: StoredFile,
  before: number,
  after: number,
  signal?: AbortSignal,
) {
  return streamListed(files, { path, entry }, { start: before, end: entry.bytes - after }, signal);
}

/**
 * The rows of a page of at most so many rows are known before its first byte is sent. Those of a longer answer are found
 * while it is sent.
 */
const KNOWN_ROWS = 10_000;

function isKnown({ request: { limit } }: ScanPlan): boolean {
  return limit !== null && limit <= KNOWN_ROWS;
}

/** Throws BudgetExceeded. */
function withinBudget(plan: ScanPlan, budget: Budget | null): Budget {
  if (budget && (isKnown(plan) || plan.bytes <= budget.bytes)) return budget;
  throw new BudgetExceeded(`${plan.bytes} bytes of row groups`);
}

/** Throws BudgetExceeded. */
async function scanRows(
  exchange: Exchange,
  budget: Budget,
  plan: ScanPlan,
  pageLink: PageLink,
): Promise<Rendered> {
  const { total } = plan;
  const { limit, format, offset } = plan.request;
  const scan = new Scan(plan, { ...exchange, budget, signal: exchange.incoming.signal });
  let picks: Picks = scan.pick(limit);
  let more = total !== null && limit !== null && offset + limit < total;
  let page: PageFacts = { count: Number.POSITIVE_INFINITY, total, next: nextPage(plan, pageLink, more) };
  if (limit !== null && isKnown(plan)) {
    // One row more than the page has tells whether another page follows.
    const found: PickedRows[] = [];
    for await (const picked of scan.pick(total === null ? limit + 1 : limit)) found.push(picked);
    const rows = found.reduce((sum, picked) => sum + picked.rows.length, 0);
    const count = Math.min(limit, rows);
    more = total === null ? rows > limit : offset + count < total;
    picks = takeRows(found, count);
    page = { count, total: knownTotal(plan, count, more), next: nextPage(plan, pageLink, more) };
  }
  const isEmpty = page.count === 0 && offset === 0 && format === 'json';
  const said = isEmpty ? await withReason(exchange, plan) : plan;
  return { parts: render(scan, said, picks, page), isShort: page.count <= SHORT_ROWS, next: page.next };
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
  const values = await exchange.tree.document<ValuesDocument>(`${plan.table.folder}/values.json`);
  return values ? { ...plan, notices: [...plan.notices, ...explainEmpty(plan, values)] } : plan;
}

function render(scan: Scan, plan: ScanPlan, picks: Picks, page: PageFacts): AsyncIterable<Uint8Array> {
  const { reader } = scan;
  const { format } = plan.request;
  switch (format) {
    case 'json': {
      // A comma and a line end follow each row but the last.
      const cut = page.count === 0 ? 0 : ROW_SEPARATOR.length;
      const close = (rest: string) => rest.slice(0, rest.length - cut) + pageTail(page.count);
      return renderLines(reader, format, picks, renderEnvelope(plan, page), close);
    }
    case 'csv':
      return renderLines(reader, format, picks, encodeCsvHeader(reader.columns), rest => rest);
    case 'parquet':
      return renderParquet(plan.table, readBatches(scan, picks));
    default:
      return format satisfies never;
  }
}

async function* readBatches(scan: Scan, picks: Picks): AsyncGenerator<Batch> {
  for await (const picked of picks)
    yield { rows: picked.rows.length, columns: await pickValues(scan.reader, picked) };
}
