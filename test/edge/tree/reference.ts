/** The right answer, found the slow way: all rows, filtered, sorted, paged, written out. */
import type { DatasetManifest } from '../../../build/format/manifest.ts';
import { compareText } from '../../../site/query/order.ts';
import { readTreeJson } from '../../publishers/built-tree.ts';
import { allRows, COLUMNS, FILTERS, isCounted, position, type Row, YEARS } from './rows.ts';
import { csvText, jsonPage, STAMP } from './write.ts';

type Numbers = Partial<Record<'year' | 'year_min' | 'year_max' | 'offset' | 'limit', number>>;

/** A question of a reader. Values of filters are text, as in a URL. */
export interface Question extends Readonly<Numbers> {
  readonly detail?: string;
  readonly filters?: Readonly<Record<string, readonly string[]>>;
}

export const FACTS = '/api/v1/demo/things';

export function questionUrl(question: Question, format?: string): string {
  const { filters, ...rest } = question;
  const pairs = Object.entries(rest).map(([name, value]) => [name, String(value)]);
  for (const [param, values] of Object.entries(filters ?? {})) pairs.push([param, values.join(',')]);
  if (format !== undefined) pairs.push(['format', format]);
  const encode = (text = '') => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':');
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return query === '' ? FACTS : `${FACTS}?${query}`;
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
        const value = row[position(column)] ?? null;
        return value !== null && values.includes(String(value));
      }),
  );
}

/** The rows of the page that is asked for. */
export function pageOf(question: Question): readonly Row[] {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = question;
  return matchingRows(question).slice(offset, offset + limit);
}

/** As named in a URL, before encoding. No code of these rows needs more. */
function placeOf(row: Row): string {
  return [row[1], row[4]].filter(code => code !== null).join(':');
}

export function expectedCsv(question: Question): string {
  return csvText(COLUMNS, pageOf(question));
}

/** The JSON page of an edge. The caller passes `notices`. */
export async function expectedJson(
  folder: string,
  question: Question,
  notices: readonly string[],
): Promise<string> {
  const { detail = 'areas', filters = {}, offset = 0, limit = 10_000 } = question;
  const manifest = await readTreeJson<DatasetManifest>(folder, 'api/v1/demo/things/manifest.json');
  const years = matchingYears(question);
  const rows = matchingRows(question);
  const page = rows.slice(offset, offset + limit);
  const more = offset + page.length < rows.length && page.length > 0;
  const plain = Object.keys(filters).length === 0;
  const last = !more && (page.length > 0 || offset === 0);
  const slice = manifest.slices.find(entry => entry.detail === detail && entry.year === years[0]);
  const oneFile = plain && years.length === 1 && offset % 10_000 === 0 && last;
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
      Object.entries(filters)
        .map(([param, values]) => [param, [...new Set(values)].sort(compareText)] as const)
        .sort(([a], [b]) => compareText(a, b)),
    ),
    total: plain || last || isCounted(detail, filters) ? rows.length : null,
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
