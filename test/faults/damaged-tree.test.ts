/** Damage in a tree with files of many blocks: no reader answers a wrong byte, and verify names and repairs it. */
import { cp, mkdir, open, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { verify } from '../../build/archive/verify.ts';
import { RefusedError } from '../../build/failure.ts';
import type { BuildEvent } from '../../build/report.ts';
import { repairTree } from '../../build/tree/repair-tree.ts';
import { createBucketFiles } from '../../site/edge/adapters/cloudflare.ts';
import { startPlainHost } from '../../site/edge/adapters/plain-host.ts';
import { createHandler } from '../../site/edge/fetch.ts';
import { folderBucket } from '../deploy/folder-bucket.ts';
import { contents } from '../publishers/built-tree.ts';
import { keptTimes } from '../publishers/kept-trees.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { served } from '../served.ts';

const sample = await keptTimes();
const FOLDER = 'api/v1/survey/visits';
const LARGE = `${FOLDER}/year=2002/sites.json`;

let tree: string;
beforeEach(async () => {
  tree = path.join(await temporaryFolder(), 'tree');
  await cp(sample.out, tree, { recursive: true, preserveTimestamps: true });
});

/** Flips a bit as a disk does, keeping length and time. */
async function flip(name: string, at: number): Promise<void> {
  const file = path.join(tree, name);
  const handle = await open(file, 'r+');
  const { atime, mtime } = await handle.stat();
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, at);
  await handle.close();
  await utimes(file, atime, mtime);
}

async function faultsOf(folder: string): Promise<{ errors: string[]; warnings: string[] }> {
  const warnings: string[] = [];
  const report = (event: BuildEvent) => {
    if (event.kind === 'warnings')
      warnings.push(...event.diagnostics.map(one => `${one.code} ${one.file} ${one.message}`));
  };
  try {
    await verify(folder, { jobs: 1, memory: '400MB' }, report);
    return { errors: [], warnings };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { errors: error.diagnostics.map(one => `${one.code} ${one.file} ${one.message}`), warnings };
  }
}

describe('a server', () => {
  test('refuses a range of a damaged block, answers the others, and sees damage that comes later', async () => {
    const url = await served(tree);
    const ask = (from: number) =>
      fetch(`${url}/${LARGE}`, { headers: { Range: `bytes=${from}-${from + 99}` } });
    expect((await ask(70_000)).status).toBe(206);
    await flip(LARGE, 70_050);
    const refused = await ask(70_000);
    expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining(LARGE)]);
    expect((await ask(140_000)).status).toBe(206);
    expect((await ask(0)).status).toBe(206);
  });

  test('answers 404 for unlisted files, and refuses listed files that the disk lacks and a damaged list', async () => {
    await writeFile(path.join(tree, 'holiday.jpg'), 'not ours');
    await rm(path.join(tree, 'robots.txt'));
    const url = await served(tree);
    expect((await fetch(`${url}/holiday.jpg`)).status).toBe(404);
    expect((await fetch(`${url}/robots.txt`)).status).toBe(502);
    expect((await fetch(`${url}/api/v1/urls.txt`)).status).toBe(200);
    await flip('SHA256SUMS', 70);
    expect((await fetch(`${await served(tree)}/SHA256SUMS`)).status).toBe(502);
  });

  test('of a bucket checks blocks, row groups and whole files', async () => {
    const handler = () =>
      createHandler(createBucketFiles(folderBucket(tree)), {
        budget: { bytes: 8 << 20, rows: 100_000 },
      });
    const ask = async (target: string, headers = {}) =>
      (await handler()(new Request(`http://edge.test${target}`, { headers }))).status;
    const questions: [string, object][] = [
      [`/${LARGE}`, {}],
      [`/${LARGE}`, { Range: 'bytes=70000-70099' }],
      [`/${FOLDER}?year=2002&detail=sites&limit=100&format=parquet`, {}],
    ];
    for (const [target, headers] of questions) expect(await ask(target, headers)).toBeLessThan(300);
    await flip(LARGE, 70_050);
    await flip(LARGE.replace('.json', '.parquet'), 1000);
    for (const [target, headers] of questions) expect(await ask(target, headers)).toBe(502);
  });
});

describe('verify', () => {
  test('names the damaged block, and repairs it by reading only that block of another copy', async () => {
    await flip(LARGE, 131_072);
    await rm(path.join(tree, 'robots.txt'));
    const { errors } = await faultsOf(tree);
    expect(errors.find(one => one.includes(LARGE))).toMatch(/block 2 of 0 to \d+ \(bytes 131072 to 196607\)/);
    const host = await startPlainHost({ folder: sample.out, port: 0 });
    onTestFinished(host.close);
    const notes: string[] = [];
    await repairTree(tree, host.url, event => {
      if (event.kind === 'note') notes.push(event.text);
    });
    const { size } = await stat(path.join(tree, 'robots.txt'));
    expect(notes).toEqual([expect.stringContaining(`2 files are repaired; ${65_536 + size} bytes`)]);
    expect(await faultsOf(tree)).toEqual({ errors: [], warnings: [] });
  });

  test('repairs lists and manifests, and refuses a copy of another release', async () => {
    await writeFile(path.join(tree, 'SHA256SUMS'), '');
    await flip('manifest.json', 30);
    await flip(`${FOLDER}/manifest.json`, 500);
    await repairTree(tree, sample.out, () => undefined);
    expect(await contents(tree)).toEqual(await sample.contents());
    const other = `${tree}-other`;
    await cp(tree, other, { recursive: true });
    const sums = await readFile(path.join(other, 'SHA256SUMS'), 'utf8');
    await writeFile(path.join(other, 'SHA256SUMS'), sums.replace(/^\w{8}/gm, '00000000'));
    await expect(repairTree(other, tree, () => undefined)).rejects.toMatchObject({ code: 'other-release' });
  });

  test('names times, links and empty folders', async () => {
    await utimes(path.join(tree, LARGE), new Date(), new Date());
    await mkdir(path.join(tree, 'assets/empty'), { recursive: true });
    await cp(path.join(tree, 'llms.txt'), `${tree}-llms.txt`);
    await rm(path.join(tree, 'llms.txt'));
    await symlink(`${tree}-llms.txt`, path.join(tree, 'llms.txt'));
    const { errors, warnings } = await faultsOf(tree);
    expect(errors).toEqual([expect.stringMatching(/^tree-link llms\.txt /)]);
    expect(warnings).toEqual([
      expect.stringContaining(`tree-time-differs ${LARGE}`),
      expect.stringContaining('tree-empty-folder assets/empty'),
    ]);
  });
});
