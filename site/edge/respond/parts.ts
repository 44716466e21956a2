/** Answers that are lines of stored files and rows of scans, one after another. */
import { pageTail, ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { encodeCsvHeader, lineEncoder } from '../../query/encode.ts';
import { renderEnvelope } from '../../query/envelope.ts';
import type { Part, ScanPlan } from '../../query/plan.ts';
import type { Table, TextFile } from '../../query/table.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { Executor } from '../executors/executor.ts';
import { type Edit, findEdits, scanRows } from '../executors/past-scan.ts';
import { concat, cutPiece, editRows, joinRows, type LineEdit } from '../executors/text-cut.ts';
import { proveVersion, statListed } from '../files/proof.ts';
import type { PageLink } from '../question.ts';
import { lineRenderer } from '../render/lines.ts';
import { startEarly } from './early-start.ts';
import type { Headers } from './headers.ts';
import { linkHeader, nextPage } from './page.ts';

const encoder = new TextEncoder();

/** `executorOf`: who carries out a scan. */
export async function respondParts(
  exchange: Exchange,
  plan: ScanPlan & { readonly parts: readonly Part[] },
  executorOf: (scan: ScanPlan) => Executor,
  headers: Headers,
  pageLink: PageLink,
): Promise<Answer> {
  const { request, table } = plan;
  const lines = (part: Part) => readLines(exchange, plan, part, executorOf);
  const count = plan.parts.reduce((sum, part) => sum + ('piece' in part ? part.piece.take : part.take), 0);
  const next = nextPage(plan, pageLink, request.offset + count < (plan.total ?? 0));
  const linked = { ...headers, ...linkHeader(next) };
  if (request.format === 'csv') {
    // Every file must be there and, where the host can tell, have the right bytes before the first one is sent.
    for (const part of plan.parts) {
      const file = 'piece' in part ? part.piece.file : part.today;
      if (file) await proveText(exchange, file);
    }
    async function* all(): AsyncGenerator<Uint8Array> {
      yield encoder.encode(encodeCsvHeader(table.columns));
      for (const part of plan.parts) yield* lines(part);
    }
    return bodyAnswer(200, linked, await startEarly(all(), 2));
  }
  const pieces: Uint8Array[] = [];
  for (const part of plan.parts) {
    const read: Uint8Array[] = [];
    for await (const one of lines(part)) read.push(one);
    pieces.push(encoder.encode(pieces.length === 0 ? '' : ROW_SEPARATOR), joinRows(read));
  }
  const head = renderEnvelope(plan, { count, total: plan.total, next });
  const body = concat([encoder.encode(head), ...pieces, encoder.encode(pageTail(count))]);
  return bodyAnswer(200, linked, body);
}

async function proveText({ files, incoming: { signal } }: Exchange, file: TextFile): Promise<void> {
  const { version } = await statListed(files, file, signal);
  if (version !== undefined) await proveVersion(files, file, version, null, signal);
}

/** The lines of a part, each with its line end; those of JSON with a comma too. */
async function* readLines(
  { files, incoming: { signal } }: Exchange,
  { request: { format }, table }: ScanPlan,
  part: Part,
  executorOf: (scan: ScanPlan) => Executor,
): AsyncGenerator<Uint8Array> {
  const kind = format === 'csv' ? 'csv' : 'json';
  if ('piece' in part) return yield* cutPiece(files, part.piece, kind, signal);
  const { scan, take, today } = part;
  if (today && scan.past) {
    const edits = await findEdits(scan, scan.past, { files, signal });
    return yield* editRows(files, today, renderEdits(table, edits), signal);
  }
  const render = lineRenderer(table.columns, kind);
  for await (const batch of scanRows(executorOf(scan), scan, take, { files, signal })) yield* render(batch);
}

function renderEdits({ columns }: Table, edits: readonly Edit[]): readonly LineEdit[] {
  const encode = lineEncoder(columns, 'csv');
  const values = columns.map((_, position) => edits.map(({ row }) => row?.[position] ?? null));
  return edits.map(({ at, drops, row }, index) => ({
    at,
    drops,
    text: encoder.encode(row ? encode(values, index, index + 1) : ''),
  }));
}
