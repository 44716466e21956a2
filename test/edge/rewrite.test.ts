/** The parts of the files for rewriting hosts. */
import { describe, expect, test } from 'vitest';
import type { SchemaDocument } from '../../build/format/documents.ts';
import { GRAMMAR } from '../../build/format/grammar.ts';
import type { PublishedDocuments } from '../../build/format/host-files.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { MOST_BYTES } from '../../build/hosts/s3-cloudfront.ts';
import { renderCloudFrontFiles, renderEntry, renderTable } from '../../site/edge/adapters/rewrite/render.ts';
import type { Asked, Decision } from '../../site/edge/adapters/rewrite/rules.ts';
import * as rules from '../../site/edge/adapters/rewrite/rules.ts';
import type { Problem } from '../../site/query/problems.ts';
import { parseQuery } from '../../site/query/query-string.ts';
import { parseRequest } from '../../site/query/request.ts';
import { prepareDataset } from '../../site/query/table.ts';
import { functionScript, loadFunction, toEvent } from '../conformance/rewrite-hosts.ts';
import { readCloudFrontScript } from '../conformance/rewrite-requests.ts';

const script = await readCloudFrontScript();

/** The files for a tree with these documents and paths. */
const render = (tree: PublishedDocuments, paths: readonly string[] = []) =>
  renderCloudFrontFiles(tree, paths, script);

const TREE = '2031-05-17-0a1b2c3d';
/** Where CloudFront's function looks for files. */
const ONLINE = `/releases/${TREE}`;

type MadeSlice = Readonly<{ year: number; detail: string; rows: number; without?: string }>;

interface Made {
  readonly slices?: readonly MadeSlice[];
  readonly columns?: readonly string[];
  /** The grain doesn't begin with the year. */
  readonly yearLast?: boolean;
  /** The parameter of whole keys. */
  readonly place?: string;
  /** The only accepted values of the first column. */
  readonly values?: readonly string[];
}

const SLICES: readonly MadeSlice[] = [
  { year: 2015, detail: 'l', rows: 159 },
  { year: 2016, detail: 'l', rows: 159 },
  { year: 2019, detail: 'l', rows: 20_000 },
  { year: 2019, detail: 'm', rows: 0 },
];

/** The parts of a dataset's documents that a plan needs. */
function make({ slices = SLICES, columns = ['place'], yearLast, values, place }: Made = {}) {
  const levels = [...new Set(slices.map(({ detail }) => detail))].sort();
  const page = (rows: number) => ({ path: 'x', rows });
  const pages = (rows: number) =>
    Array.from({ length: Math.max(1, Math.ceil(rows / 10_000)) }, (_, i) =>
      page(Math.min(10_000, rows - i * 10_000)),
    );
  const manifest = {
    dataset: 'a/b',
    columns: ['year', ...columns].map(name => ({ name, type: 'string' })),
    order: yearLast ? [...columns, 'year'] : ['year', ...columns],
    ...{ place: [], key_columns: [], copies: [] },
    slices: slices.map(({ year, detail, rows, without = '' }) => ({
      ...{ year, detail, rows },
      files: {
        json: without.includes('json') ? [] : pages(rows),
        csv: without.includes('csv') ? [] : [page(rows)],
        parquet: [{ ...page(rows), row_groups: [] }],
      },
    })),
  } as unknown as DatasetManifest;
  const schema = {
    detail_levels: levels,
    default_detail: levels[0],
    filters: [
      ...['year', 'year_min', 'year_max'].map(param => ({
        ...{ param, column: 'year', kind: param === 'year' ? 'year_exact' : 'year_range' },
      })),
      { param: 'detail', kind: 'detail', values: levels },
      ...columns.map((param, i) => ({
        ...{ param, kind: 'categorical', column: param, multi_value: true },
        ...(i === 0 && values && { enum_enforced: true, values }),
      })),
      ...(place ? [{ param: place, kind: 'place', columns, multi_value: true }] : []),
    ],
  } as unknown as SchemaDocument;
  return { manifest, schema };
}

/** The documents under another key. */
function named(dataset: string, { manifest, schema }: ReturnType<typeof make>) {
  return { manifest: { ...manifest, dataset }, schema };
}

function tableOf(made?: Made) {
  const { manifest, schema } = make(made);
  return prepareDataset('api/v1/a/b', manifest, schema);
}

const without = (formats: string) => SLICES.map(slice => ({ ...slice, without: formats }));
/** Characters that an entry or a URL uses for itself. */
const NAMES = ["it's", 'A;b|c:d', 'é,', 'f*', 'g (%)'];

function decide(query: string, made?: Made, url = '/api/v1/a/b') {
  const asked: Asked = { method: 'GET', url, query, html: false, root: '', origin: 'https://h' };
  return rules.decide(asked, rules.locate(asked), renderEntry(tableOf(made)));
}

/** A file, or the status and, for a 501, what is known. */
function told(decision: Decision): string {
  if (decision.file !== undefined) return decision.file;
  if (decision.status !== 501) return `${decision.status} ${decision.location ?? ''}`.trim();
  const { sql, residual, files } = JSON.parse(decision.text ?? '{}');
  return `501${sql === null ? '' : ' sql'}${residual === null ? '' : ' residual'} ${files?.length ?? 0}`;
}

const PAIRS = { columns: ['p', 'q'], place: 'place' };
const LISTS = { values: ['x', 'y', 'x,y', ''] };

test.each<[string, string, Made?]>([
  ['year=2015', 'api/v1/a/b/year=2015/l.json'],
  ['year_min=2017&offset=10000', 'api/v1/a/b/year=2019/l.page-2.json'],
  ['year=2019&detail=m', 'api/v1/a/b/year=2019/m.json'],
  ['detail=m', 'api/v1/a/b/year=2019/m.json'],
  ['detail=m&format=parquet&limit=1', 'api/v1/a/b/year=2019/m.parquet'],
  ['year=2015&format=csv&limit=159', 'api/v1/a/b/year=2015/l.csv'],
  // A page with a next one redirects to its own URL.
  ['year=2019', '307 /api/v1/a/b/year=2019/l.json'],
  ['year=2019&format=csv&limit=10000', '501 sql residual 1'],
  ['year=2019&offset=20000', '501 sql residual 1'],
  ['year=2015&offset=1', '501 sql residual 1'],
  ['year=2017', '501 residual 0'],
  ['', '501 sql residual 3'],
  // A format that is left out must be computed.
  ['year=2015', '501 sql residual 1', { slices: without('json') }],
  ['year=2015&format=csv', 'api/v1/a/b/year=2015/l.csv', { slices: without('json') }],
  ['year=2015&format=csv', '501 sql residual 1', { slices: without('csv') }],
  ['year=2015&format=parquet', 'api/v1/a/b/year=2015/l.parquet', { slices: without('json csv') }],
  // Names of columns stay encoded.
  ...['it%27s', 'A%3Bb%7Cc%3Ad', '%C3%A9,', 'f%2a', 'g%20(%25)'].map((name): [string, string, Made] => [
    `${name}=1&year=2015`,
    '501 sql residual 1',
    { columns: NAMES },
  ]),
  ['its=1', '422', { columns: NAMES }],
  // Whole keys are passed on, not guessed.
  ['year=2015&place=1:2', '501 1', PAIRS],
  ['year=2015&place=a%253Ab:c', '501 1', PAIRS],
  ['place=1:2,', '422', PAIRS],
  // The order of rows of several slices is always known.
  ['limit=3', '501 sql residual 3'],
  // Whether a text is one value or a list isn't.
  ['place=x', '501 sql residual 3', LISTS],
  ['place=x,y', '501 3', LISTS],
  ['place=x%252Cy', '501 sql residual 3', LISTS],
  ['place=', '501 3', LISTS],
  ['year=2015&place=%E9', '422'],
])('the rules: %s → %s', (query, expected, made) => {
  expect(told(decide(query, made))).toBe(expected);
});

/** Far from any name: only the planner knows the nearest one. */
test.each([
  ...['zzzzzz=1', 'limit=0', 'limit=10001', 'limit=x', 'offset=-1', 'offset=1.5', 'year=', 'year_min=+9e9'],
  ...[
    'year=9007199254740992',
    'detail=zzzz',
    'format=zzzz',
    'year=1&year=2',
    'place=a&place=b',
    'place=a,,b',
  ],
  ...['limit=20000&format=csv&offset=x', 'format=csv&limit=0&zz=&detail='],
])('%s is refused in the words of the planner', query => {
  const parsed = parseRequest(tableOf(), parseQuery(query)!) as { problems: readonly Problem[] };
  const { status, text = '' } = decide(query) as { status: number; text?: string };
  const problems = parsed.problems.map(({ param, ...problem }) => ({ ...problem, loc: ['query', param] }));
  expect([status, JSON.parse(text)]).toEqual([422, { detail: problems }]);
});

test('every parameter of the grammar is known where nothing is computed', () => {
  expect([...tableOf().parameters.keys()]).toEqual(expect.arrayContaining(GRAMMAR.map(({ name }) => name)));
  for (const { name } of GRAMMAR)
    expect((decide(`${name}=1`) as { text?: string }).text ?? '').not.toContain('extra_forbidden');
});

test('work is planned', () => {
  const query = 'year_max=2016&pla%22ce=o%27x,2&limit=5&offset=2';
  const { text = '' } = decide(query, { columns: ['pla"ce'] }) as { text?: string };
  expect(JSON.parse(text)).toMatchObject({
    manifest: '/api/v1/a/b/manifest.json',
    files: [{ path: '/api/v1/a/b/year=2015/l.parquet' }, { path: '/api/v1/a/b/year=2016/l.parquet' }],
    residual: { filters: { 'pla"ce': ["o'x", '2'] }, offset: 2, limit: 5 },
    sql:
      "SELECT * FROM read_parquet(['https://h/api/v1/a/b/year=2015/l.parquet', " +
      "'https://h/api/v1/a/b/year=2016/l.parquet'], hive_partitioning = false) " +
      `WHERE "pla""ce" IN ('o''x', '2') ` +
      'ORDER BY "year" NULLS FIRST, "pla""ce" NULLS FIRST LIMIT 5 OFFSET 2',
  });
  const late = decide('limit=3', { columns: ['p'], yearLast: true }) as { text?: string };
  expect(JSON.parse(late.text ?? '').sql).toMatch(/ORDER BY "p" NULLS FIRST, "year" NULLS FIRST LIMIT 3$/);
  const odd = decide('year=2015&place=a%00b') as { text?: string };
  expect(JSON.parse(odd.text ?? '').sql).toMatch(/"place" = 'a' \|\| chr\(0\) \|\| 'b' ORDER BY/);
});

test('an ignored parameter may be invalid UTF-8', () => {
  expect(decide('utm=caf%E9&%E9&format=%E9&format=json', {}, '/api/v1/datasets/a/b/contract')).toEqual({
    file: 'api/v1/datasets/a/b/contract.json',
  });
});

describe("CloudFront's table", () => {
  const PATHS = ['index.json', 'api/v1/domain-1/index.html', 'api/v1/domain-1/topic-1/manifest.json'];

  /** 300 datasets, one with an entry that is too long for a value. */
  const many = (count: number): PublishedDocuments => {
    const keys = Array.from({ length: count }, (_, i) => `domain-${i % 7}/topic-${i}`);
    const datasets = keys.map((key, i) => {
      const slices = Array.from({ length: i === 1 ? 700 : 5 }, (_, year) => ({
        year: 1500 + year,
        detail: 'l',
        rows: (i + 1) * 997 + year * 31,
      }));
      return named(key, make({ slices }));
    });
    const entries = keys.map(key => ({ key, path: `api/v1/${key}/manifest.json` }));
    return {
      manifest: { release: TREE, datasets: entries, dimensions: [] } as unknown as TreeManifest,
      datasets,
      dimensions: [],
    };
  };

  const files = render(many(300), PATHS);
  const store = JSON.parse(files[1]!.text) as { data: { key: string; value: string }[] };

  test('is a key-value store, in parts that fit', () => {
    expect(files.map(({ path }) => path)).toEqual(['cloudfront-function.js', 'keyvaluestore.json']);
    for (const { path, text } of files)
      expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(MOST_BYTES[path]!);
    const keys = store.data.map(({ key }) => key);
    expect([Object.keys(store), new Set(keys).size]).toEqual([['data'], keys.length]);
    for (const { key, value } of store.data) {
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(512);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1024);
      expect(value).not.toBe('');
    }
    expect(keys.some(key => key.startsWith(`${TREE}/domain-1/topic-1#`))).toBe(true);
    // The same documents give the same bytes.
    expect(render(many(300), PATHS)).toEqual(files);
  });

  const ASKED: readonly (readonly [string, string, string | number])[] = [
    ['/api/v1/domain-3/topic-3', 'year=1503', `${ONLINE}/api/v1/domain-3/topic-3/year=1503/l.json`],
    ['/api/v1/domain-1/topic-1', 'year=2199&format=csv', `${ONLINE}/api/v1/domain-1/topic-1/year=2199/l.csv`],
    ['/api/v1/domain-1/topic-1', 'year=2200', 501],
    ['/api/v1/domain-1/topic-2', '', 404],
    ['/api/v1/domain-1/topic-1', 'yaer=', 422],
    ['/api/v1/domain-1', '', 301],
    ['/api/v1/domain-2', '', 404],
    ['/healthz', '', `${ONLINE}/healthz.json`],
  ];
  const events = ASKED.map(([url, query]) => toEvent({ url: `${url}?${query}`, accept: '*/*' }));

  // test/conformance/rewrite.test.ts runs it under njs.
  test('and is read from there', async () => {
    const returned = await Promise.all(events.map(loadFunction(functionScript(files, TREE))));
    const answers = returned.map(({ uri, statusCode }, i) => [...ASKED[i]!.slice(0, 2), uri ?? statusCode]);
    expect(answers).toEqual(ASKED);
  });

  test("a store that fails or has another release doesn't make a dataset unknown", async () => {
    const broken = loadFunction(functionScript(files, TREE, { broken: true }));
    await expect(broken(events[0]!)).rejects.toThrow(`no ${TREE}/domain-3/topic-3`);
    expect((await broken(toEvent({ url: '/api/v1/no/such', accept: '*/*' }))).statusCode).toBe(404);
    const other = loadFunction(functionScript(files, '2031-05-18-0a1b2c3d'));
    await expect(other(events[0]!)).rejects.toThrow('2031-05-18-0a1b2c3d');
    const file = await other(toEvent({ url: '/manifest.json', accept: '*/*' }));
    expect(file.uri).toBe('/releases/2031-05-18-0a1b2c3d/manifest.json');
  });

  test('nginx has no such limit: its table is a line for each', () => {
    const { path, text } = renderTable(many(300));
    expect([path, text.split('\n').length]).toEqual(['rewriting.txt', 302]);
    expect(text).toContain('\ndomain-3/topic-3 year=,place/;1500+4;l ');
    // Nothing is repeated from year to year.
    expect(renderEntry(tableOf())).toBe('year=,place/;2015+1 2019;l 4f,,ffk;m -,,0');
  });
});
