/** The parts of which the files of rewriting hosts are made. */
import { spawnSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import type { SchemaDocument } from '../../build/format/schema.ts';
import { FUNCTION_BYTES } from '../../site/edge/adapters/rewrite/cloudfront-script.ts';
import type { Asked, Decision } from '../../site/edge/adapters/rewrite/decision.ts';
import { renderEntry } from '../../site/edge/adapters/rewrite/entry.ts';
import { LETTERS, packTexts } from '../../site/edge/adapters/rewrite/packing.ts';
import {
  type RewriteInput,
  renderCloudFrontFiles,
  renderTable,
} from '../../site/edge/adapters/rewrite/render.ts';
import * as rules from '../../site/edge/adapters/rewrite/rules.ts';
import { prepareDataset } from '../../site/query/preparation.ts';
import { NJS_MISSING } from '../conformance/rewrite-hosts.ts';
import { readCloudFrontScripts } from '../conformance/rewrite-input.ts';

const scripts = await readCloudFrontScripts();

/** What the program writes for a tree of these files beside those that its datasets tell of. */
const render = (tree: RewriteInput, paths: readonly string[] = []) =>
  renderCloudFrontFiles(tree, paths, scripts);

/** Where CloudFront's function looks for files, until a deployment names the release. */
const RELEASE = '/releases/@RELEASE@';

interface MadeSlice {
  readonly year: number;
  readonly detail: string;
  readonly rows: number;
  readonly without?: string;
}

interface Oddities {
  /** The grain does not begin with the year. */
  readonly yearLast?: boolean;
  /** The parameter of whole keys. */
  readonly place?: string;
  /** Of the first column; the only ones that are accepted. */
  readonly values?: readonly string[];
}

/** As much of a dataset's documents as a plan needs. */
function make(
  slices: readonly MadeSlice[],
  columns: readonly string[] = ['place'],
  { yearLast, values, place }: Oddities = {},
) {
  const levels = [...new Set(slices.map(({ detail }) => detail))].sort();
  const page = (rows: number) => ({ path: 'x', rows });
  const manifest = {
    dataset: 'a/b',
    columns: ['year', ...columns].map(name => ({ name, type: 'string' })),
    order: yearLast ? [...columns, 'year'] : ['year', ...columns],
    place: [],
    key_columns: [],
    history: [],
    slices: slices.map(({ year, detail, rows, without = '' }) => ({
      year,
      detail,
      rows,
      files: {
        json: without.includes('json')
          ? []
          : Array.from({ length: Math.max(1, Math.ceil(rows / 10_000)) }, (_, i) =>
              page(Math.min(10_000, rows - i * 10_000)),
            ),
        csv: without.includes('csv') ? [] : [page(rows)],
        parquet: [{ ...page(rows), row_groups: [] }],
      },
    })),
  } as unknown as DatasetManifest;
  const schema = {
    detail_levels: levels,
    default_detail: levels[0],
    filters: [
      { param: 'year', kind: 'year_exact', column: 'year' },
      { param: 'year_min', kind: 'year_range', column: 'year' },
      { param: 'year_max', kind: 'year_range', column: 'year' },
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

function entryOf(slices: readonly MadeSlice[], columns?: readonly string[], oddities?: Oddities): string {
  const { manifest, schema } = make(slices, columns, oddities);
  return renderEntry(prepareDataset('api/v1/a/b', manifest, schema));
}

const SLICES = [
  { year: 2015, detail: 'l', rows: 159 },
  { year: 2016, detail: 'l', rows: 159 },
  { year: 2019, detail: 'l', rows: 20_000 },
  { year: 2019, detail: 'm', rows: 0 },
];

describe('an entry', () => {
  test('has columns, years, levels and rows', () => {
    expect(entryOf(SLICES)).toBe('year=,place/;2015+1 2019;l 4f,,ffk;m -,,0');
  });

  test('says which formats are left out', () => {
    const without = ['json', 'csv', 'json csv'];
    const slices = without.map((one, i) => ({ year: 2001 + i, detail: 'l', rows: 36, without: one }));
    expect(entryOf(slices)).toBe('year=,place/;2001+2;l 10!,10*,10!*');
  });

  test('has no character of ours in a name', () => {
    const entry = entryOf(SLICES, ["it's", 'A;b|c:d', 'é,', 'f*', 'g (%)']);
    expect(entry.split(';')[0]).toBe('year=,it%27s,%41%3bb%7cc%3ad,%c3%a9%2c,f%2a,g%20%28%25%29/');
  });

  test('says what orders the rows, and what only the values can tell', () => {
    expect(entryOf(SLICES, ['p', 'q'], { values: ['x', 'y'] })).toMatch(/^year=,p,q\/;2015\+1 2019;/);
    expect(entryOf(SLICES, ['p', 'q'], { values: ['x', 'x,y'] })).toMatch(/^year=,p\*,q\/;2015\+1 2019;/);
    expect(entryOf(SLICES, ['p', 'q'], { values: [''], yearLast: true })).toMatch(
      /^p\*,q,year=\/;2015\+1 2019;/,
    );
  });
});

describe('the rules', () => {
  test('hand on whole keys, and guess at none', () => {
    const entry = entryOf(SLICES, ['p', 'q'], { place: 'place' });
    expect(entry).toMatch(/^year=,p,q\/place\*\*;2015/);
    const decided = ['place=1:2', 'place=1:2,3:4', 'place=a%253Ab:c'].map(query =>
      ask(`year=2015&${query}`, SLICES, ['p', 'q'], { place: 'place' }),
    );
    for (const decision of decided) {
      expect(status(decision)).toBe(501);
      if (decision.file !== undefined) continue;
      expect(JSON.parse(decision.text ?? '')).toMatchObject({ residual: null, sql: null });
    }
    const wrong = ask('place=1:2,', SLICES, ['p', 'q'], { place: 'place' });
    expect(status(wrong)).toBe(422);
  });

  const ask = (
    query: string,
    slices: readonly MadeSlice[] = SLICES,
    columns?: readonly string[],
    oddities?: Oddities,
  ): Decision => {
    const asked: Asked = {
      method: 'GET',
      url: '/api/v1/a/b',
      query,
      html: false,
      root: '',
      origin: 'https://h',
    };
    return rules.decide(asked, rules.locate(asked), entryOf(slices, columns, oddities));
  };
  const status = (decision: Decision) => (decision.file === undefined ? decision.status : 200);
  const without = (formats: string) => SLICES.map(slice => ({ ...slice, without: formats }));

  test.each([
    ['year=2015', 'year=2015/l.json'],
    ['year=2015&limit=159', 'year=2015/l.json'],
    ['year_min=2017', null],
    ['year_min=2017&offset=10000', 'year=2019/l.page-2.json'],
    ['year=2019&detail=m', 'year=2019/m.json'],
    ['detail=m', 'year=2019/m.json'],
    ['detail=m&format=parquet&limit=1', 'year=2019/m.parquet'],
    ['year=2015&format=csv&limit=159', 'year=2015/l.csv'],
    ['year=2019&format=csv', 'year=2019/l.csv'],
    ['year=2019&format=csv&limit=10000', null],
    ['year=2019&offset=20000', null],
    ['year=2015&offset=1', null],
    ['year=2015&limit=158', null],
    ['year=2015&format=csv&offset=1', null],
    ['year=2017', null],
    ['', null],
  ])('%s', (query, file) => {
    const decision = ask(query);
    if (file === null) expect(decision.file).toBeUndefined();
    else expect(decision).toEqual({ file: `api/v1/a/b/${file}` });
  });

  test('a page with a next one is a redirect to its own URL', () => {
    expect(ask('year=2019')).toEqual({ status: 307, location: '/api/v1/a/b/year=2019/l.json' });
  });

  test('a format that is left out is work', () => {
    expect(status(ask('year=2015', without('json')))).toBe(501);
    expect(status(ask('year=2015&format=csv', without('json')))).toBe(200);
    expect(status(ask('year=2015&format=csv', without('csv')))).toBe(501);
    expect(status(ask('year=2015&format=parquet', without('json csv')))).toBe(200);
  });

  test('names of columns as they are written', () => {
    expect(status(ask('it%27s=1', SLICES, ["it's"]))).toBe(501);
    expect(status(ask('%C3%A9,=1', SLICES, ['é,']))).toBe(501);
    expect(status(ask('its=1', SLICES, ["it's"]))).toBe(422);
  });

  test('work is planned', () => {
    const { text = '' } = ask('year_max=2016&pla%22ce=o%27x,2&limit=5&offset=2', SLICES, ['pla"ce']) as {
      text?: string;
    };
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
  });
});

describe('what the rules cannot know they do not tell', () => {
  const told = (query: string, oddities: Oddities) => {
    const asked: Asked = {
      method: 'GET',
      url: '/api/v1/a/b',
      query,
      html: false,
      root: '',
      origin: 'https://h',
    };
    const decision = rules.decide(asked, rules.locate(asked), entryOf(SLICES, ['place'], oddities));
    const { text, status } = decision as { text: string; status: number };
    const { sql, residual, files } = JSON.parse(text);
    return [status, sql !== null, residual !== null, files?.length ?? 0];
  };

  test('but the order of rows of several slices they know', () => {
    expect(told('limit=3', {})).toEqual([501, true, true, 3]);
    expect(told('limit=3', { yearLast: true })).toEqual([501, true, true, 3]);
    expect(told('year=2015&limit=3', { yearLast: true })).toEqual([501, true, true, 1]);
  });

  test.each([
    ['place=x', [501, true, true, 3]],
    ['place=x,y', [501, false, false, 3]],
    ['place=', [501, false, false, 3]],
  ])('whether a text is one value or a list: %s', (query, expected) => {
    expect(told(query, { values: ['x', 'y', 'x,y', ''] })).toEqual(expected);
  });

  test('a NUL ends no statement, and a parameter that is ignored may be no UTF-8', () => {
    const ask = (url: string, query: string): Decision => {
      const asked: Asked = { method: 'GET', url, query, html: false, root: '', origin: 'https://h' };
      return rules.decide(asked, rules.locate(asked), entryOf(SLICES));
    };
    const { text = '' } = ask('/api/v1/a/b', 'year=2015&place=a%00b') as { text?: string };
    expect(JSON.parse(text).sql).toMatch(/"place" = 'a' \|\| chr\(0\) \|\| 'b' ORDER BY/);
    const contract = '/api/v1/datasets/a/b/contract';
    expect(ask(contract, 'utm=caf%E9&%E9&format=%E9&format=json')).toEqual({
      file: 'api/v1/datasets/a/b/contract.json',
    });
    expect(ask('/api/v1/a/b', 'year=2015&place=%E9')).toMatchObject({ status: 422 });
  });
});

describe('packing', () => {
  test('is undone by replacing letters from the last to the first', () => {
    const texts = ['one,two,three;1,2', 'one,two,three;3', 'two,three,one;1,2', 'one,two', ''];
    const { texts: packed, phrases } = packTexts(texts);
    expect(phrases.length).toBeGreaterThan(0);
    expect(packed.join('').length + phrases.join('').length).toBeLessThan(texts.join('').length);
    const unpack = (text: string) =>
      phrases.reduceRight((one, phrase, i) => one.replaceAll(LETTERS[i]!, phrase), text);
    expect(packed.map(unpack)).toEqual(texts);
  });

  test('takes no more phrases than there are letters', () => {
    const texts = Array.from({ length: 200 }, (_, i) => `word-${i % 60}-of-a-phrase,x${i}`);
    expect(packTexts(texts).phrases.length).toBe(LETTERS.length);
  });
});

describe('a table that is too large for a function', () => {
  const TREE = '2031-05-17-0a1b2c3d';
  const PATHS = ['index.json', 'api/v1/domain-1/index.html', 'api/v1/domain-1/topic-1/manifest.json'];

  /** 300 datasets, one of which has a longer entry than a value has room for. */
  const many = (count: number): RewriteInput => {
    const keys = Array.from({ length: count }, (_, i) => `domain-${i % 7}/topic-${i}`);
    const datasets = keys.map((key, i) => {
      const slices = Array.from({ length: i === 1 ? 700 : 5 }, (_, year) => ({
        year: 1500 + year,
        detail: 'l',
        rows: (i + 1) * 997 + year * 31,
      }));
      return [key, make(slices)] as const;
    });
    const entries = keys.map(key => ({ key, path: `api/v1/${key}/manifest.json` }));
    return {
      manifest: { release: TREE, datasets: entries, dimensions: [] } as unknown as TreeManifest,
      datasets: new Map(datasets),
      dimensions: new Map(),
    };
  };

  const files = render(many(300), PATHS);
  const store = JSON.parse(files[1]!.text) as { data: { key: string; value: string }[] };

  test('goes to a key value store, in parts that fit', () => {
    expect(files.map(({ path }) => path)).toEqual(['cloudfront-function.js', 'keyvaluestore.json']);
    expect(Buffer.byteLength(files[0]!.text)).toBeLessThanOrEqual(FUNCTION_BYTES);
    expect(Object.keys(store)).toEqual(['data']);
    expect(new Set(store.data.map(({ key }) => key)).size).toBe(store.data.length);
    for (const { key, value } of store.data) {
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(512);
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1024);
      expect(value).not.toBe('');
    }
    expect(Buffer.byteLength(files[1]!.text)).toBeLessThan(5 << 20);
    expect(
      store.data.filter(({ key }) => key.startsWith(`${TREE}/domain-1/topic-1#`)).length,
    ).toBeGreaterThan(0);
  });

  /** The function, with a store that is a map in the place of CloudFront's. */
  function load(broken = false, release = TREE) {
    const values = new Map(store.data.map(({ key, value }) => [key, value]));
    const code = files[0]!.text.replaceAll('@RELEASE@', release);
    const kvs = {
      get: async (key: string) => {
        if (broken || !values.has(key)) throw new Error(`no ${key}`);
        return values.get(key);
      },
      exists: async (key: string) => values.has(key),
    };
    const script = code.replace(/^import (\w+) from 'cloudfront';/, 'const $1 = cloudfront;');
    const context = createContext({ cloudfront: { kvs: () => kvs } });
    runInContext(`${script}\nthis.handler = handler;`, context);
    return async (uri: string, querystring: object = {}) => {
      const request = { method: 'GET', uri, querystring, headers: { host: { value: 'h' } } };
      return JSON.parse(JSON.stringify(await context.handler({ request })));
    };
  }

  const ONLINE = `/releases/${TREE}`;

  test('and is read from there', async () => {
    const handler = load();
    const year = { year: { value: '1503' } };
    expect((await handler('/api/v1/domain-3/topic-3', year)).uri).toBe(
      `${ONLINE}/api/v1/domain-3/topic-3/year=1503/l.json`,
    );
    const late = await handler('/api/v1/domain-1/topic-1', {
      year: { value: '2199' },
      format: { value: 'csv' },
    });
    expect(late.uri).toBe(`${ONLINE}/api/v1/domain-1/topic-1/year=2199/l.csv`);
    expect((await handler('/api/v1/domain-1/topic-1', { year: { value: '2200' } })).statusCode).toBe(501);
    expect((await handler('/api/v1/domain-1/topic-2')).statusCode).toBe(404);
    expect((await handler('/api/v1/domain-1/topic-1', { yaer: { value: '' } })).statusCode).toBe(422);
    expect((await handler('/api/v1/domain-1')).statusCode).toBe(301);
    expect((await handler('/api/v1/domain-2')).statusCode).toBe(404);
    expect((await handler('/healthz')).uri).toBe(`${ONLINE}/healthz.json`);
  });

  test('a store that fails is not taken for an unknown dataset', async () => {
    await expect(load(true)('/api/v1/domain-3/topic-3')).rejects.toThrow(`no ${TREE}/domain-3/topic-3`);
    expect((await load(true)('/api/v1/no/such')).statusCode).toBe(404);
  });

  test('a store of another release answers for none', async () => {
    const other = '2031-05-18-0a1b2c3d';
    await expect(load(false, other)('/api/v1/domain-3/topic-3')).rejects.toThrow(other);
    expect((await load(false, other)('/manifest.json')).uri).toBe(`/releases/${other}/manifest.json`);
  });

  test.skipIf(NJS_MISSING)(`under njs${NJS_MISSING ? ' (skipped: njs is not installed)' : ''}`, () => {
    const values = JSON.stringify(Object.fromEntries(store.data.map(({ key, value }) => [key, value])));
    const script = `
      const values = ${values};
      const cf = { kvs: () => ({
        get: key => key in values ? Promise.resolve(values[key]) : Promise.reject(Error(key)),
        exists: key => Promise.resolve(key in values),
      }) };
      ${files[0]!.text.replaceAll('@RELEASE@', TREE).replace(/^import .*\n/, '')}
      const request = { method: 'GET', querystring: { year: { value: '2199' }, format: { value: 'csv' } }, headers: { host: { value: 'h' } } };
      const ask = uri => handler({ request: Object.assign({}, request, { uri: uri }) });
      ask('/api/v1/domain-1/topic-1')
        .then(known => ask('/api/v1/no/such').then(unknown => console.log(known.uri, unknown.statusCode)));
    `;
    const { stdout, stderr } = spawnSync('njs', ['-'], { input: script, encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual([`${ONLINE}/api/v1/domain-1/topic-1/year=2199/l.csv 404`, '']);
  });

  test('nginx has no such limit: its table is a line for each', () => {
    const { path, text } = renderTable(many(300));
    expect([path, text.split('\n').length]).toEqual(['rewriting.txt', 302]);
    expect(text).toContain('\ndomain-3/topic-3 year=,place/;1500+4;l ');
  });

  test('the same documents give the same bytes', () => {
    expect(render(many(300), PATHS)).toEqual(files);
  });

  test('documents that are missing are said', () => {
    expect(() => renderTable({ ...many(3), datasets: new Map() })).toThrow('domain-0/topic-0');
  });
});

describe("CloudFront's function", () => {
  const tree: RewriteInput = {
    manifest: { datasets: [{ key: 'a/b', path: 'api/v1/a/b/manifest.json' }], dimensions: [] } as never,
    datasets: new Map([['a/b', make(SLICES)]]),
    dimensions: new Map(),
  };
  const [file] = render(tree, [
    'index.html',
    'api/v1/a/index.html',
    'api/v1/a/b/history/l.parquet',
    'datasets/a/b/index.html',
    'places/index.html',
  ]);
  const context = createContext({});
  runInContext(`${file!.text}\nthis.handler = handler;`, context);
  const ask = (method: string, uri: string, querystring: object = {}, accept = '*/*') => {
    const request = {
      method,
      uri,
      querystring,
      headers: { host: { value: 'h' }, accept: { value: accept } },
    };
    return JSON.parse(JSON.stringify(context.handler({ request })));
  };

  test('gives the request for a file, without its query', () => {
    expect(ask('GET', '/api/v1/a/b', { year: { value: '2015' } })).toMatchObject({
      method: 'GET',
      uri: `${RELEASE}/api/v1/a/b/year=2015/l.json`,
      querystring: {},
    });
    expect(ask('HEAD', '/', {}, 'text/html').uri).toBe(`${RELEASE}/index.html`);
    expect(ask('GET', '/').uri).toBe(`${RELEASE}/index.json`);
    expect(ask('GET', '/api/v1/SHA256SUMS').uri).toBe(`${RELEASE}/api/v1/SHA256SUMS`);
    const kept = '/releases/2031-05-17-0a1b2c3d/api/v1/a/b/year=2015/l.csv';
    expect(ask('GET', kept).uri).toBe(kept);
  });

  test('knows no name by the letters that stand for parts of it', () => {
    const keys = ['left/of_school_attendance_zone_tracts', 'right/by_school_attendance_zone_tracts'];
    const [packed] = render({
      manifest: {
        datasets: keys.map(key => ({ key, path: `api/v1/${key}/manifest.json` })),
        dimensions: [],
      } as never,
      datasets: new Map(keys.map(key => [key, make(SLICES)])),
      dimensions: new Map(),
    });
    const [letters = ''] = /left\/\w*[A-Z]\w*/.exec(packed!.text) ?? [];
    expect(letters).not.toBe('');
    const own = createContext({});
    runInContext(`${packed!.text}\nthis.handler = handler;`, own);
    const statusOf = (key: string) => {
      const request = {
        method: 'GET',
        uri: `/api/v1/${key}`,
        querystring: {},
        headers: { host: { value: 'h' } },
      };
      return own.handler({ request }).statusCode;
    };
    expect(keys.map(statusOf)).toEqual([501, 501]);
    expect(statusOf(letters)).toBe(404);
  });

  test('sends to folders and to first pages', () => {
    const location = (uri: string, query = {}) => {
      const { statusCode, headers } = ask('GET', uri, query);
      return [statusCode, headers.location.value];
    };
    const kept = '/releases/2031-05-17-0a1b2c3d';
    for (const folder of [
      '/api',
      '/api/v1',
      '/api/v1/a',
      '/api/v1/a/b/year=2015',
      '/api/v1/a/b/history',
      '/datasets',
      '/datasets/a/b',
      '/places',
      kept,
      `${kept}/api/v1/a`,
    ])
      expect(location(folder)).toEqual([301, `${folder}/`]);
    expect(location('/api/v1/a/b', { year: { value: '2019' } })).toEqual([
      307,
      '/api/v1/a/b/year=2019/l.json',
    ]);
  });

  test.each([
    '/nope',
    '/sql',
    '/api/v2',
    '/api/v1/nope',
    '/api/v1/a/b/year=2017',
    '/api/v1/a/b/year=02015',
    '/api/v1/a/c/year=2015',
    '/api/v1/a/c/history',
    '/datasets/a/c',
    '/releases',
    '/releases/current',
    '/releases/2031-05-17-0a1b2c3d/nope',
  ])('sends nobody to a folder that is not there: %s', uri => {
    const { statusCode, body } = ask('GET', uri);
    expect([statusCode, JSON.parse(body).detail]).toEqual([404, expect.stringContaining('Nothing is')]);
  });

  test('refuses in JSON, to readers of any site', () => {
    const twice = { value: '2015', multiValue: [{ value: '2015' }, { value: '2019' }] };
    const refused = ask('GET', '/api/v1/a/b', { year: twice });
    expect(refused.statusCode).toBe(422);
    expect(JSON.parse(refused.body).detail[0].type).toBe('repeated_parameter');
    expect(refused.headers).toEqual({
      'access-control-allow-origin': { value: '*' },
      'cache-control': { value: 'no-store' },
      'content-type': { value: 'application/json' },
      'x-content-type-options': { value: 'nosniff' },
    });
    expect('body' in ask('HEAD', '/api/v1/a/b')).toBe(false);
  });

  test('methods', () => {
    const post = ask('POST', '/api/v1/a/b');
    expect([post.statusCode, post.headers.allow.value]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = ask('OPTIONS', '/api/v1/a/b');
    expect([options.statusCode, 'body' in options]).toEqual([204, false]);
    expect(options.headers['access-control-allow-methods'].value).toBe('GET, HEAD, OPTIONS');
  });
});
