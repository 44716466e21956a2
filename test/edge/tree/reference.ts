/** What every answer must be, found the slow way: all rows, filtered, sorted, paged, written out. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetManifest } from '../../../build/format/manifest.ts';
import { compareText } from '../../../site/query/order.ts';
import { isCounted } from './orders.ts';
import { allRows, COLUMNS, FILTERS, type Row, YEARS } from './rows.ts';
import { csvText, jsonPage, STAMP } from './write.ts';

/** A question, as a reader has it in mind. Values of filters are text, as in a URL. */
export interface Question {
  readonly detail?: string;
  readonly year?: number;
  readonly year_min?: number;
  readonly year_max?: number;
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly offset?: number;
  readonly limit?: number;
}

export const FACTS = '/api/v1/demo/things';

export function questionUrl(question: Question, format?: string): string {
  const { filters, ...rest } = question;
  const pairs = Object.entries(rest).map(([name, value]) => [name, String(value)]);
  for (const [param, values] of Object.entries(filters ?? {})) pairs.push([param, values.join(',')]);
  if (format !== undefined) pairs.push(['format', format]);
  if (pairs.length === 0) return FACTS;
  return `${FACTS}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!).replaceAll('%2C', ',').replaceAll('%3A', ':')}`).join('&')}`;
}

export function matchingYears({ detail = 'areas', year, year_min, year_max }: Question): readonly number[] {
  return YEARS[detail]!.filter(
    held => (year ?? held) === held && held >= (year_min ?? held) && held <= (year_max ?? held),
  );
}

export function matchingRows(question: Question): readonly Row[] {
  const years = matchingYears(question);
  return allRows(question.detail ?? 'areas').filter(
    row =>
      years.includes(Number(row[0])) &&
      Object.entries(question.filters ?? {}).every(([param, values]) => {
        if (param === 'place') return values.includes(placeOf(row));
        const column = FILTERS.find(filter => filter.param === param)!.column!;
        const value = row[COLUMNS.findIndex(({ name }) => name === column)];
        return value !== null && value !== undefined && values.some(wanted => String(value) === wanted);
      }),
  );
}

/** As a URL names it, before it is encoded for the URL. No code of these rows needs more. */
function placeOf(row: Row): string {
  return [row[1], row[4]].filter(code => code !== null).join(':');
}

export function expectedCsv(question: Question): string {
  const { offset = 0, limit } = question;
  return csvText(
    COLUMNS,
    matchingRows(question).slice(offset, limit === undefined ? undefined : offset + limit),
  );
}

/** The JSON page of an edge, notices left out where there are years; `notices` are compared by the caller. */
export async function expectedJson(
  folder: string,
  question: Question,
  notices: readonly string[],
): Promise<string> {
  const { detail = 'areas', filters = {}, offset = 0, limit = 10_000 } = question;
  const manifest = JSON.parse(
    await readFile(join(folder, 'api/v1/demo/things/manifest.json'), 'utf8'),
  ) as DatasetManifest;
  const years = matchingYears(question);
  const rows = matchingRows(question);
  const page = rows.slice(offset, offset + limit);
  const more = offset + page.length < rows.length && page.length > 0;
  const plain = Object.keys(filters).length === 0;
  const last = !more && (page.length > 0 || offset === 0);
  const slice = manifest.slices.find(entry => entry.detail === detail && entry.year === years[0]);
  const oneFile =
    plain && years.length === 1 && offset % 10_000 === 0 && !more && (page.length > 0 || offset === 0);
  const head = {
    dataset: manifest.dataset,
    version: STAMP.version,
    schema_hash: STAMP.schema_hash,
    release: years.length === 1 ? slice!.release : manifest.release,
    license: STAMP.license,
    attribution: STAMP.attribution,
    ...(manifest.sample && { sample: true }),
    detail,
    years,
    filters: Object.fromEntries(
      Object.keys(filters)
        .sort()
        .map(param => [param, [...new Set(filters[param])].sort(compareText)]),
    ),
    total:
      plain || last || isCounted(question.detail ?? 'areas', question.filters ?? {}) ? rows.length : null,
    offset,
    limit: oneFile ? 10_000 : limit,
    count: page.length,
    next: more ? nextUrl(question, offset + limit) : null,
    notices,
  };
  return jsonPage(head, COLUMNS, page);
}

function nextUrl(question: Question, offset: number): string {
  const url = questionUrl(question);
  if (question.offset !== undefined) return url.replace(/offset=\d+/, `offset=${offset}`);
  return `${url}${url.includes('?') ? '&' : '?'}offset=${offset}`;
}
