/** Trees for hosts: what each gets, limits, and what a change of host writes again. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HostFile } from '../../build/format/host-files.ts';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { chooseFormats, type FileGroup } from '../../build/hosts/format-choice.ts';
import { type Edges, type HostLimits, type HostTarget, NO_LIMITS } from '../../build/hosts/host-profile.ts';
import { HOST_NAMES, HOSTS, type HostName, parseBasePath } from '../../build/hosts/hosts.ts';
import { command } from '../cli/command.ts';
import { NO_EDGES, readTreeJson, snapshot, undated } from '../publishers/built-tree.ts';
import { copyTree, newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE } from '../publishers/weather.ts';

/** Hundreds of stations: most of the tree is rows. */
const original = await newPublisher(
  CONTRACTS,
  Object.fromEntries(
    Object.entries(LAKE).map(([file, rows]) => [file, rows.replaceAll('range(1, 4)', 'range(1, 300)')]),
  ),
);
await original.build();
const bytes = await sizeOf(original.out);

function target(name: HostName, edges: Partial<Edges> = {}): HostTarget {
  return { profile: HOSTS[name], basePath: '/', edges: { ...NO_EDGES, ...edges } };
}

function limited(limits: Partial<HostLimits>): HostTarget {
  return { ...target('generic'), profile: { ...HOSTS.generic, limits: { ...NO_LIMITS, ...limits } } };
}

/** The publisher with a new output folder; its lake must not change. */
async function ownFolder(): Promise<Publisher> {
  return original.with({ out: path.join(await temporaryFolder(), 'dist') });
}

/** The same with a copy of the tree, so that unchanged rows aren't written. */
async function ownTree(): Promise<Publisher> {
  return original.with(await copyTree(original, await temporaryFolder()));
}

async function storedFormats(out: string): Promise<Record<'json' | 'csv' | 'copies', number>> {
  const found = { json: 0, csv: 0, copies: 0 };
  for (const dataset of ['climate/rainfall', 'transit/trams']) {
    const manifest = await readTreeJson<DatasetManifest>(out, `api/v1/${dataset}/manifest.json`);
    for (const { files } of manifest.slices) {
      found.json += Math.min(1, files.json.length);
      found.csv += files.csv.length;
      expect(files.parquet.length).toBe(1);
    }
    found.copies += manifest.copies.length;
  }
  return found;
}

async function sizes(folder: string) {
  const names = [...(await snapshot(folder)).keys()];
  return Promise.all(names.map(async name => [name, await stat(path.join(folder, name))] as const));
}

async function sizeOf(folder: string): Promise<number> {
  return (await sizes(folder)).reduce((sum, [, { size }]) => sum + size, 0);
}

describe('what is chosen', () => {
  const PARTS = [
    'a.json 100/2',
    'b.json 300/3',
    'c.json 100',
    'a.csv 40',
    'b.csv 90',
    'a.copy 25',
    'a.other 50/5',
  ];
  const choose = (limits: Partial<HostLimits>, parts = PARTS) => {
    const tree = new Map<string, { bytes: number }>();
    const groups = parts.flatMap((text): FileGroup[] => {
      const [, name = '', kind, size, count = 1] = /^(\w\.(\w+)) (\d+)(?:\/(\d+))?$/.exec(text) ?? [];
      const more = Array.from({ length: Number(count) - 1 }, (_, i) => `${name}.page-${i + 2}`);
      for (const path of [name, ...more]) tree.set(path, { bytes: Number(size) / Number(count) });
      return kind === 'other' ? [] : [{ kind: kind as FileGroup['kind'], paths: [name, ...more] }];
    });
    const { leftOut, problems } = chooseFormats(tree, groups, limited(limits).profile);
    return [...leftOut.keys(), ...problems.map(one => one.code)].join(' ');
  };

  test.each([
    [{}, ''],
    // Five percent stay free: 705 bytes are 95 % of 743.
    [{ bytesInAll: 743 }, ''],
    [{ bytesInAll: 742 }, 'b.json'],
    [{ bytesInAll: 426 }, 'b.json a.json'],
    [{ bytesInAll: 215 }, 'b.json a.json c.json b.csv'],
    [{ bytesInAll: 122 }, 'b.json a.json c.json b.csv'],
    [{ bytesInAll: 121 }, 'b.json a.json c.json b.csv a.csv'],
    [{ bytesInAll: 75 }, 'b.json a.json c.json b.csv a.csv'],
    [{ bytesInAll: 74 }, 'b.json a.json c.json b.csv a.csv host-tree-too-large'],
    [{ bytesPerFile: 95 }, 'b.json c.json'],
    [{ bytesPerFile: 20 }, 'a.json b.json c.json a.csv b.csv a.copy'],
    [{ bytesPerFile: 9 }, expect.stringMatching(/ host-file-too-large$/)],
    [{ files: 14 }, 'b.json'],
    [{ files: 5 }, expect.stringMatching(/ host-too-many-files$/)],
  ])('%j leaves out %s', (limits, leftOut) => expect(choose(limits)).toEqual(leftOut));

  test('in their own order', () =>
    expect(choose({ bytesInAll: 426 }, [...PARTS].reverse())).toBe('b.json a.json'));
});

describe('limits', () => {
  test('JSON is left out first, then CSV; the tree is whole, and the notes say what an address would add', async () => {
    const folder = await ownFolder();
    const all = await storedFormats(original.out);
    for (const [share, baseUrl] of [
      [0.8, 'https://data.example.org/'],
      [0.45, null],
    ] as const) {
      const most = bytes * share;
      const built = await folder.build({ host: limited({ bytesInAll: most }), baseUrl });
      const { host } = built.result;
      const stored = await storedFormats(folder.out);
      expect(await sizeOf(folder.out)).toBe(host?.bytes);
      expect(host?.bytes).toBeLessThanOrEqual(most * 0.95);
      expect(host?.leftOut).toEqual({ json: all.json - stored.json, csv: all.csv - stored.csv, copies: 0 });
      expect(stored.json).toBeLessThan(all.json);
      if (share === 0.8) expect(stored.csv).toBe(all.csv);
      const notes = built.notes.join();
      expect(notes).toContain('without JSON of');
      expect(/croissant\.json.*sitemap\.xml.*--base-url/.test(notes)).toBe(baseUrl === null);
      await folder.verify();
    }
    // The release is the same, and documents for programs say what is left out.
    type Documents = { resources: readonly { format: string; path: string | readonly string[] }[] };
    const read = async (out: string) => ({
      manifest: await readTreeJson<TreeManifest>(out, 'manifest.json'),
      openapi: await readFile(path.join(out, 'openapi.json'), 'utf8'),
      hasNote: (await readFile(path.join(out, 'llms.txt'), 'utf8')).includes('some only as .parquet'),
      resources: (await readTreeJson<Documents>(out, 'datapackage.json')).resources,
    });
    const [whole, part] = [await read(original.out), await read(folder.out)];
    const releases = ({ release, datasets }: TreeManifest) => [release, ...datasets.map(one => one.release)];
    expect(releases(part.manifest)).toEqual(releases(whole.manifest));
    expect([part.openapi === whole.openapi, part.hasNote, whole.hasNote]).toEqual([true, true, false]);
    expect(part.resources.length).toBe(whole.resources.length);
    expect(new Set(part.resources.map(one => one.format))).toEqual(new Set(['csv', 'parquet']));
    for (const file of part.resources.flatMap(one => one.path)) await readFile(path.join(folder.out, file));
  });

  test('JSON and a copy that are too large are left out, and come back when there is room', async () => {
    // Notes that don't compress: the copy of all years is larger than any other file.
    const note =
      "array_to_string(list_transform(range(250), i -> md5(concat(year, region_code, station_code, season, i))), '')";
    const noted = Object.entries(LAKE).map(([file, select]) => [
      file,
      /stations\.parquet$/.test(file) && file.includes('year=')
        ? `SELECT * REPLACE (${note} AS note) FROM (${select})`
        : select,
    ]);
    const folder = await newPublisher(CONTRACTS, Object.fromEntries(noted));
    await folder.build({ host: limited({}) });
    const before = await folder.undated();
    const all = new Map((await sizes(folder.out)).map(([name, { size }]) => [name, size]));
    const copy = all.get('api/v1/climate/rainfall/_copies/stations.parquet');
    expect(copy).toBe(Math.max(...all.values()));
    const json = Math.max(...[...all].flatMap(([name, size]) => (/year=.*json$/.test(name) ? [size] : [])));
    const { result } = await folder.build({ host: limited({ bytesPerFile: json - 1 }) });
    expect(result.host?.leftOut).toEqual({ json: expect.any(Number), csv: 0, copies: 1 });
    for (const [name, { size }] of await sizes(folder.out)) expect(size, name).toBeLessThan(json);
    await folder.verify();
    await folder.build({ host: limited({}) });
    expect(await folder.undated()).toEqual(before);
  });

  test("a tree that can't fit, or breaks its contracts, is refused, and the old tree stays", async () => {
    const folder = await ownTree();
    const before = await folder.snapshot();
    const files = await folder.refusal({ host: limited({ files: 20 }) });
    expect(files.diagnostics.map(one => one.code)).toEqual(['host-too-many-files']);
    const large = await folder.refusal({ host: limited({ bytesPerFile: 5000 }) });
    expect(large.diagnostics.map(one => one.code)).toContain('host-file-too-large');
    expect(large.message).toMatch(/at most 5,000 bytes in a file, but this file has [\d,]+\./);
    const little = { host: limited({ bytesInAll: 1000 }) };
    const { diagnostics, message } = await folder.refusal(little);
    expect(diagnostics).toHaveLength(1);
    expect(message).toMatch(
      /host-tree-too-large generic takes at most 1,000 bytes, but the tree has [\d,]+ even with neither JSON nor CSV.*--only/,
    );
    expect(await folder.snapshot()).toEqual(before);
    const broken = await original.copy();
    await writeFile(path.join(broken.data, 'climate/rainfall/year=2021/regions.parquet'), 'no Parquet');
    const error = await broken.refusal(little);
    expect(error.diagnostics.map(one => one.code)).toEqual(['lake-unreadable-file']);
  });
});

describe('another host than before', () => {
  const SMALL = () => limited({ bytesInAll: Math.round(bytes * 0.5) });

  test('gives what a first build gives, in both directions', async () => {
    const folder = await ownTree();
    for (const host of [SMALL(), target('nginx'), null]) {
      await folder.build({ host });
      const out = path.join(await temporaryFolder(), 'dist');
      await original.with({ out }).build({ host });
      expect(await folder.undated()).toEqual(await undated(out));
    }
  });

  test('rows that are stored in both are carried over, not written anew', async () => {
    const folder = await ownTree();
    const before = await folder.snapshot();
    const { result } = await folder.build({ host: SMALL() });
    const after = await folder.snapshot();
    const rows = [...after].filter(([name]) => /(year=|_copies)\S+\.(json|csv|parquet)$/.test(name));
    expect(rows.length).toBeGreaterThan(10);
    for (const [name, file] of rows) expect([name, file]).toEqual([name, before.get(name)]);
    expect(result.changed).toBe(true);
    const again = await folder.build({ host: SMALL() });
    expect(again.result).toMatchObject({ changed: false, host: result.host });
  });

  test('a file that is gone from the folder beside the tree is written again', async () => {
    const folder = await ownTree();
    const files: HostFile[] = [{ path: 'worker.js', text: 'export default {};\n' }];
    const host = target('cloudflare', { worker: async () => files });
    await folder.build({ host });
    const beside = `${folder.out}.host`;
    const names = ['functions/[[path]].js', 'worker.js', 'wrangler.jsonc'];
    expect([...(await snapshot(beside)).keys()].sort()).toEqual(names);
    await rm(path.join(beside, 'worker.js'));
    await writeFile(path.join(beside, 'mine.txt'), 'not yours');
    await folder.build({ host });
    expect([...(await snapshot(beside)).keys()].sort()).toEqual(['mine.txt', ...names].sort());
    await folder.build({ host: target('nginx') });
    expect([...(await snapshot(beside)).keys()]).toEqual(['mine.txt']);
  });

  test('a file that no build wrote stays, even in place of that folder', async () => {
    const folder = await ownFolder();
    await mkdir(path.dirname(folder.out), { recursive: true });
    await writeFile(`${folder.out}.host`, 'a file');
    const place = await folder.inability({ host: target('cloudflare') });
    expect(place.code).toBe('output-not-a-folder');
    await rm(`${folder.out}.host`);
    const own = path.join(`${folder.out}.host`, 'wrangler.jsonc');
    await mkdir(path.dirname(own), { recursive: true });
    await writeFile(own, 'mine');
    const error = await folder.inability({ host: target('cloudflare') });
    expect([error.code, error.message]).toEqual(['output-foreign-file', expect.stringContaining(own)]);
    expect(await readFile(own, 'utf8')).toBe('mine');
    await expect(readdir(folder.out)).rejects.toThrow();
    await rm(own);
    await folder.build({ host: target('cloudflare') });
    // If notes of earlier builds are lost, what they wrote still counts as ours.
    await rm(path.join(path.dirname(folder.out), `.${path.basename(folder.out)}.civic`), { recursive: true });
    await writeFile(own, 'of another version');
    await folder.build({ host: target('cloudflare') });
    expect(await readFile(own, 'utf8')).not.toBe('of another version');
  });
});

describe('what a host gets', () => {
  /** Files in the tree, and in the folder next to it. */
  const FILES: Readonly<Record<HostName, readonly [tree: string, folder: string]>> = {
    'github-pages': ['.nojekyll', ''],
    's3-cloudfront': ['', 'cloudfront-function.js keyvaluestore.json'],
    cloudflare: ['_headers', 'functions/[[path]].js worker.js wrangler.jsonc'],
    'cloudflare-r2': ['', 'worker.js wrangler.jsonc'],
    nginx: ['rewriting.txt', 'civic-njs.js nginx.conf'],
    generic: ['', ''],
  };
  const named =
    (...paths: readonly string[]) =>
    async () =>
      paths.map(path => ({ path, text: '\n' }));
  const EDGES: Partial<Edges> = {
    worker: named('worker.js'),
    cloudfront: named('cloudfront-function.js', 'keyvaluestore.json'),
    nginx: named('nginx.conf', 'civic-njs.js'),
  };

  test.each(HOST_NAMES)('%s', async name => {
    const [expected, beside] = FILES[name].map(names => names.split(' ').filter(Boolean));
    const folder = await ownTree();
    await folder.build({ host: target(name, EDGES) });
    const plain = new Set((await original.snapshot()).keys());
    const own = [...(await folder.snapshot()).keys()].filter(file => !plain.has(file));
    expect(own.sort()).toEqual(expected);
    const there = beside!.length === 0 ? [] : [...(await snapshot(`${folder.out}.host`)).keys()];
    expect(there.sort()).toEqual(beside);
    const listed = await readFile(path.join(folder.out, 'SHA256SUMS'), 'utf8');
    const urls = await readFile(path.join(folder.out, 'urls.txt'), 'utf8');
    // A copy by the lists has no instructions for a host.
    const unlisted = ['.nojekyll', '_headers'];
    for (const file of unlisted) expect([listed, urls].join()).not.toContain(file);
    for (const file of own.filter(one => !unlisted.includes(one))) expect(listed).toContain(`  ${file}\n`);
    for (const file of unlisted) await rm(path.join(folder.out, file), { force: true });
    await folder.verify();
  });

  test('a function that is too large is refused before the tree is switched', async () => {
    const folder = await ownFolder();
    const of = (text: string) =>
      target('s3-cloudfront', { cloudfront: async () => [{ path: 'cloudfront-function.js', text }] });
    const error = await folder.refusal({ host: of('x'.repeat(10_241)) });
    expect(error.diagnostics.map(one => one.code)).toEqual(['function-too-large']);
    expect(error.message).toContain('10,241');
    await expect(readdir(folder.out)).rejects.toThrow();
    const right = 'x'.repeat(10_240);
    await folder.build({ host: of(right) });
    expect(await readFile(`${folder.out}.host/cloudfront-function.js`, 'utf8')).toBe(right);
  });
});

test('a base path is a path of plain names', () => {
  const read = (paths: readonly string[]) => paths.map(parseBasePath);
  expect(read(['/', '', 'repo', '/repo'])).toEqual(['/', '/', '/repo/', '/repo/']);
  for (const right of ['/my-org/repo_1.0/', '/~someone/']) expect(parseBasePath(right)).toBe(right);
  for (const wrong of ['//evil.example/', '/a//b/', '/../', '/a/../b/', '/a/./', '/"><script>/', '/a b/'])
    expect([wrong, parseBasePath(wrong)]).toEqual([wrong, null]);
  for (const wrong of ['/%2e%2e/', '/a?b/', '/a#b/', '/a\0b/', '/a\\b/', 'https://example.org/'])
    expect([wrong, parseBasePath(wrong)]).toEqual([wrong, null]);
});

describe('the program', () => {
  const inputs = () => ['--contracts', original.contracts, '--data', original.data];

  test.each([
    ['--host geocities', 2, /github-pages, s3-cloudfront, cloudflare, cloudflare-r2, nginx, generic/],
    ['--host generic --base-path /../', 2, /such as \/repository\//],
    ['--base-url https://data.example.org/?a', 2, /such as https/],
    ['--base-url https://a:b@data.example.org/', 2, /such as https/],
    ['--base-url https://exa%mple/', 2, /such as https/],
    ['--base-path /a/', 3, /base-path .*--host/],
    ['--host generic --base-path /a/ --base-url https://data.example.org/b/', 3, /base-path .*\/a\/.*\/b\//],
    ['--host cloudflare --base-url https://data.example.org/b/', 3, /base-path cloudflare/],
    ['--host cloudflare --base-path /b/', 3, /base-path cloudflare/],
  ])('%s is refused', async (args, code, message) => {
    const { out } = await ownFolder();
    const ended = await command('build', ...inputs(), '--out', out, ...args.split(' '));
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  test('an address says its path too', async () => {
    const { out } = await ownTree();
    const args = ['--host', 'github-pages', '--base-url', 'https://someone.example.org/my-repo', '--json'];
    const ended = await command('build', ...inputs(), '--out', out, ...args, '--release-date', '2031-05-17');
    expect(ended.code).toBe(0);
    const { host } = JSON.parse(ended.stdout) as { host: object };
    const leftOut = { json: 0, csv: 0, copies: 0 };
    expect(host).toMatchObject({ name: 'github-pages', leftOut, folder: null });
    expect(await readFile(path.join(out, '404.html'), 'utf8')).toContain(
      'href="/my-repo/datasets/climate/rainfall/"',
    );
  });
});
