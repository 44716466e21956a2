/** What answers made of rows share, wherever the rows come from: their headers, and the link to the next page. */
import { renderEnvelope } from '../../query/envelope.ts';
import { type Plan, planFiles } from '../../query/plan.ts';
import { canonicalText } from '../../query/request.ts';
import type { BodyAnswer, Incoming } from '../answer.ts';
import { sha256 } from '../files/sha256.ts';
import type { PageLink } from '../question.ts';
import { type CodingChoice, chooseCoding, codedTag } from './coding.ts';
import { answerConditions } from './conditional.ts';
import { answerHeaders, attachment, contentType, type Headers, type Validators } from './headers.ts';

export interface JudgedPage {
  /** Of the answer before it is coded. */
  readonly headers: Headers;
  readonly choice: CodingChoice;
  /** The whole answer, where the conditions of the request decide it; null where the rows must be sent. */
  readonly settled: BodyAnswer | null;
}

/** Reads no row: a reader whose copy is current costs nothing but this. */
export async function judgePage(incoming: Incoming, plan: Plan, pageLink: PageLink): Promise<JudgedPage> {
  const { table, request } = plan;
  const validators = await deriveValidators(plan, pageLink);
  const type = `.${request.format}`;
  const named = attachment(table.name, request.format);
  const choice = chooseCoding(incoming, type, null);
  const coded = { ...validators, etag: codedTag(validators.etag, choice.coding) };
  const sent = answerHeaders(contentType(type), coded, { ...named, ...choice.vary });
  return {
    headers: answerHeaders(contentType(type), validators, named),
    choice,
    settled: answerConditions(incoming, coded, sent),
  };
}

/** The ETag hashes all that decides the bytes but the rows, and the release, which decides the rows. */
async function deriveValidators(plan: Plan, pageLink: PageLink): Promise<Validators> {
  const head = renderEnvelope(plan, { count: 0, total: plan.total, next: nextPage(plan, pageLink, true) });
  const text = head + plan.table.stamp.release + canonicalText(plan.table.folder, plan.request);
  const hash = await sha256(new TextEncoder().encode(text));
  let modified = '';
  for (const file of planFiles(plan)) if (file.modified > modified) modified = file.modified;
  return { etag: `"${hash.slice(0, 32)}"`, modified: modified === '' ? null : new Date(modified) };
}

/** The address of the following page; null where `more` is false or the answer has no pages. */
export function nextPage({ request }: Plan, pageLink: PageLink, more: boolean): string | null {
  return more && request.limit !== null ? pageLink(request.offset + request.limit) : null;
}

export function linkHeader(next: string | null): Headers {
  return next === null ? {} : { Link: `<${next}>; rel="next"` };
}
