/** One's own server: rsync uploads releases, and renaming a link switches. */
import { spawn } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ROOT, UNLISTED } from '../../build/format/paths.ts';
import { digestText } from '../../build/slice/file-digest.ts';
import { startServer } from '../../site/edge/adapters/node.ts';
import { PROGRAM } from '../cli/program.ts';
import { isInstalled } from '../installed.ts';
import { PATIENCE } from '../patience.ts';
import { contents } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { startNginx } from '../tree/mirror-hosts.ts';
import {
  type Get,
  getOverHttp,
  readComputed,
  readOneByOne,
  readPinned,
  switchOften,
  watch,
} from './reader.ts';
import { changedFiles, deploy, type Release, threeReleases } from './three-releases.ts';

const three = await threeReleases();
const [first, second, third] = three;

/** A folder with a program in place of rsync. The script's PATH finds the real one. */
async function inPlaceOfRsync(script: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'rsync'), `#!/bin/sh\nPATH=\${PATH#*:}\n${script}\n`, { mode: 0o755 });
  return folder;
}

async function online(store: string): Promise<string> {
  return (await readlink(path.join(store, 'current'))).replace('releases/', '');
}

const kept = async (store: string) => (await readdir(path.join(store, 'releases'))).sort();

/** Deploys, and expects this code and message. */
async function ends(code: number, says: string, args: readonly string[], bin: string | null = null) {
  expect(await deploy(args, bin)).toMatchObject({ code, output: expect.stringContaining(says) });
}

/** The files of the current release, and of one by its name. */
const current = (store: string) => contents(path.join(store, 'current'));
const of = (store: string, { id }: Release) => contents(path.join(store, 'releases', id));

/** A copy of the first release. */
async function copied(): Promise<string> {
  const tree = path.join(await temporaryFolder(), 'a tree');
  await cp(first.folder, tree, { recursive: true, preserveTimestamps: true });
  return tree;
}

describe.skipIf(!isInstalled('rsync'))('rsync', () => {
  let store: string;
  beforeEach(async () => {
    store = await temporaryFolder();
    await ends(0, 'is online', [first.folder, store]);
  });

  test('uploads a whole release, without copying unchanged files', async () => {
    const { code, output } = await deploy([second.folder, store]);
    const says = `Release ${second.id} is online. It replaces ${first.id}.`;
    expect([code, output]).toEqual([0, expect.stringContaining(says)]);
    expect(await online(store)).toBe(second.id);
    for (const release of [first, second])
      expect(await of(store, release)).toEqual(await contents(release.folder));
    // Most files have the same length and time in both; only the bytes differ.
    const there = (release: Release, file = '') => path.join(store, 'releases', release.id, file);
    const changed = changedFiles(first, second);
    expect(output).toContain(`${changed.length} files sent`);
    for (const file of second.hashes.keys()) {
      const inodes = [first, second].map(async release => (await stat(there(release, file))).ino);
      const [before, after] = await Promise.all(inodes);
      expect([file, before === after]).toEqual([file, !changed.includes(file)]);
    }
    expect((await stat(there(second))).mode & 0o777).toBe(0o755);
    expect((await stat(there(second, ROOT.manifest))).mode & 0o777).toBe(0o644);
  });

  test('that is interrupted leaves what is online, and continues where it stopped', async () => {
    // The real rsync, which loses its connection after the small files.
    const script = `rsync --max-size=4k "$@"\necho 'connection unexpectedly closed' >&2\nexit 12`;
    const args = [second.folder, store];
    await ends(3, 'connection unexpectedly closed', args, await inPlaceOfRsync(script));
    expect(await online(store)).toBe(first.id);
    expect(await kept(store)).toEqual([`.${second.id}.part`, first.id].sort());
    const again = await deploy(args);
    const sent = Number(/^(\d+) files sent/m.exec(again.output)?.[1]);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(changedFiles(first, second).length);
    expect(await of(store, second)).toEqual(await contents(second.folder));
    expect(await kept(store)).toEqual([first.id, second.id].sort());
  });

  test('checks on the server what arrived: changed bytes, or another tree than the one that was read', async () => {
    const changing = `rsync "$@"\nfor target; do :; done\nprintf x >"$target/robots.txt"`;
    await ends(3, 'robots.txt: FAILED', [third.folder, store], await inPlaceOfRsync(changing));
    const swapping = `for target; do :; done\nexec rsync -r --stats --no-human-readable ${second.folder}/ "$target"`;
    const says = 'Another tree arrived than the one that was read.';
    await ends(3, says, [third.folder, store], await inPlaceOfRsync(swapping));
    expect(await online(store)).toBe(first.id);
    await ends(0, 'is online', [third.folder, store]);
    expect(await online(store)).toBe(third.id);
  });

  test('reaches another machine through ssh, whose shell gets only plain words', async () => {
    const far = path.join(await temporaryFolder(), 'sub/folder');
    // Acts as the other machine: runs what ssh would hand to its shell.
    const ssh = path.join(await temporaryFolder(), 'ssh');
    const script = `#!/bin/sh
[ "$1" = -p ] && shift 2
[ "$1" = -l ] && who=$2@$3 && shift 3 && set -- "$who" "$@"
[ "$1" = somebody@far ] || exit 9
shift
exec sh -c "$*"
`;
    await writeFile(ssh, script, { mode: 0o755 });
    const args = [`somebody@far:${far}`, '--ssh', `${ssh} -p 2222`];
    for (const release of [first, second]) await ends(0, 'is online', [release.folder, ...args]);
    expect(await current(far)).toEqual(await contents(second.folder));
    expect((await deploy(['--list', ...args])).output).toBe(`${second.id}  online\n${first.id}\n`);
  });

  test("one deployment at a time: another is refused, and a killed one doesn't block", async () => {
    const begun = path.join(await temporaryFolder(), 'begun');
    const bin = await inPlaceOfRsync(`touch ${begun}\nexec sleep 60`);
    const args = [PROGRAM, 'deploy', second.folder, store];
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const slow = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true });
    await vi.waitFor(() => stat(begun), { timeout: PATIENCE, interval: 20 });
    const busy = `destination-busy Another deployment to ${store} is running.`;
    await ends(3, busy, [third.folder, store]);
    await ends(3, busy, ['--rollback', first.id, store]);
    expect(await online(store)).toBe(first.id);
    const ended = new Promise(done => slow.once('close', done));
    slow.kill('SIGKILL');
    await ended;
    await vi.waitFor(() => ends(0, 'is online', [third.folder, store]), PATIENCE);
    expect(await online(store)).toBe(third.id);
    // Its rsync is still running.
    process.kill(-slow.pid!, 'SIGKILL');
  });

  test('releases are listed, switched back to, and removed except the last ones; a broken one is not switched to', async () => {
    for (const { folder } of [second, third]) await ends(0, 'is online', [folder, store]);
    const { output } = await deploy(['--list', store]);
    expect(output).toBe(`${third.id}  online\n${second.id}\n${first.id}\n`);
    await ends(0, 'is online', ['--rollback', first.id, store]);
    expect(await current(store)).toEqual(await contents(first.folder));
    const file = path.join(store, 'releases', second.id, ROOT.datasets);
    await rm(file);
    await writeFile(file, '{}');
    await ends(3, ROOT.datasets, ['--rollback', second.id, store]);
    expect(await online(store)).toBe(first.id);
    await ends(0, 'The host has release', [third.folder, store, '--keep', '1']);
    expect(await kept(store)).toEqual([third.id]);
    expect(await online(store)).toBe(third.id);
  });

  test('a release never changes, and has no instructions for other hosts', async () => {
    const tree = await copied();
    for (const file of Object.values(UNLISTED)) await writeFile(path.join(tree, file), 'x');
    const empty = await temporaryFolder();
    await ends(0, 'is online', [tree, empty]);
    expect(await current(empty)).toEqual(await contents(first.folder));
    await writeFile(path.join(tree, 'extra.txt'), 'x');
    await ends(1, 'tree-extra-file', [tree, store]);
    const hash = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
    await appendFile(path.join(tree, ROOT.checksums), `${hash}  extra.txt\n`);
    await ends(1, 'release-differs', [tree, store]);
    expect(await current(store)).toEqual(await contents(first.folder));
  });

  test("a damaged tree, a folder that isn't a tree, and a place without a link to switch are refused", async () => {
    const [tree, empty] = [await copied(), await temporaryFolder()];
    await writeFile(path.join(tree, ROOT.health), '{}');
    await ends(1, 'healthz.json', [tree, empty]);
    await ends(1, '', [path.dirname(tree), empty]);
    const named = await copied();
    const manifest = await readFile(path.join(named, ROOT.manifest), 'utf8');
    const text = manifest.replace(/("release": ?)"[^"]*"/, '$1"x; touch evil"');
    await writeFile(path.join(named, ROOT.manifest), text);
    const sums = await readFile(path.join(named, ROOT.checksums), 'utf8');
    const line = `${digestText(text)}  ${ROOT.manifest}`;
    await writeFile(path.join(named, ROOT.checksums), sums.replace(/^\S+ {2}manifest\.json$/m, line));
    await ends(1, 'names no release', [named, empty]);
    expect(await readdir(empty)).toEqual([]);
    await mkdir(path.join(empty, 'current'));
    await ends(3, 'is not a link', [first.folder, empty]);
  });
});

test.each([
  'tree',
  'tree -folder',
  'tree s3://bucket/../other',
  'tree /folder --keep 0',
  '--rollback ../../etc /folder',
  '--rollback 2031-05-17-00000000 tree /folder',
])('deploy %s is no command', async args => expect(await deploy(args.split(' '))).toMatchObject({ code: 2 }));

test.skipIf(!isInstalled('rsync') || !isInstalled('nginx'))(
  'many switches under readers’ eyes: no reader of nginx or civic serve gets a mixture',
  async () => {
    const root = await temporaryFolder();
    const store = path.join(root, 'store');
    for (const { folder } of three) await deploy([folder, store]);
    // The current release at the root, and every release at its own address.
    const own = `location /releases/ { root ${store}; }`;
    const servers = [
      await startNginx(`${store}/current`, path.join(root, 'nginx'), own),
      await startServer({ folder: store, port: 0 }),
      await startServer({ folder: path.join(store, 'current'), port: 0 }),
    ] as const;
    const [ofNginx, ofEdge, ofLink] = servers.map(({ url }) => getOverHttp(url)) as [Get, Get, Get];
    const switchTo = ({ id }: Release) => ends(0, 'is online', ['--rollback', id, store]);
    await switchTo(first);
    const watches = [
      watch('nginx, one by one', readOneByOne(ofNginx, three)),
      watch('nginx, pinned', readPinned(ofNginx, three)),
      watch('civic serve, one by one', readOneByOne(ofEdge, three)),
      watch('civic serve, pinned', readPinned(ofEdge, three)),
      watch('civic serve, computed', await readComputed(ofEdge, three)),
      watch('civic serve of the link, computed', await readComputed(ofLink, three)),
    ];
    await switchOften(watches, three, switchTo);
    for (const server of servers) await server.close();
  },
  180_000,
);
