/** The right answer, found the slow way: all rows, filtered, sorted, paged, written out. */
import type { CopyEntry, DatasetManifest, RowColumn } from '../../../build/format/manifest.ts';
import { compareText, type Value } from '../../../site/query/order.ts';
import { readTreeJson } from '../../publishers/built-tree.ts';
import { allRows, COLUMNS, position, type Row, YEARS } from './rows.ts';

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

function matchingYears({ detail = 'areas', year, year_min, year_max }: Question): readonly number[] {
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
        const value = row[position(param)] ?? null;
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

const SAMPLE = 'Synthetic sample data: no figure here describes a real place.';

/** The JSON page of an edge. `notice`: what it says besides. */
export async function expectedJson(
  folder: string,
  question: Question,
  notice: string | null = null,
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
    version: '1.2.0',
    schema_hash: manifest.schema_hash,
    release: years.length === 1 ? slice!.release : manifest.release,
    license: 'ODC-By-1.0',
    attribution: 'Nobody “at all”',
    sample: true,
    detail,
    years,
    filters: Object.fromEntries(
      Object.entries(filters)
        .map(([param, values]) => [param, [...new Set(values)].sort(compareText)] as const)
        .sort(([a], [b]) => compareText(a, b)),
    ),
    total: plain || last || isCounted(manifest.copies, detail, Object.keys(filters)) ? rows.length : null,
    offset,
    limit: oneFile ? 10_000 : limit,
    count: page.length,
    next: more ? nextUrl(question, offset + limit) : null,
    notices: notice === null ? [SAMPLE] : [SAMPLE, notice],
  };
  return jsonPage(head, COLUMNS, page);
}

function nextUrl(question: Question, offset: number): string {
  const url = questionUrl(question);
  if (question.offset !== undefined) return url.replace(/offset=\d+/, `offset=${offset}`);
  return `${url}${url.includes('?') ? '&' : '?'}offset=${offset}`;
}

/** Whether the manifest says how many rows of a level have the values of the only filter. */
function isCounted(copies: readonly CopyEntry[], detail: string, [only = '', ...others]: readonly string[]) {
  const own = copies.filter(one => one.detail === detail && one.counted !== undefined);
  const known = own.flatMap(({ by, counted }) => [...by, ...Object.keys(counted?.attributes ?? {})]);
  return others.length === 0 && known.includes(only);
}

function jsonPage(head: object, columns: readonly RowColumn[], rows: readonly Row[]): string {
  const lines = rows.map(row =>
    JSON.stringify(Object.fromEntries(columns.map((column, i) => [column.name, row[i] ?? null]))),
  );
  return `${JSON.stringify(head).slice(0, -1)},"data":[\n${lines.join(',\n')}${lines.length > 0 ? '\n' : ''}]}\n`;
}

function csvText(columns: readonly RowColumn[], rows: readonly Row[]): string {
  const field = (value: Value) => {
    if (value === null) return '';
    const text = String(value);
    return text === '' || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const cells = rows.map(row => columns.map((_, i) => field(row[i] ?? null)));
  return [columns.map(column => column.name), ...cells].map(line => `${line.join(',')}\r\n`).join('');
}
