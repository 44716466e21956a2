/** One's own server: rsync brings releases, and one rename of a link switches. */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ROOT, UNLISTED } from '../../build/format/paths.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { contents } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { isInstalled, startNginx } from '../tree/mirror-hosts.ts';
import { deploy } from './deploy-program.ts';
import { getOverHttp, readComputed, readOneByOne, readPinned, switchTwentyTimes, watch } from './reader.ts';
import { changedFiles, type Release, type ThreeReleases, threeReleases } from './three-releases.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../lib/bin/civic.js');

let three: ThreeReleases;
let [first, second, third]: Release[] = [];

beforeAll(async () => {
  three = await threeReleases();
  [first, second, third] = three;
});

/** A folder with a program in place of rsync; the script's PATH finds the real one. */
async function inPlaceOfRsync(script: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'rsync'), `#!/bin/sh\nPATH=\${PATH#*:}\n${script}\n`, { mode: 0o755 });
  return folder;
}

async function online(store: string): Promise<string> {
  return (await readlink(path.join(store, 'current'))).replace('releases/', '');
}

const kept = async (store: string) => (await readdir(path.join(store, 'releases'))).sort();

describe.skipIf(!isInstalled('rsync'))('rsync', () => {
  test('brings a release whole, and what did not change is no second copy', async () => {
    const store = await temporaryFolder();
    expect(await deploy([first!.folder, store])).toMatchObject({ code: 0 });
    const { code, output } = await deploy([second!.folder, store]);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`Release ${second!.id} is online. It replaces ${first!.id}.`),
    ]);
    expect(await online(store)).toBe(second!.id);
    const there = (release: Release, file = '') => path.join(store, 'releases', release.id, file);
    expect(await contents(there(first!))).toEqual(await contents(first!.folder));
    expect(await contents(there(second!))).toEqual(await contents(second!.folder));
    // Lengths and times of most are the same in both: only their bytes tell them apart.
    const changed = changedFiles(first!, second!);
    expect(output).toContain(`${changed.length} files sent`);
    for (const file of second!.hashes.keys()) {
      const inodes = [first!, second!].map(async release => (await stat(there(release, file))).ino);
      const [before, after] = await Promise.all(inodes);
      expect([file, before === after]).toEqual([file, !changed.includes(file)]);
    }
    expect((await stat(there(second!))).mode & 0o777).toBe(0o755);
    expect((await stat(there(second!, ROOT.manifest))).mode & 0o777).toBe(0o644);
  });

  test('that breaks off leaves what is online, and goes on where it stopped', async () => {
    const store = await temporaryFolder();
    await deploy([first!.folder, store]);
    // The real rsync, which for once loses its connection after the small files.
    const script = `rsync --max-size=4k "$@"\necho 'connection unexpectedly closed' >&2\nexit 12`;
    const broken = await deploy([second!.folder, store], await inPlaceOfRsync(script));
    expect([broken.code, broken.output]).toEqual([
      3,
      expect.stringContaining('connection unexpectedly closed'),
    ]);
    expect(await online(store)).toBe(first!.id);
    expect(await kept(store)).toEqual([`.${second!.id}.part`, first!.id].sort());
    const again = await deploy([second!.folder, store]);
    expect(again.code).toBe(0);
    const sent = Number(/^(\d+) files sent/m.exec(again.output)?.[1]);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(changedFiles(first!, second!).length);
    expect(await contents(path.join(store, 'releases', second!.id))).toEqual(await contents(second!.folder));
    expect(await kept(store)).toEqual([first!.id, second!.id].sort());
  });

  test('proves on the server what arrived', async () => {
    const store = await temporaryFolder();
    await deploy([first!.folder, store]);
    const script = `rsync "$@"\nfor target; do :; done\nprintf x >"$target/robots.txt"`;
    const broken = await deploy([third!.folder, store], await inPlaceOfRsync(script));
    expect([broken.code, broken.output]).toEqual([3, expect.stringContaining('robots.txt: FAILED')]);
    expect(await online(store)).toBe(first!.id);
    expect(await deploy([third!.folder, store])).toMatchObject({ code: 0 });
    expect(await online(store)).toBe(third!.id);
  });

  test('reaches another machine through ssh, whose shell gets nothing but plain words', async () => {
    const store = path.join(await temporaryFolder(), 'sub/folder');
    // In place of the other machine: what ssh would hand to its shell.
    const ssh = path.join(await temporaryFolder(), 'ssh');
    const script = `#!/bin/sh
[ "$1" = -p ] && shift 2
[ "$1" = -l ] && who=$2@$3 && shift 3 && set -- "$who" "$@"
[ "$1" = somebody@far ] || exit 9
shift
exec sh -c "$*"
`;
    await writeFile(ssh, script, { mode: 0o755 });
    const args = ['--ssh', `${ssh} -p 2222`];
    for (const release of [first!, second!])
      expect(await deploy([release.folder, `somebody@far:${store}`, ...args])).toMatchObject({ code: 0 });
    expect(await contents(path.join(store, 'current'))).toEqual(await contents(second!.folder));
    const { output } = await deploy(['--list', `somebody@far:${store}`, ...args]);
    expect(output).toBe(`${second!.id}  online\n${first!.id}\n`);
  });

  test('one deployment at a time: another is refused, and one that is killed gives its place back', async () => {
    const store = await temporaryFolder();
    await deploy([first!.folder, store]);
    const begun = path.join(await temporaryFolder(), 'begun');
    const bin = await inPlaceOfRsync(`touch ${begun}\nexec sleep 60`);
    const args = [PROGRAM, 'deploy', second!.folder, store];
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const slow = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true });
    await vi.waitFor(() => stat(begun), { timeout: 30_000, interval: 20 });
    for (const refused of [
      [third!.folder, store],
      ['--rollback', first!.id, store],
    ])
      expect(await deploy(refused)).toMatchObject({
        code: 3,
        output: expect.stringContaining(`destination-busy Another deployment to ${store} is at work.`),
      });
    expect(await online(store)).toBe(first!.id);
    const ended = new Promise(done => slow.once('close', done));
    slow.kill('SIGKILL');
    await ended;
    const next = () => deploy([third!.folder, store]);
    await vi.waitFor(async () => expect(await next()).toMatchObject({ code: 0 }), 20_000);
    expect(await online(store)).toBe(third!.id);
    // Its rsync lives on alone.
    process.kill(-slow.pid!, 'SIGKILL');
  });

  test('another tree than the one that was read gets no name', async () => {
    const store = await temporaryFolder();
    const script = `for target; do :; done\nexec rsync -r --stats --no-human-readable ${third!.folder}/ "$target"`;
    const swapped = await deploy([first!.folder, store], await inPlaceOfRsync(script));
    expect([swapped.code, swapped.output]).toEqual([
      3,
      expect.stringContaining('Another tree arrived than the one that was read.'),
    ]);
    expect(await kept(store)).toEqual([`.${first!.id}.part`]);
    expect(await deploy([first!.folder, store])).toMatchObject({ code: 0 });
  });
});

describe.skipIf(!isInstalled('rsync'))('releases that are there', () => {
  test('are listed, switched back to, and removed but for the last ones', async () => {
    const store = await temporaryFolder();
    for (const { folder } of three) await deploy([folder, store]);
    const { output } = await deploy(['--list', store]);
    expect(output).toBe(`${third!.id}  online\n${second!.id}\n${first!.id}\n`);
    expect(await deploy(['--rollback', first!.id, store])).toMatchObject({ code: 0 });
    expect(await contents(path.join(store, 'current'))).toEqual(await contents(first!.folder));
    const again = await deploy([third!.folder, store, '--keep', '1']);
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('The host has release')]);
    expect(await kept(store)).toEqual([third!.id]);
    expect(await online(store)).toBe(third!.id);
  });

  test('hold no instructions of another host that the tree has for it', async () => {
    const store = await temporaryFolder();
    const pages = path.join(await temporaryFolder(), 'tree for pages');
    await cp(first!.folder, pages, { recursive: true, preserveTimestamps: true });
    for (const file of Object.values(UNLISTED)) await writeFile(path.join(pages, file), 'x');
    expect(await deploy([pages, store])).toMatchObject({ code: 0 });
    expect(await contents(path.join(store, 'current'))).toEqual(await contents(first!.folder));
  });

  test('never change', async () => {
    const store = await temporaryFolder();
    await deploy([first!.folder, store]);
    const other = path.join(await temporaryFolder(), 'tree');
    await cp(first!.folder, other, { recursive: true, preserveTimestamps: true });
    await writeFile(path.join(other, 'extra.txt'), 'x');
    expect(await deploy([other, store])).toMatchObject({
      code: 1,
      output: expect.stringContaining('foreign-file'),
    });
    const sums = await readFile(path.join(other, ROOT.checksums), 'utf8');
    await writeFile(
      path.join(other, ROOT.checksums),
      `${sums}2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  extra.txt\n`,
    );
    expect(await deploy([other, store])).toMatchObject({
      code: 1,
      output: expect.stringContaining('release-differs'),
    });
    expect(await contents(path.join(store, 'current'))).toEqual(await contents(first!.folder));
  });

  test('that somebody broke are not switched back to', async () => {
    const store = await temporaryFolder();
    for (const { folder } of [first!, second!]) await deploy([folder, store]);
    const file = path.join(store, 'releases', first!.id, ROOT.datasets);
    await rm(file);
    await writeFile(file, '{}');
    expect(await deploy(['--rollback', first!.id, store])).toMatchObject({
      code: 3,
      output: expect.stringContaining(ROOT.datasets),
    });
    expect(await online(store)).toBe(second!.id);
  });

  test('are no trees that are damaged, nor what is no tree', async () => {
    const store = await temporaryFolder();
    const broken = path.join(await temporaryFolder(), 'tree');
    await cp(first!.folder, broken, { recursive: true });
    await writeFile(path.join(broken, ROOT.health), '{}');
    expect(await deploy([broken, store])).toMatchObject({
      code: 1,
      output: expect.stringContaining('healthz.json'),
    });
    expect(await deploy([path.dirname(broken), store])).toMatchObject({ code: 1 });
    expect(await readdir(store)).toEqual([]);
  });

  test('a folder that is called current is not replaced', async () => {
    const store = await temporaryFolder();
    await mkdir(path.join(store, 'current'));
    const { code, output } = await deploy([first!.folder, store]);
    expect([code, output]).toEqual([3, expect.stringContaining('is not a link')]);
  });

  test.each([
    [['tree']],
    [['tree', 'ftp://host/folder']],
    [['tree', '-folder']],
    [['tree', 'host:/a;reboot']],
    [['tree', '-oProxyCommand=x:/folder']],
    [['tree', 's3://bucket/../other']],
    [['tree', '/folder', '--keep', '0']],
    [['--rollback', '../../etc', '/folder']],
    [['--rollback', '2031-05-17-00000000', 'tree', '/folder']],
  ])('%j is no command', async args => expect(await deploy(args)).toMatchObject({ code: 2 }));
});

describe.skipIf(!isInstalled('rsync'))('twenty switches under readers’ eyes', () => {
  test.skipIf(!isInstalled('nginx'))(
    'nginx and civic serve: no reader gets a mixture',
    async () => {
      const root = await temporaryFolder();
      const store = path.join(root, 'store');
      for (const { folder } of three) await deploy([folder, store]);
      const nginx = await startReleasesNginx(store, path.join(root, 'nginx'));
      const edge = await startServer({ folder: store, port: 0 });
      const link = await startServer({ folder: path.join(store, 'current'), port: 0 });
      const [ofNginx, ofEdge] = [getOverHttp(nginx.url), getOverHttp(edge.url)];
      const ofLink = getOverHttp(link.url);
      const switchTo = async ({ id }: Release): Promise<void> =>
        expect(await deploy(['--rollback', id, store])).toMatchObject({ code: 0 });
      await switchTo(first!);
      const watches = [
        watch('nginx, one by one', readOneByOne(ofNginx, three)),
        watch('nginx, pinned', readPinned(ofNginx, three)),
        watch('civic serve, one by one', readOneByOne(ofEdge, three)),
        watch('civic serve, pinned', readPinned(ofEdge, three)),
        watch('civic serve, computed', await readComputed(ofEdge, three)),
        watch('civic serve of the link, computed', await readComputed(ofLink, three)),
      ];
      await switchTwentyTimes(watches, three, switchTo);
      await Promise.all([nginx.close(), edge.close(), link.close()]);
    },
    180_000,
  );
});

/** As README.md has it: the current release at the root, and every release at its own address. */
function startReleasesNginx(store: string, work: string) {
  return startNginx(`${store}/current`, work, `location /releases/ { root ${store}; }`);
}

describe('civic serve of a folder of releases', () => {
  test('each release answers at its own address, and names itself in what it links', async () => {
    const store = await temporaryFolder();
    await mkdir(path.join(store, 'releases'));
    for (const { id, folder } of [first!, second!])
      await cp(folder, path.join(store, 'releases', id), { recursive: true, preserveTimestamps: true });
    await symlink(`releases/${second!.id}`, path.join(store, 'current'));
    await mkdir(path.join(store, 'releases', third!.id));
    const { url, close } = await startServer({ folder: store, port: 0 });
    const own = `/releases/${first!.id}`;
    const ask = (name: string) => fetch(url + name, { redirect: 'manual' });
    const page = (await (await ask(`${own}/api/v1/climate/rainfall?limit=2`)).json()) as { next: string };
    expect(page.next).toBe(`${own}/api/v1/climate/rainfall?limit=2&offset=2`);
    expect((await ask(page.next)).status).toBe(200);
    const wrong = (await (await ask(`${own}/api/v1/climate/rainfall?yaer=2021`)).json()) as {
      detail: { ctx: { url: string } }[];
    };
    expect(wrong.detail[0]?.ctx.url).toBe(`${own}/api/v1/climate/rainfall?year=2021`);
    expect((await ask(own)).headers.get('location')).toBe(`${own}/`);
    expect((await ask(`${own}/api/v1/climate`)).headers.get('location')).toBe(`${own}/api/v1/climate/`);
    expect(((await (await ask(`${own}/healthz`)).json()) as { release: string }).release).toBe(first!.id);
    expect(((await (await ask('/healthz')).json()) as { release: string }).release).toBe(second!.id);
    // Not whole, not there, and no release at all.
    for (const name of [third!.id, '2031-05-17-00000000', `${first!.id}%2f..`, 'current'])
      expect([name, (await ask(`/releases/${name}/healthz.json`)).status]).toEqual([name, 404]);
    await close();
  });
});
