/** Answers that are lines of stored files. Nothing is parsed. */
import { pageTail, ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { encodeCsvHeader } from '../../query/encode.ts';
import { renderEnvelope } from '../../query/envelope.ts';
import type { CutPlan } from '../../query/plan.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange, Weight } from '../exchange.ts';
import { concat, cutPiece, joinRows } from '../executors/text-cut.ts';
import { proveVersion, statListed } from '../files/proof.ts';
import type { PageLink } from '../question.ts';
import { codeAnswer } from './coding.ts';
import { startEarly } from './early-start.ts';
import type { Headers } from './headers.ts';
import { judgePage, linkHeader, nextPage } from './page.ts';

const encoder = new TextEncoder();

export async function respondCut(exchange: Exchange, plan: CutPlan, pageLink: PageLink): Promise<Answer> {
  const { incoming, compute } = exchange;
  const { headers, settled, choice } = await judgePage(incoming, plan, pageLink);
  if (settled) return settled;
  const here = () =>
    plan.request.format === 'csv'
      ? respondCsv(exchange, plan, { ...headers, ...linkHeader(nextOf(plan, pageLink)) })
      : respondJson(exchange, plan, headers, pageLink);
  return codeAnswer(compute ? await compute(incoming, weigh(plan), here) : await here(), choice, incoming);
}

function nextOf(plan: CutPlan, pageLink: PageLink): string | null {
  const count = plan.pieces.reduce((sum, { take }) => sum + take, 0);
  return nextPage(plan, pageLink, plan.request.offset + count < (plan.total ?? 0));
}

/** The most bytes of lines that are light to cut: a page of 1,000 rows, more or less. */
const LIGHT_BYTES = 1 << 20;

function weigh({ pieces }: CutPlan): Weight {
  const bytes = pieces.reduce((sum, { file: { entry }, take }) => sum + (entry.bytes / entry.rows) * take, 0);
  return bytes <= LIGHT_BYTES ? 'light' : 'middle';
}

/** Streams the lines, once every file is known to be there and, where the host can tell, to have the right bytes. */
async function respondCsv({ files, incoming }: Exchange, plan: CutPlan, headers: Headers): Promise<Answer> {
  for (const { file } of plan.pieces) {
    const { version } = await statListed(files, file, incoming.signal);
    if (version !== undefined) await proveVersion(files, file, version, null, incoming.signal);
  }
  async function* lines(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(encodeCsvHeader(plan.table.columns));
    for (const piece of plan.pieces) yield* cutPiece(files, piece, 'csv', incoming.signal);
  }
  return bodyAnswer(200, headers, await startEarly(lines(), 2));
}

async function respondJson(
  { files, incoming }: Exchange,
  plan: CutPlan,
  headers: Headers,
  pageLink: PageLink,
): Promise<Answer> {
  const pieces: Uint8Array[] = [];
  let count = 0;
  for (const piece of plan.pieces) {
    const parts: Uint8Array[] = [];
    for await (const part of cutPiece(files, piece, 'json', incoming.signal)) parts.push(part);
    pieces.push(encoder.encode(count === 0 ? '' : ROW_SEPARATOR), joinRows(parts));
    count += piece.take;
  }
  const next = nextOf(plan, pageLink);
  const head = renderEnvelope(plan, { count, total: plan.total, next });
  const body = concat([encoder.encode(head), ...pieces, encoder.encode(pageTail(count))]);
  return bodyAnswer(200, { ...headers, ...linkHeader(next) }, body);
}
