/** Answers that are lines of stored files. Nothing is parsed. */
import { pageTail } from '../../../build/format/envelope.ts';
import { encodeCsvHeader } from '../../query/encode.ts';
import { renderEnvelope } from '../../query/envelope.ts';
import type { CutPlan } from '../../query/plan.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { begin, readWhole } from '../parts.ts';
import type { PageLink } from '../question.ts';
import { cutPiece, joinPieces } from '../rows/text-cut.ts';
import { codeAnswer } from './coding.ts';
import { judgePage, linkHeader, nextPage } from './page.ts';

const encoder = new TextEncoder();

/** Lines of fewer bytes, more or less, are sent as a whole. More are read while their reader takes them. */
const WHOLE_BYTES = 512 << 10;

export async function respondCut(exchange: Exchange, plan: CutPlan, pageLink: PageLink): Promise<Answer> {
  const { incoming } = exchange;
  const { headers, settled, choice } = await judgePage(incoming, plan, pageLink);
  if (settled) return settled;
  const count = plan.pieces.reduce((sum, { take }) => sum + take, 0);
  const next = nextPage(plan, pageLink, plan.request.offset + count < (plan.total ?? 0));
  const lines = plan.request.format === 'csv' ? csvLines(exchange, plan) : jsonLines(exchange, plan, next);
  const size = plan.pieces.reduce(
    (sum, { file: { entry }, take }) => sum + (entry.bytes / entry.rows) * take,
    0,
  );
  const body = size <= WHOLE_BYTES ? await readWhole(lines) : await begin(lines);
  return codeAnswer(bodyAnswer(200, { ...headers, ...linkHeader(next) }, body), choice, incoming);
}

async function* csvLines({ files, incoming }: Exchange, plan: CutPlan): AsyncGenerator<Uint8Array> {
  yield encoder.encode(encodeCsvHeader(plan.table.columns));
  for (const piece of plan.pieces) yield* cutPiece(files, piece, 'csv', incoming.signal);
}

async function* jsonLines(
  { files, incoming }: Exchange,
  plan: CutPlan,
  next: string | null,
): AsyncGenerator<Uint8Array> {
  const count = plan.pieces.reduce((sum, { take }) => sum + take, 0);
  yield encoder.encode(renderEnvelope(plan, { count, total: plan.total, next }));
  yield* joinPieces(plan.pieces.map(piece => cutPiece(files, piece, 'json', incoming.signal)));
  yield encoder.encode(pageTail(count));
}
