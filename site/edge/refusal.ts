/** Answers that are errors. Bodies: FORMAT.md, "Errors, from an edge". */
import type { ErrorDocument, ValidationErrorDocument } from '../../build/format/documents.ts';
import { planFiles, type ScanPlan } from '../query/plan.ts';
import { describeProblems, type Problem } from '../query/problems.ts';
import { describeConditions } from '../query/request.ts';
import { renderSql } from '../query/sql.ts';
import { type BodyAnswer, bodyAnswer, type Incoming } from './answer.ts';
import { errorHeaders, METHODS } from './headers.ts';

export function refuse(
  status: number,
  detail: string,
  extra: Readonly<Record<string, string>> = {},
): BodyAnswer {
  const document: ErrorDocument = { detail };
  return bodyAnswer(status, errorHeaders(extra), `${JSON.stringify(document)}\n`);
}

export function refuseUnknown(what: string, near: string | null, hint: string): BodyAnswer {
  return refuse(404, `${what}${near === null ? '' : ` Did you mean ${near}?`} ${hint}`);
}

export function refuseMethod(): BodyAnswer {
  return refuse(405, `This service is read-only: ${METHODS} are the methods it knows.`, { Allow: METHODS });
}

export function refuseParameters(problems: readonly Problem[], correctedUrl: string): BodyAnswer {
  const document: ValidationErrorDocument = { detail: describeProblems(problems, correctedUrl) };
  return bodyAnswer(422, errorHeaders(), `${JSON.stringify(document)}\n`);
}

/** What the edge will not do, and everything that is needed to do it elsewhere. */
export function refuseCost(
  plan: ScanPlan,
  reason: string,
  { origin, base = '' }: Pick<Incoming, 'origin' | 'base'>,
): BodyAnswer {
  const { conditions, sort, offset, limit } = plan.residual;
  const document = {
    detail: `This answer costs more than this server allows (${reason}). Read the files and run the SQL, or ask for less.`,
    files: planFiles(plan).map(({ path, bytes }) => ({ path: `${base}/${path}`, bytes })),
    residual: { filters: describeConditions(conditions), sort, offset, limit },
    sql: renderSql(plan, `${origin}${base}/`),
  };
  return bodyAnswer(501, errorHeaders(), `${JSON.stringify(document)}\n`);
}
