/** Text of rows and of JSON envelopes, exact to the byte. FORMAT.md sections 2 and 3. */
import type { TextFormat } from '../../build/format/documents.ts';
import { pageHead, pageTail, ROW_SEPARATOR } from '../../build/format/envelope.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import { describeConditions } from './condition.ts';
import type { Value } from './order.ts';
import type { Plan } from './plan.ts';

const JSON_SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;
const CSV_SPECIAL = /[",\n]/;

export function encodeJsonValue(value: Value): string {
  if (typeof value === 'string') return JSON_SPECIAL.test(value) ? JSON.stringify(value) : `"${value}"`;
  return String(value);
}

export function encodeCsvValue(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (value !== '' && !CSV_SPECIAL.test(value)) return value;
  return `"${value.replaceAll('"', '""')}"`;
}

interface TextKind {
  /** Everything before the first row, with its line end. */
  head(plan: Plan, page: PageFacts): string;
  /** What is before a cell. */
  open(name: string, isFirst: boolean): string;
  readonly encode: (value: Value) => string;
  /** Ends a row. */
  readonly close: string;
  /** The end of `close` that the last row lacks. */
  readonly between: string;
  tail(rows: number): string;
}

export const TEXTS: Readonly<Record<TextFormat, TextKind>> = {
  json: {
    head: renderEnvelope,
    open: (name, isFirst) => `${isFirst ? '{' : ','}${JSON.stringify(name)}:`,
    encode: encodeJsonValue,
    close: `}${ROW_SEPARATOR}`,
    between: ROW_SEPARATOR,
    tail: pageTail,
  },
  csv: {
    head: ({ table }) => encodeCsvHeader(table.columns),
    open: (_, isFirst) => (isFirst ? '' : ','),
    encode: encodeCsvValue,
    close: '\r\n',
    between: '',
    tail: () => '',
  },
};

export type CellEncoder = (value: Value) => string;

/** A cell includes its separator, and the last one of a line the line end, in JSON after a comma. */
export function cellEncoders(columns: readonly RowColumn[], format: TextFormat): readonly CellEncoder[] {
  const { open, encode, close } = TEXTS[format];
  return columns.map(({ name, utc }, index) => {
    const before = open(name, index === 0);
    const after = index === columns.length - 1 ? close : '';
    return value => before + encode(utc && value !== null ? `${value}Z` : value) + after;
  });
}

/** With its line end. */
export function encodeCsvHeader(columns: readonly RowColumn[]): string {
  return `${columns.map(({ name }) => encodeCsvValue(name)).join(',')}\r\n`;
}

export interface PageFacts {
  readonly count: number;
  readonly total: number | null;
  /** The next page's path and query. */
  readonly next: string | null;
}

function renderEnvelope(plan: Plan, { count, total, next }: PageFacts): string {
  const { table, request, notices } = plan;
  const { offset, limit } = request;
  const rest = { offset, limit: limit ?? count, count, next, notices };
  if (table.kind === 'dataset') return pageHead({ ...describeQuestion(plan), total, ...rest });
  return pageHead({ dimension: table.name, ...stamp(plan), total: total ?? 0, ...rest });
}

/** Null on a page before the last if only a scan could count the rows: no row is read just to be counted. */
export function knownTotal(plan: Plan, count: number, more: boolean): number | null {
  if (plan.total !== null || more) return plan.total;
  const { offset } = plan.request;
  return count > 0 || offset === 0 ? offset + count : null;
}

export function describeQuestion(plan: Pick<Plan, 'table' | 'release' | 'request' | 'years'>) {
  return {
    dataset: plan.table.name,
    ...stamp(plan),
    detail: plan.request.detail,
    years: plan.years,
    filters: describeConditions(plan.request.conditions),
  };
}

function stamp({ table, release, request: { asOf } }: Pick<Plan, 'table' | 'release' | 'request'>) {
  const { version, schema_hash, license, attribution, sample } = table.manifest;
  return {
    ...{ version, schema_hash, release, license, attribution },
    ...(sample && { sample: true as const }),
    ...(asOf !== undefined && { as_of: asOf }),
  };
}
