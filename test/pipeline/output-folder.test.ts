/** A build never deletes files of others, and one folder has one build at a time. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { withWorkspace } from '../../build/pipeline/build.ts';
import { type Claimant, describeSelf, SILENCE } from '../../build/tree/claim.ts';
import { lockWorkspace, swapTrees, type Workspace, workspaceOf } from '../../build/tree/workspace.ts';
import { command } from '../cli/command.ts';
import { mounted, startCivic } from '../cli/program.ts';
import { contents, snapshot } from '../publishers/built-tree.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { copyTree, type Publisher, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { rainFile, rainfallRows } from '../publishers/weather.ts';

const publisher = await keptWeather();

/** The publisher with its own output folder. */
async function elsewhere(): Promise<Publisher> {
  const root = await temporaryFolder();
  return publisher.with({ root, out: path.join(root, 'dist') });
}

/** The same with a tree. */
async function withTree(): Promise<Publisher> {
  return publisher.with(await copyTree(publisher, await temporaryFolder()));
}

/** All files except the notes of builds. */
const held = async ({ root }: Publisher) =>
  [...(await snapshot(root))].filter(([name]) => !name.startsWith('.dist.civic'));

describe('an output folder', () => {
  test('that is empty is taken, and one whose parents are missing is made', async () => {
    const folder = await elsewhere();
    await mkdir(folder.out);
    for (const one of [folder, folder.with({ out: path.join(folder.root, 'a/b c/[d]/dist') })]) {
      await one.build();
      await one.verify();
    }
  });

  test.each<readonly [what: string, code: string, put: (out: string) => Promise<unknown>]>([
    ['a file', 'output-not-a-folder', out => writeFile(out, 'not a folder')],
    ...['holiday.jpg', 'a/b/c.txt', 'manifest.json', 'SHA256SUMS', '.htaccess'].map(
      name =>
        [
          `a folder with ${name}`,
          'output-not-ours',
          (out: string) => writeTexts(out, { [name]: 'x' }),
        ] as const,
    ),
  ])('that is %s is refused and left alone: %s', async (_, code, put) => {
    const folder = await elsewhere();
    await put(folder.out);
    const before = await held(folder);
    const message = expect.stringContaining(folder.out);
    expect(await folder.inability()).toMatchObject({ code, message });
    expect(await held(folder)).toEqual(before);
  });

  test('of ours with a foreign file or link is refused and left alone until that is gone', async () => {
    const folder = await withTree();
    const precious = path.join(folder.root, 'precious');
    await writeTexts(precious, { file: 'not ours' });
    for (const [name, put] of [
      ['holiday.jpg', (file: string) => writeFile(file, 'not ours')],
      ['a', (file: string) => writeTexts(file, { 'b/c.txt': 'not ours' })],
      ['link', (file: string) => symlink(precious, file)],
    ] as const) {
      const file = path.join(folder.out, name);
      const before = await held(folder);
      await put(file);
      const message = expect.stringContaining(name);
      expect(await folder.inability()).toMatchObject({ code: 'output-foreign-file', message });
      await rm(file, { recursive: true });
      expect(await held(folder)).toEqual(before);
    }
    expect((await folder.build()).result.release).toMatch(/^2031-05-17-/);
  });

  test('that is a link: the tree is replaced where it leads, and the link stays', async () => {
    const folder = await elsewhere();
    const real = path.join(folder.root, 'releases/1');
    await mkdir(real, { recursive: true });
    await symlink(real, folder.out);
    await folder.build();
    await folder.build({ releaseDate: '2032-01-01' });
    expect(await realpath(folder.out)).toBe(real);
    expect((await readdir(folder.root)).sort()).toEqual(['dist', 'releases']);
    await folder.verify();
  });

  test('whose parent cannot be written', async context => {
    const folder = await mounted('ro,size=1m');
    if (folder === null) return context.skip('a file system cannot be mounted here');
    const refused = await publisher.with({ out: path.join(folder, 'dist') }).inability();
    expect(refused.code).toBe('no-permission');
  });
});

describe('a full disk', () => {
  test('leaves the published tree as it was, and says so', async context => {
    const disk = await mounted('size=20m');
    if (disk === null) return context.skip('a file system cannot be mounted here');
    const folder = (await publisher.copy()).with({ out: path.join(disk, 'dist') });
    await folder.build();
    const before = await folder.snapshot();
    // Words that don't compress.
    const words = "SELECT string_agg(md5(i::VARCHAR || random()), '') AS words FROM range(8000) r(i)";
    for (const year of [2019, 2021, 2022]) {
      const rows = rainfallRows(year, 'stations');
      await folder.writeRows({
        [rainFile(year, 'stations')]: `SELECT r.* REPLACE (words AS note) FROM (${rows}) r, (${words}) w`,
      });
    }
    const { code, stderr } = await command(...folder.arguments());
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^disk-full /m)]);
    expect(await folder.snapshot()).toEqual(before);
    expect((await readdir(disk)).sort()).toEqual(['.dist.civic', 'dist']);
    expect(await readdir(workspaceOf(folder.out).folder)).not.toContain('staging');
    // With space again, it builds.
    expect((await publisher.with({ out: folder.out }).build()).result.changed).toBe(false);
  });
});

describe('two builds at once', () => {
  test('the second says which process has the folder', async () => {
    const folder = await elsewhere();
    const workspace = workspaceOf(folder.out);
    const claim = await lockWorkspace(workspace);
    const message = expect.stringContaining(`process ${process.pid}`);
    expect(await folder.inability()).toMatchObject({ code: 'output-locked', message });
    await claim.release();
    await folder.build();
  });

  test('of many that ask in one process at nearly the same moment exactly one gets the folder', async () => {
    const { out } = await elsewhere();
    for (let round = 0; round < 100; round++) {
      const ask = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        return lockWorkspace(workspaceOf(out));
      };
      const asked = await Promise.allSettled([0, 1, 2, 4, 6, 8].map(ask));
      const got = asked.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
      expect(got).toHaveLength(1);
      await got[0]!.release();
    }
  });

  test('by another path to the same folder it is the same lock', async () => {
    const { root, out } = await elsewhere();
    await symlink(root, path.join(root, 'link'));
    const claim = await lockWorkspace(workspaceOf(out));
    await expectTaken(workspaceOf(path.join(root, 'link/dist')), `process ${process.pid}`);
    await claim.release();
  });

  test.each([
    ['that is gone', { process: 999999999 }],
    ['whose number another process has now', { started: '1' }],
  ])('a claim of a process %s counts for nothing', async (_, claimant) => {
    const workspace = workspaceOf((await elsewhere()).out);
    await putClaim(workspace, claimant);
    await expectFree(workspace);
  });

  test.each([
    ['of another container', { namespace: 'pid:[1]', host: 'c0ffee' }],
    ['of another machine', { boot: 'another', process: 1 }],
    ['that cannot be read', null],
  ])('a claim %s stands until it has been silent for a minute', async (_, claimant) => {
    const workspace = workspaceOf((await elsewhere()).out);
    const file = await putClaim(workspace, claimant);
    await expectTaken(workspace, `rm '${file}'`);
    const silent = new Date(Date.now() - SILENCE - 5000);
    await utimes(file, silent, silent);
    await expectFree(workspace);
  });

  test('a build that lost its lock publishes nothing, and leaves the other alone', async () => {
    const folder = await withTree();
    const workspace = workspaceOf(folder.out);
    const before = await folder.snapshot();
    const other = path.join(workspace.staging, 'other/file');
    const publish = withWorkspace(
      folder.out,
      () => undefined,
      async (own, claim) => {
        await mkdir(own.staging, { recursive: true });
        await rm(`${own.lock}.${claim.token}`);
        await mkdir(path.dirname(other), { recursive: true });
        await writeFile(other, 'in the other staging folder');
        await swapTrees(own, claim);
      },
    );
    await expect(publish).rejects.toMatchObject({ code: 'output-locked' });
    expect(await folder.snapshot()).toEqual(before);
    expect(await readFile(other, 'utf8')).toBe('in the other staging folder');
  });
});

describe('what a killed build left', () => {
  test('of locks is removed; the lock of a running process is not', async () => {
    const { out } = await elsewhere();
    const workspace = workspaceOf(out);
    await putClaim(workspace, { process: 999999999 });
    const running = await putClaim(workspace, { process: process.ppid, started: null });
    await expectTaken(workspace, running);
    expect(await readdir(workspace.folder)).toContain(path.basename(running));
    await rm(running);
    await expectFree(workspace);
    expect(await readdir(path.dirname(out))).toEqual([]);
  });

  test('between the two steps of a switch: the old tree comes back', async () => {
    const folder = await withTree();
    const { out, previous } = workspaceOf(folder.out);
    const before = await contents(out);
    await rename(out, previous);
    const wrong = folder.with({ data: path.join(folder.root, 'none') });
    expect(await wrong.inability()).toMatchObject({ code: 'lake-unreadable' });
    expect(await contents(out)).toEqual(before);
  });

  test('after the switch: the new tree stays, and the next build tells', async () => {
    const folder = await withTree();
    const { out, previous, note } = workspaceOf(folder.out);
    const before = await contents(out);
    await mkdir(previous);
    await writeFile(path.join(previous, 'index.json'), '{}');
    await rm(note);
    expect((await folder.build()).notes).toEqual([expect.stringMatching(/after it switched trees/)]);
    expect(await contents(out)).toEqual(before);
    expect(await readdir(path.dirname(previous))).not.toContain('previous');
  });
});

describe('a damaged tree', () => {
  const cut = async (file: string) => {
    const { mtime } = await stat(file);
    await truncate(file, 0);
    await utimes(file, mtime, mtime);
  };
  const overwrite = async (file: string) => writeFile(file, 'x'.repeat((await stat(file)).size));
  const SOME =
    /^(index\.|healthz)|year=2021\/nation\.csv$|_copies\/nation|contract\.yaml|regions\/rows\.parquet$/;
  // The release before says what a release changed, so a lost feed is written again.
  test.each<[what: string, lost: RegExp, damage: (file: string) => Promise<unknown>]>([
    ['lists without bytes', /^(SHA256SUMS|manifest\.json)$/, cut],
    ['rows, documents and pages without bytes', SOME, cut],
    ['everything but the feed without bytes', /^(?!.*(feed|notes))/, cut],
    ['files that are gone', SOME, file => rm(file)],
    ['files with other bytes', SOME, overwrite],
  ])('is mended, not refused: %s', async (_, lost, damage) => {
    const folder = await withTree();
    const before = await folder.contents();
    for (const name of Object.keys(before).filter(one => lost.test(one)))
      await damage(path.join(folder.out, name));
    await folder.build();
    expect(await folder.contents()).toEqual(before);
  });

  test('is refused as before if it holds a file that no build wrote', async () => {
    const folder = await withTree();
    await truncate(path.join(folder.out, 'SHA256SUMS'), 0);
    await writeFile(path.join(folder.out, 'holiday.jpg'), 'not ours');
    const before = await folder.snapshot();
    expect(await folder.inability()).toMatchObject({ code: 'output-foreign-file' });
    expect(await folder.snapshot()).toEqual(before);
  });
});

test('if two folders can be exchanged, the switch is one step', async context => {
  const folder = await withTree();
  const bin = path.join(folder.root, 'bin');
  await mkdir(bin);
  // What mv of coreutils 9.5 does: renameat2 with RENAME_EXCHANGE.
  await writeFile(
    path.join(bin, 'mv'),
    '#!/bin/sh\n[ "$1" = --exchange ] || exit 1\nexec perl -e \'exit(0 != syscall(316, -100, $ARGV[0], -100, $ARGV[1], 2))\' "$4" "$5"\n',
    { mode: 0o755 },
  );
  const probe = path.join(folder.root, 'probe');
  await mkdir(`${probe}.a`, { recursive: true });
  await mkdir(`${probe}.b`);
  const mv = ['--exchange', '--no-copy', '-T', `${probe}.a`, `${probe}.b`];
  if (spawnSync(path.join(bin, 'mv'), mv).status !== 0)
    return context.skip('folders cannot be exchanged here');
  let gone = 0;
  const seen = new Set<number>();
  const environment = { PATH: `${bin}:${process.env.PATH}` };
  const run = startCivic(folder.arguments('--release-date', '2033-01-01'), { environment });
  while (run.process.exitCode === null) {
    const there = statSync(folder.out, { throwIfNoEntry: false });
    if (there) seen.add(there.ino);
    else gone++;
    await setImmediate();
  }
  const { code } = await run.ended;
  seen.add(statSync(folder.out).ino);
  expect([code, gone, seen.size]).toEqual([0, 0, 2]);
  expect(await readdir(workspaceOf(folder.out).folder)).not.toContain('staging');
  await folder.verify();
});

/** Expects that the folder is locked, and that the message names this. */
async function expectTaken(workspace: Workspace, named: string): Promise<void> {
  const refused = { code: 'output-locked', message: expect.stringContaining(named) };
  await expect(lockWorkspace(workspace)).rejects.toMatchObject(refused);
}

async function expectFree(workspace: Workspace): Promise<void> {
  const claim = await lockWorkspace(workspace);
  expect(await readdir(workspace.folder)).toEqual([`lock.${claim.token}`]);
  await claim.release();
}

/** Writes a claim like this process's own with these changes; null writes an unreadable claim. */
async function putClaim(workspace: Workspace, other: Partial<Claimant> | null): Promise<string> {
  const file = `${workspace.lock}.${Math.random().toString(16).slice(2)}`;
  await mkdir(workspace.folder, { recursive: true });
  await writeFile(file, other === null ? '' : JSON.stringify({ ...describeSelf(), ...other }));
  return file;
}
