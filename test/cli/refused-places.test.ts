/** Paths that a command can't use: it says what is wrong, where and what to do, and touches nothing. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newPublisher } from '../publishers/publisher-folder.ts';
import { command } from './command.ts';
import { civic, mounted } from './program.ts';

test('an output folder within its inputs, or around them, is refused before anything is touched', async () => {
  const folder = await newPublisher();
  const { root, contracts, data } = folder;
  await symlink(data, path.join(root, 'link'));
  await mkdir(path.join(root, 'elsewhere'));
  await symlink(path.join(contracts, 'rain'), path.join(root, 'elsewhere/rain'));
  const before = await readdir(root, { recursive: true });
  const places = [
    ...[data, contracts, root, path.join(data, 'dist'), path.join(contracts, 'a/b/c')],
    ...['link', 'link/dist', 'elsewhere/rain/dist'].map(name => path.join(root, name)),
  ];
  for (const out of places) {
    const ended = await command(...folder.with({ out }).arguments());
    expect(ended, out).toMatchObject({ code: 3, stderr: expect.stringMatching(/^output-in-input .*--out/) });
  }
  expect(await readdir(root, { recursive: true })).toEqual(before);
  // Folders whose names begin alike are different folders.
  const beside = await command(...folder.with({ out: `${data}-dist` }).arguments());
  expect(beside.code, beside.stderr).toBe(0);
});

test("a cache that can't be written is named, and foreign files stay", async () => {
  const folder = await newPublisher();
  const { root } = folder;
  const file = path.join(root, 'file');
  await writeFile(file, 'x');
  expect(await command(...folder.arguments('--cache', file))).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^cache-unusable .*file.*--cache/m),
  });
  const ended = await command(...folder.arguments('--cache', root, '--cache-limit', '0MB'));
  expect(ended.code, ended.stderr).toBe(0);
  expect((await readdir(root)).sort()).toEqual(['.dist.civic', 'contracts', 'dist', 'file', 'lake']);
});

test('a pipe as a contract or a file of the lake is named, and never waited for', async () => {
  const folder = await newPublisher();
  const { contracts, data } = folder;
  execFileSync('mkfifo', [path.join(contracts, 'more.yaml')]);
  await symlink(path.join(contracts, 'more.yaml'), path.join(contracts, 'linked.yml'));
  const { code, stderr } = await command('validate', '--contracts', contracts);
  expect(code).toBe(1);
  expect(stderr.match(/^.*(more\.yaml|linked\.yml):1:1 contract-not-a-file .*pipe/gm)).toHaveLength(2);
  await rm(path.join(contracts, 'more.yaml'));
  await rm(path.join(contracts, 'linked.yml'));
  await mkdir(path.join(data, 'climate/rainfall/year=2020'), { recursive: true });
  execFileSync('mkfifo', [path.join(data, 'climate/rainfall/year=2020/nation.parquet')]);
  expect(await command(...folder.arguments())).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^climate\/rainfall\/year=2020\/nation\.parquet lake-not-a-file .*pipe/m),
  });
});

test('paths that are files, missing or not trees are reported in words', async () => {
  const { root, contracts, data } = await newPublisher();
  const file = path.join(root, 'file');
  await writeFile(file, '');
  const missing = path.join(root, 'missing');
  const input = ['--contracts', contracts, '--data', data];
  const runs = [file, path.join(file, 'x'), missing].flatMap(wrong => [
    ['build', '--contracts', wrong, '--data', data, '--out', path.join(root, 'dist')],
    ['build', '--contracts', contracts, '--data', wrong, '--out', path.join(root, 'dist')],
    ['check', '--contracts', wrong, '--data', data],
    ['check', '--contracts', contracts, '--data', wrong],
    ['validate', '--contracts', wrong],
    ['verify', wrong],
    ['serve', wrong, '--port', '0'],
  ]);
  runs.push(['build', ...input, '--out', file], ['build', ...input, '--out', path.join(file, 'x/y')]);
  for (const args of runs) {
    const { code, stderr } = await (args[0] === 'serve' ? civic(args) : command(...args));
    expect([code, stderr], args.join(' ')).toEqual([3, expect.stringMatching(/\. (Name|Give) /)]);
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b|unexpected/);
    expect(stderr).toContain(root);
  }
  expect((await readdir(root)).join()).not.toContain('dist');
});

test('an output folder that is a mount point is said to be one', async () => {
  const folder = await mounted('size=64m');
  if (folder === null) return expect(process.getuid?.()).not.toBe(0);
  expect(await command(...(await newPublisher()).with({ out: folder }).arguments())).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^output-busy .*mount point.*tree/m),
  });
});
