/** Answers that are errors. Bodies: FORMAT.md, "Errors, from an edge". */
import type { ErrorDocument, ValidationErrorDocument } from '../../../build/format/documents.ts';
import type { WithdrawnEntry } from '../../../build/format/manifest.ts';
import { API_ROOT, NO_YEAR } from '../../../build/format/paths.ts';
import { renderSql, type ScanPlan } from '../../query/plan.ts';
import { describeProblems } from '../../query/problems.ts';
import { formatQuery } from '../../query/query-string.ts';
import type { WrongRequest } from '../../query/request.ts';
import type { ForgottenAt } from '../../query/table.ts';
import { type Answer, bodyAnswer, type Incoming } from '../answer.ts';
import { explainResidual } from '../explanation.ts';
import { errorHeaders, type Headers, METHODS } from './headers.ts';

export function refuse(status: number, detail: string, extra: Headers = {}): Answer {
  return answerError(status, { detail }, extra);
}

function answerError(
  status: number,
  document: ErrorDocument | ValidationErrorDocument,
  extra?: Headers,
): Answer {
  return bodyAnswer(status, errorHeaders(extra), `${JSON.stringify(document)}\n`);
}

export function refuseUnknown(what: string, near: readonly string[], hint: string): Answer {
  return refuse(404, `${what}${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`} ${hint}`);
}

export function refuseWithdrawn({ key, withdrawn, reason, replacement }: WithdrawnEntry): Answer {
  const local = replacement !== null && !/^https?:/.test(replacement);
  const instead = local ? `/${API_ROOT}/${replacement}` : replacement;
  const use = instead === null ? '' : ` Use ${instead} instead.`;
  const link = instead === null ? {} : { Link: `<${encodeURI(instead)}>; rel="successor-version"` };
  return refuse(410, `${key} was withdrawn on ${withdrawn}: ${reason}${use}`, link);
}

export function refuseForgotten(subject: string, { year, detail, date, reason }: ForgottenAt): Answer {
  const what = [...(year === NO_YEAR ? [] : [year]), detail].join(' ');
  return refuse(410, `The earlier rows of ${subject}, ${what}, were taken back on ${date}: ${reason}`);
}

/** No published path is longer. A longer query costs more work than any real question. */
export const LONGEST_PATH = 2048;
export const LONGEST_QUERY = 8192;

export function refuseLength(): Answer {
  return refuse(
    414,
    `The path may have at most ${LONGEST_PATH} characters, and the query at most ${LONGEST_QUERY}.`,
  );
}

export function refuseHeaders(): Answer {
  return refuse(431, 'The request headers are too large. Send fewer or smaller ones, such as cookies.');
}

export function refuseMethod(): Answer {
  return refuse(405, `This service is read-only. It accepts ${METHODS}.`, { Allow: METHODS });
}

export function refuseParameters(
  { root, path }: Pick<Incoming, 'root' | 'path'>,
  { problems, corrected }: WrongRequest,
): Answer {
  return answerError(422, { detail: describeProblems(problems, root + path + formatQuery(corrected)) });
}

/** Gives the reader what is needed to run the scan elsewhere. */
export function refuseCost(
  plan: ScanPlan,
  reason: string,
  { origin, root }: Pick<Incoming, 'origin' | 'root'>,
): Answer {
  const document = {
    detail: `This answer costs more than the server allows (${reason}). Ask for less, or run the SQL yourself.`,
    files: plan.sources.map(({ file: { path, bytes } }) => ({ path: `${root}/${path}`, bytes })),
    residual: explainResidual(plan),
    sql: renderSql(plan, `${origin}${root}/`),
  };
  return answerError(501, document);
}
