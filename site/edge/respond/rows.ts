/** Answers made of rows: stored files under another head, or rows of row groups. */
import { isPaged, isStored, type TextFormat, type ValuesDocument } from '../../../build/format/documents.ts';
import { explainEmpty } from '../../query/empty-answer.ts';
import { knownTotal, type PageFacts, TEXTS } from '../../query/encode.ts';
import type { Plan, ScanPlan, StoredPlan } from '../../query/plan.ts';
import { canonicalText } from '../../query/request.ts';
import { type Answer, begin, type Exchange } from '../answer.ts';
import { streamListed } from '../files/proof.ts';
import { sha256 } from '../files/sha256.ts';
import { type Picks, renderLines } from '../rows/lines.ts';
import { type Batch, ROWS_A_GROUP, renderParquet } from '../rows/parquet.ts';
import { BudgetExceeded, cutPick, type PickedRows, pickValues, Scan } from '../rows/scan.ts';
import { attachment, type Headers, type Validators } from './headers.ts';
import { addressOf, renderMarkdown, renderSheets } from './readable.ts';
import { refuseCost } from './refusal.ts';
import { negotiate, sendBody } from './representation.ts';

export type PageLink = (offset: number) => string;

interface Rendered {
  readonly parts: AsyncIterable<Uint8Array>;
  readonly next: string | null;
}

/** A longer answer is rendered while it is sent. */
const SHORT_BYTES = 512 << 10;

const encoder = new TextEncoder();

export async function respondRows(exchange: Exchange, plan: Plan, pageLink: PageLink): Promise<Answer> {
  const { table, request } = plan;
  const validators = await deriveValidators(exchange, plan, pageLink);
  const extra = attachment(table.name, request.format);
  const found = negotiate(exchange, { path: `.${request.format}`, stored: null, validators, extra });
  if (found.settled) return found.settled;
  try {
    const { parts, next } =
      plan.kind === 'stored' ? joinRows(exchange, plan, pageLink) : await scanRows(exchange, plan, pageLink);
    const body = await begin(parts, SHORT_BYTES);
    const link: Headers = next === null ? {} : { Link: `<${next}>; rel="next"` };
    return await sendBody(exchange, found, body, link);
  } catch (error) {
    if (plan.kind !== 'scan' || !(error instanceof BudgetExceeded)) throw error;
    return refuseCost(plan, error.message, exchange.incoming);
  }
}

/** The ETag hashes everything that decides the bytes, with the release in place of the rows. */
async function deriveValidators(exchange: Exchange, plan: Plan, pageLink: PageLink): Promise<Validators> {
  const head = TEXTS.json.head(plan, { count: 0, total: plan.total, next: nextPage(plan, pageLink, true) });
  const text = head + plan.table.manifest.release + canonicalText(plan.table.folder, plan.request);
  // What people read names the address and the publisher too.
  const more = isStored(plan.request.format)
    ? ''
    : exchange.tree.manifest.release + addressOf(exchange.incoming);
  const hash = await sha256(encoder.encode(text + more));
  let modified = '';
  const files = plan.kind === 'stored' ? plan.files : plan.sources.map(({ file }) => file);
  for (const file of files) if (file.modified > modified) modified = file.modified;
  return { etag: `"${hash.slice(0, 32)}"`, modified: modified === '' ? null : new Date(modified) };
}

/** Null if no page follows or the answer has no pages. */
function nextPage({ request }: Plan, pageLink: PageLink, more: boolean): string | null {
  return more && request.limit !== null ? pageLink(request.offset + request.limit) : null;
}

/** Copies the rows of stored files without parsing them. */
function joinRows({ files, incoming }: Exchange, plan: StoredPlan, pageLink: PageLink): Rendered {
  const { total, request } = plan;
  // A Parquet file is never joined.
  const { between, tail, ...text } = TEXTS[request.format as TextFormat];
  const count = plan.files.reduce((sum, { rows }) => sum + rows, 0);
  const next = nextPage(plan, pageLink, request.offset + count < (total ?? 0));
  const head = text.head(plan, { count, total, next });
  async function* join(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(head);
    for (const [index, file] of plan.files.entries()) {
      if (index > 0) yield encoder.encode(between);
      const range = { start: 0, end: file.bytes - tail(file.rows).length };
      let isHead = head !== '';
      for await (const part of streamListed(files, file, range, incoming.signal)) {
        yield isHead ? part.subarray(part.indexOf(LINE_FEED) + 1) : part;
        isHead = false;
      }
    }
    yield encoder.encode(tail(count));
  }
  return { parts: join(), next };
}

const LINE_FEED = 10;

/**
 * A page of at most so many rows is found before its first byte is sent; a longer answer while it is sent.
 */
const KNOWN_ROWS = 10_000;

function isKnown({ request: { limit } }: ScanPlan): boolean {
  return limit !== null && limit <= KNOWN_ROWS;
}

/** Throws BudgetExceeded. */
async function scanRows(exchange: Exchange, plan: ScanPlan, pageLink: PageLink): Promise<Rendered> {
  const { total } = plan;
  const { limit, format, offset } = plan.request;
  if (!isKnown(plan) && plan.bytes > exchange.budget.bytes)
    throw new BudgetExceeded(`${plan.bytes} bytes of row groups`);
  const scan = new Scan(plan, { ...exchange, signal: exchange.incoming.signal });
  const pick = (most: number | null) => scan.pick(most, format === 'parquet' ? ROWS_A_GROUP : undefined);
  let picks: Picks = pick(limit);
  let more = total !== null && limit !== null && offset + limit < total;
  let page: PageFacts = { count: Number.POSITIVE_INFINITY, total, next: nextPage(plan, pageLink, more) };
  if (limit !== null && isKnown(plan)) {
    // One more row than the page has shows whether another page follows.
    const found: PickedRows[] = [];
    for await (const picked of pick(total === null ? limit + 1 : limit)) found.push(picked);
    const rows = found.reduce((sum, picked) => sum + picked.rows.length, 0);
    const count = Math.min(limit, rows);
    more = total === null ? rows > limit : offset + count < total;
    picks = takeRows(found, count);
    page = { count, total: knownTotal(plan, count, more), next: nextPage(plan, pageLink, more) };
  }
  const isEmpty = page.count === 0 && offset === 0 && isPaged(format);
  const said = isEmpty ? await withReason(exchange, plan) : plan;
  return { parts: render(exchange, scan, said, picks, page), next: page.next };
}

function* takeRows(picks: readonly PickedRows[], count: number): Generator<PickedRows> {
  let left = count;
  for (const picked of picks) {
    const to = Math.min(left, picked.rows.length);
    left -= to;
    if (to > 0) yield cutPick(picked, 0, to);
  }
}

/** Adds the reason for an empty answer to its notices. Earlier releases have no values.json to tell it. */
async function withReason(exchange: Exchange, plan: ScanPlan): Promise<ScanPlan> {
  const { conditions, asOf } = plan.request;
  const hasYears = plan.table.year < 0 || plan.years.length > 0;
  if (conditions.length === 0 || asOf !== undefined || !hasYears) return plan;
  const values = await exchange.tree.document<ValuesDocument>(`${plan.table.folder}/values.json`);
  return values ? { ...plan, notices: [...plan.notices, ...explainEmpty(plan, values)] } : plan;
}

function render(exchange: Exchange, scan: Scan, plan: ScanPlan, picks: Picks, page: PageFacts) {
  const { format } = plan.request;
  if (format === 'parquet') return renderParquet(plan.table, readBatches(scan, picks));
  if (format === 'xlsx') return renderSheets(exchange, plan, readBatches(scan, picks));
  if (format === 'md') return renderMarkdown(exchange, plan, page, readBatches(scan, picks));
  const { between, tail, head } = TEXTS[format];
  const cut = page.count === 0 ? 0 : between.length;
  return renderLines(scan.reader, format, picks, head(plan, page), cut, tail(page.count));
}

async function* readBatches(scan: Scan, picks: Picks): AsyncGenerator<Batch> {
  for await (const picked of picks)
    yield { rows: picked.rows.length, columns: await pickValues(scan.reader, picked) };
}
