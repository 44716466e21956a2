/** `civic snapshot`: an archive that is a bag, a crate and a tree, with the same bytes on every machine. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { verify } from '../../build/archive/verify.ts';
import { UnableError } from '../../build/failure.ts';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { command } from '../cli/command.ts';
import { civic, mounted, startCivic } from '../cli/program.ts';
import { readSchemaText, SCHEMAS_ABSENT } from '../documents/published-schemas.ts';
import { isInstalled } from '../installed.ts';
import { PATIENCE } from '../patience.ts';
import { contents, readTreeJson, sha256 } from '../publishers/built-tree.ts';
import { newPublisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, TRAMS, withdrawn } from '../publishers/weather.ts';
import { served } from '../served.ts';
import { crateProblems, makeArchives, run } from './archives.ts';

const QUIET = () => undefined;
const CHECK = { jobs: 1, memory: '400MB' };

const { publisher, archive } = await makeArchives();

/** The bag's folder, unpacked by another program. */
async function unpacked(name: Parameters<typeof archive>[0]): Promise<string> {
  const folder = await temporaryFolder();
  run('unzip', '-q', archive(name), '-d', folder);
  const [bag = '', ...others] = await readdir(folder);
  expect(others).toEqual([]);
  return path.join(folder, bag);
}

test('civic serve answers from an archive, and removes what it unpacked', async () => {
  const temporary = await temporaryFolder();
  const environment = { TMPDIR: temporary };
  const { process, says, ended } = startCivic(['serve', archive('all.zip'), '--port', '0'], { environment });
  const base = (await says(/http:\S+/)).trim();
  expect(await (await fetch(`${base}/manifest.json`)).json()).toEqual(await publisher.json('manifest.json'));
  expect(await readdir(temporary)).toHaveLength(1);
  process.kill('SIGTERM');
  expect((await ended).code).toBeNull();
  expect(await readdir(temporary)).toEqual([]);
});

test.skipIf(!isInstalled('unzip'))('a .zip is a bag, whose payload is the tree', async () => {
  const bag = await unpacked('all.zip');
  const { release } = await publisher.json<TreeManifest>('manifest.json');
  expect(path.basename(bag)).toBe(`weather-of-arcadia-${release}`);
  // RFC 8493, 2.1 and 2.2: the declaration, each payload file and tag file once, labels and counts.
  const text = (name: string) => readFile(path.join(bag, name), 'utf8');
  expect(await text('bagit.txt')).toBe('BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n');
  const listed = async (list: string) =>
    (await text(list))
      .trimEnd()
      .split('\n')
      .map(line => line.slice(130))
      .sort();
  const files = Object.keys(await contents(bag)).filter(name => !name.startsWith('tagmanifest-'));
  const payload = files.filter(name => name.startsWith('data/'));
  expect(await listed('manifest-sha512.txt')).toEqual(payload.sort());
  expect(await listed('tagmanifest-sha512.txt')).toEqual(
    files.filter(name => !payload.includes(name)).sort(),
  );
  const sizes = await Promise.all(payload.map(name => stat(path.join(bag, name))));
  const oxum = `${sizes.reduce((sum, { size }) => sum + size, 0)}.${payload.length}`;
  expect(await text('bag-info.txt')).toMatch(/^([A-Z][A-Za-z-]*: \S.*\n)+$/);
  for (const line of [`Payload-Oxum: ${oxum}`, 'Bagging-Date: 2031-05-17'])
    expect((await text('bag-info.txt')).split('\n')).toContain(line);
  expect(await contents(path.join(bag, 'data'))).toEqual(await publisher.contents());
  expect(
    run('sh', '-c', `cd '${bag}' && sha512sum --quiet -c manifest-sha512.txt tagmanifest-sha512.txt`),
  ).toBe('');
  expect(await text('FORMAT.md')).toBe(await readFile('build/format/FORMAT.md', 'utf8'));
  const readme = await text('README.txt');
  for (const word of [release, 'sha512sum -c', 'python3 -m http.server', 'FORMAT.md', 'Weather of Arcadia'])
    expect(readme).toContain(word);
  // Noon of the release's day in the machine's time zone.
  expect((await stat(path.join(bag, 'data/manifest.json'))).mtime).toEqual(new Date(2031, 4, 17, 12));
  await expect(verify(bag, CHECK, QUIET)).resolves.toMatchObject({ release });
});

test.skipIf(!isInstalled('unzip'))(
  'an extract is a bag and a tree too, names the whole, and serves',
  async () => {
    const bag = await unpacked('rain.zip');
    const data = path.join(bag, 'data');
    expect(crateProblems(data, null)).toEqual([]);
    const whole = await publisher.json<TreeManifest>('manifest.json');
    const part = await readTreeJson<TreeManifest>(data, 'manifest.json');
    expect(await readFile(path.join(bag, 'bag-info.txt'), 'utf8')).toContain(
      `An extract (climate/*) of release ${whole.release}.`,
    );
    expect(part.release).not.toBe(whole.release);
    expect(part.extract).toEqual({ only: 'climate/*', release: whole.release });
    expect(part.datasets).toEqual(whole.datasets.filter(one => one.key.startsWith('climate/')));
    expect(part.dimensions.map(one => one.key)).toEqual([
      'climate/_dimensions/regions',
      'climate/_dimensions/stations',
    ]);
    await expect(verify(bag, CHECK, QUIET)).resolves.toMatchObject({ release: part.release });
    const before = await publisher.contents();
    for (const [name, hash] of Object.entries(await contents(data))) {
      if (/^api\/v1\/climate\/.*\.(json|csv|parquet)$/.test(name)) expect(before[name], name).toBe(hash);
      expect(name).not.toMatch(/transit|^(search\.json|datasets\/|assets\/)/);
    }
    const lists = ['datapackage.json', 'openapi.json', 'api/v1/datasets/index.json', 'urls.txt', 'data.json'];
    for (const name of lists) expect(await readFile(path.join(data, name), 'utf8')).not.toMatch(/transit/);
    expect(await readFile(path.join(data, 'urls.txt'), 'utf8')).toMatch(
      /^https:\/\/data\.example\.org\/arcadia\//,
    );
    const url = await served(data);
    const rows = await fetch(`${url}/api/v1/climate/rainfall?year_min=2021&detail=regions&region_code=n`);
    expect(((await rows.json()) as { count: number }).count).toBe(6);
    expect((await fetch(`${url}/api/v1/transit/trams`)).status).toBe(404);
  },
);

test('an archive is verified without unpacking it by hand', async () => {
  const folder = archive('all.zip');
  expect(await verify(folder, CHECK, QUIET)).toMatchObject({ folder, slices: 16 });
});

describe('a .zip file', () => {
  test('has the same bytes in another time zone, by another clock, and with other file times', async () => {
    const folder = await temporaryFolder();
    await cp(publisher.out, path.join(folder, 'tree'), { recursive: true });
    await utimes(path.join(folder, 'tree/index.html'), 1, 1);
    const out = path.join(folder, 'other-name.zip');
    const zone = { environment: { TZ: 'America/Sao_Paulo' } };
    const told = await civic(['snapshot', path.join(folder, 'tree'), '--out', out, '--json'], zone);
    const bytes = await readFile(out);
    expect(bytes.equals(await readFile(archive('all.zip')))).toBe(true);
    const said = { ok: true, out, sha256: sha256(bytes), bytes: bytes.length };
    expect(JSON.parse(told.stdout)).toMatchObject(said);
    // An archive of ours may be replaced.
    await cp(archive('rain.zip'), out);
    const again = await command('snapshot', publisher.out, '--out', out);
    expect(again.stdout).toContain(`${sha256(bytes)}  ${out}\n`);
    expect((await readFile(out)).equals(bytes)).toBe(true);
  });

  test('a killed snapshot leaves no archive, and the next one has the same bytes', async () => {
    const folder = await temporaryFolder();
    const out = path.join(folder, 'all.zip');
    const whole = await readFile(archive('all.zip'));
    const running = startCivic(['snapshot', publisher.out, '--out', out]);
    // An empty claim would block for a minute.
    const begun = async () => {
      const names = await readdir(folder, { recursive: true });
      const sizes = await Promise.all(names.map(name => stat(path.join(folder, name)).catch(() => null)));
      return sizes.some(info => info?.isFile() && info.size > 0);
    };
    await vi.waitUntil(begun, { timeout: PATIENCE, interval: 5 });
    running.process.kill('SIGKILL');
    await running.ended;
    // It may have finished before it was killed.
    if (existsSync(out)) expect((await readFile(out)).equals(whole)).toBe(true);
    await snapshot(publisher.out, { out, only: null }, QUIET);
    expect((await readFile(out)).equals(whole)).toBe(true);
    expect(await readdir(folder)).toEqual(['all.zip']);
  });
});

test.skipIf(SCHEMAS_ABSENT)('every tree is a crate in the terms of RO-Crate 1.2', async () => {
  const context = JSON.parse(readSchemaText('ro-crate-1.2-context.jsonld')) as {
    '@context': object | object[];
  };
  const terms = new Set([context['@context']].flat().flatMap(one => Object.keys(one)));
  for (const term of ['@id', '@type']) terms.add(term);
  expect(terms.has('hasPart')).toBe(true);
  expect(crateProblems(publisher.out, terms)).toEqual([]);
});

test('DataCite: the required fields, and no invented DOI', async () => {
  const document = await publisher.json<Record<string, unknown>>('datacite.json');
  expect(document).toMatchObject({
    schemaVersion: 'http://datacite.org/schema/kernel-4',
    identifiers: [],
    types: { resourceTypeGeneral: 'Dataset' },
    creators: [{ name: 'Weather office of Arcadia', nameType: 'Organizational' }],
    titles: [{ title: 'Weather of Arcadia' }],
    publisher: { name: 'Weather office of Arcadia' },
    publicationYear: '2031',
    dates: [
      { date: '2031-05-17', dateType: 'Issued' },
      { date: '2019', dateType: 'Coverage' },
      { date: '2021/2022', dateType: 'Coverage' },
    ],
    rightsList: [{ rightsIdentifier: 'CC0-1.0', rightsIdentifierScheme: 'SPDX' }],
    url: 'https://data.example.org/arcadia/',
  });
  expect(JSON.stringify(document)).not.toMatch(/10\.\d{4,}\//);
  expect(document).not.toHaveProperty('language');
});

test('documents of other publishers name their language, and withdrawn datasets stay in an extract that names them', async () => {
  const folder = await newPublisher({
    ...CONTRACTS,
    'publisher.yaml': `${CONTRACTS['publisher.yaml']}language: en-GB\n`,
    'trams.odcs.yaml': withdrawn(TRAMS, 'climate/rainfall'),
  });
  await folder.build();
  expect(await folder.json('datacite.json')).toMatchObject({ language: 'en-GB' });
  expect(await folder.json('ro-crate-metadata.json')).toMatchObject({
    '@graph': { 1: { inLanguage: 'en-GB' } },
  });
  for (const [only, there] of [
    ['**', true],
    ['climate/*', false],
  ] as const) {
    const out = path.join(folder.root, 'a.zip');
    await snapshot(folder.out, { out, only }, QUIET);
    expect(run('unzip', '-l', out).includes('datasets/transit/trams/index.json')).toBe(there);
  }
});

describe('what is refused', () => {
  const failure = async ({
    folder = publisher.out,
    out = '',
    only = null as string | null,
  }): Promise<unknown> =>
    snapshot(folder, { out: out || path.join(await temporaryFolder(), 'none.zip'), only }, QUIET).then(
      () => null,
      (error: unknown) => error,
    );

  test('a foreign file, a folder, a place within the tree, another name', async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => path.join(folder, name);
    await writeFile(at('a.zip'), 'PK, but mine');
    await mkdir(at('b.zip'));
    for (const name of ['a.zip', 'b.zip'])
      expect(await failure({ out: at(name) })).toMatchObject({ code: 'output-not-ours' });
    expect(await readFile(at('a.zip'), 'utf8')).toBe('PK, but mine');
    await symlink(publisher.out, at('link'));
    for (const out of [path.join(publisher.out, 'a.zip'), at('link/new/a.zip')])
      expect(await failure({ out })).toMatchObject({ code: 'output-in-tree' });
    expect(await failure({ only: 'nowhere/*' })).toMatchObject({ code: 'nothing-to-pack' });
    expect(await failure({ folder })).toBeInstanceOf(UnableError);
    expect(await failure({ out: at('missing/deep/c.zip') })).toBe(null);
    expect((await command('snapshot', publisher.out, '--out', at('a.rar'))).code).toBe(2);
  });

  test('a full disk: exit code 3, and nothing is left', async context => {
    const folder = await mounted('size=64k');
    if (folder === null) return context.skip('a file system cannot be mounted here');
    const { code, stderr } = await command('snapshot', publisher.out, '--out', path.join(folder, 'a.zip'));
    expect([code, await readdir(folder)]).toEqual([3, []]);
    expect(stderr).toMatch(/disk-full/);
  });
});
