/**
 * mirror.sh copies a tree or one dataset from real hosts; the copy is verified and answers the API.
 * test/cli/documented-commands.test.ts runs wget and rclone.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mirrorScript } from '../../build/documents/mirror-script.ts';
import { ROOT } from '../../build/format/paths.ts';
import { changedFiles, DATASET, threeReleases } from '../deploy/three-releases.ts';
import { isInstalled } from '../installed.ts';
import { contents, snapshot } from '../publishers/built-tree.ts';
import { temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { answering, served } from '../served.ts';
import { type MirrorHost, run, startEdge, startNginx } from './mirror-hosts.ts';

const QUESTION = `/api/v1/${DATASET}?year=2021&detail=regions&season=wet`;

/** The tree, and a later release: slices revised, one gone. */
const [old, , later] = await threeReleases();
const KEPT = { recursive: true, preserveTimestamps: true };

/** Paths of the files that the host has sent since the last call; a mirror always reads the checksums. */
const fetched = async () => [...new Set(await host.sent())].filter(name => name !== ROOT.checksums).sort();

const programs = ['curl', 'wget'].filter(isInstalled);
/** mirror.sh uses one program per host, so that each program and each host has its turn. */
const hosts = [
  { name: 'civic serve', start: startEdge, absent: false, program: programs[0] ?? '' },
  {
    name: 'nginx',
    program: programs.at(-1) ?? '',
    start: (folder: string) => startNginx(folder, path.join(folder, '../nginx')),
    absent: !isInstalled('nginx'),
  },
];

/** The host serves this folder, whose content a test replaces. */
let hosted: string;
let copy: string;
let host: MirrorHost;
let restart: (folder: string) => Promise<MirrorHost>;

async function serve(tree: string): Promise<void> {
  await rm(hosted, { recursive: true, force: true });
  await cp(tree, hosted, KEPT);
}

/** The next release. The host restarts, because an edge looks at its manifest again only after a while. */
async function switchTo(tree: string): Promise<void> {
  await host.close();
  await serve(tree);
  host = await restart(hosted);
}

const answer = async (folder: string) => (await fetch((await served(folder)) + QUESTION)).text();

async function expectWhole(tree: string): Promise<void> {
  expect(await contents(copy)).toEqual(await contents(tree));
  const sums = await run('sha256sum', ['--check', '--quiet', ROOT.checksums], copy);
  expect(sums).toEqual({ code: 0, output: '' });
  expect(await answer(copy)).toBe(await answer(tree));
}

/**
 * A PATH with the programs of the script and one of the two that fetch; curl retries once, not three times.
 */
async function pathWith(program: string): Promise<Record<string, string>> {
  const folder = await temporaryFolder();
  const needed = 'sh awk cat cut dirname grep mkdir mv rm rmdir sed sha256sum tr wc'.split(' ');
  for (const name of [...needed, program]) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    await symlink(stdout.trim(), path.join(folder, name));
  }
  await writeFile(path.join(folder, '.curlrc'), 'retry-max-time = 1\n');
  return { PATH: folder, CURL_HOME: folder };
}

describe.each(hosts)('$name and mirror.sh with $program', ({ start, absent, program }) => {
  describe.skipIf(absent || program === '')('(skipped where one of the two is missing)', () => {
    const script = path.join('..', 'mirror.sh');
    let environment: Record<string, string>;
    beforeEach(async () => {
      const root = await temporaryFolder();
      hosted = path.join(root, 'hosted');
      copy = path.join(root, 'copy');
      await mkdir(copy);
      await serve(old.folder);
      restart = start;
      host = await start(hosted);
      environment = await pathWith(program);
      await writeFile(path.join(copy, script), mirrorScript(null));
    });
    afterEach(() => host.close());
    const mirror = (...args: string[]) =>
      run('sh', [script, '-d', '.', ...args, host.url], copy, environment);

    test('the whole tree, then nothing, then what changed; what is gone is removed', async () => {
      expect(await mirror()).toMatchObject({ code: 0 });
      await expectWhole(old.folder);
      await fetched();
      await mirror();
      expect(await fetched()).toEqual([]);
      await switchTo(later.folder);
      expect(await mirror()).toMatchObject({ code: 0 });
      expect(await fetched()).toEqual(changedFiles(old, later).sort());
      await expectWhole(later.folder);
      const times = await snapshot(later.folder);
      for (const [file, { modified }] of await snapshot(copy))
        expect([file, modified]).toEqual([file, times.get(file)?.modified]);
      expect((await mirror()).output).toContain('0 files fetched, 0 removed');
    });

    test('one dataset, which answers like the whole tree', async () => {
      expect(await mirror('-o', DATASET)).toMatchObject({ code: 0 });
      const files = Object.keys(await contents(copy));
      expect(files).toContain(`api/v1/${DATASET}/year=2021/regions.csv`);
      expect(files).toContain('api/v1/climate/_dimensions/stations/rows.csv');
      expect(files.filter(file => file.includes('trams'))).toEqual([]);
      const check = ['--check', '--quiet', '--ignore-missing', ROOT.checksums];
      expect(await run('sha256sum', check, copy)).toEqual({ code: 0, output: '' });
      expect(await answer(copy)).toBe(await answer(old.folder));
    });

    test('repairs a damaged and a missing file, and continues a partial one', async () => {
      await cp(old.folder, copy, KEPT);
      const big = `api/v1/${DATASET}/year=2022/stations.csv`;
      await writeFile(path.join(copy, `api/v1/${DATASET}/values.json`), '{}');
      await rm(path.join(copy, big));
      await mkdir(path.join(copy, '.mirror/files', path.dirname(big)), { recursive: true });
      await cp(path.join(old.folder, big), path.join(copy, '.mirror/files', big));
      await truncate(path.join(copy, '.mirror/files', big), 100);
      // A part of another release is begun again.
      const other = `api/v1/${DATASET}/year=2021/regions.csv`;
      await rm(path.join(copy, other));
      await writeTexts(path.join(copy, '.mirror/files'), { [other]: 'something else' });
      await host.sent();
      expect((await mirror()).output).toContain('3 files fetched');
      await expectWhole(old.folder);
      const sent = new Set(await host.sent());
      expect(sent).toEqual(new Set([ROOT.checksums, `api/v1/${DATASET}/values.json`, big, other]));
    });

    test('a truncated list of checksums removes nothing', async () => {
      await cp(old.folder, copy, KEPT);
      const sums = await readFile(path.join(hosted, ROOT.checksums), 'utf8');
      const url = await answering((_, response) => {
        response.writeHead(200, { 'Content-Length': sums.length });
        // Cut at the end of a line, so that only the length shows it.
        response.write(sums.slice(0, sums.indexOf('\n', sums.length / 2) + 1), () => response.destroy());
      });
      const { code, output } = await run('sh', [script, '-d', '.', `${url}/`], copy, environment);
      expect([code, output]).toEqual([1, expect.stringContaining('SHA256SUMS cannot be fetched')]);
      await rm(path.join(copy, '.mirror'), { recursive: true });
      await expectWhole(old.folder);
    });

    test('a host that lacks a file: names it, keeps the copy as it was, and says how to continue', async () => {
      await cp(old.folder, copy, KEPT);
      await switchTo(later.folder);
      await rm(path.join(hosted, `api/v1/${DATASET}/year=2021/regions.json`));
      const { code, output } = await mirror();
      expect(code).toBe(1);
      expect(output).toContain(`does not match SHA256SUMS: api/v1/${DATASET}/year=2021/regions.json`);
      await rm(path.join(copy, '.mirror'), { recursive: true });
      await expectWhole(old.folder);
    });
  });
});

describe('mirror.sh', () => {
  const shell = (...args: string[]) => spawnSync('sh', args, { encoding: 'utf8' });
  let file: string;
  beforeEach(async () => {
    file = path.join(await temporaryFolder(), 'mirror.sh');
  });

  test('is in the tree, knows its address if the build does, and runs in a POSIX shell', async () => {
    expect(await readFile(path.join(old.folder, ROOT.mirror), 'utf8')).toBe(mirrorScript(null));
    expect(mirrorScript("https://a.example/it's/")).toContain(`base='https://a.example/it'\\''s/'`);
    await writeFile(file, mirrorScript(null));
    expect(shell('-n', file)).toMatchObject({ status: 0, stderr: '' });
  });

  test('wrong use says how it is used', async () => {
    await writeFile(file, mirrorScript(null));
    for (const args of [[], ['-x'], ['ftp://data.example.org/']]) {
      const { status, stderr } = shell(file, ...args);
      expect(status).toBe(2);
      expect(stderr).toContain('sh mirror.sh [-d folder]');
    }
  });
});
