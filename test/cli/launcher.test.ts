/** The bundled program: how it starts and ends, and that it reads contracts as the sources do. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { databaseMessage } from '../../build/lake/database.ts';
import { readContractFolder } from '../../build/plan/build-input.ts';
import { newPublisher, temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, RAINFALL } from '../publishers/weather.ts';
import { civic, PROGRAM } from './program.ts';

const run = promisify(execFile);

test("a command that ends early doesn't look done", async () => {
  const folder = await temporaryFolder();
  const preload = path.join(folder, 'preload.cjs');
  writeFileSync(preload, "require('node:fs/promises').mkdtemp = () => new Promise(() => {});");
  const checked = run(process.execPath, [
    ...['--require', preload, PROGRAM, 'check'],
    ...['--contracts', folder, '--data', folder],
  ]);
  await expect(checked).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('before it had finished'),
  });
});

test('a process that may open few files says so, and never blames contracts or lake', async () => {
  const publisher = await newPublisher(CONTRACTS, LAKE);
  const args = [...['check', '--contracts', publisher.contracts], ...['--data', publisher.data]];
  const said = [24, 33, 34, 36].map(async limit => {
    const command = ['-c', `ulimit -n ${limit} && exec "$@"`, 'sh', process.execPath, PROGRAM, ...args];
    return run('/bin/sh', command).then(
      () => 'done',
      ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
    );
  });
  expect(await said[0]).toMatch(/^3 [\s\S]*too-many-files .*ulimit -n/);
  for (const one of said) expect(await one).toMatch(/^(done$|3 [\s\S]*too-many-files .*ulimit -n)/);
  const error = new Error('IO Error: Cannot open file "a.parquet": Too many open files');
  expect(() => databaseMessage(error)).toThrow(error);
});

test.skipIf(!existsSync('/dev/full'))('a full disk under its output is said, and exits with 3', async () => {
  const folder = await temporaryFolder();
  await writeTexts(folder, CONTRACTS);
  const command = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, PROGRAM, 'validate'];
  await expect(run('/bin/sh', [...command, '--contracts', folder])).rejects.toMatchObject({
    code: 3,
    stderr: 'cannot-write Standard output cannot be written: its disk is full. Part of it may be missing.\n',
  });
});

test('keys of the cache contain a digest of its code', () => {
  const folder = path.dirname(PROGRAM);
  const texts = readdirSync(folder).filter(name => name.endsWith('.js'));
  const code = texts.map(name => readFileSync(path.join(folder, name), 'utf8')).join('\n');
  expect(code).toMatch(/const PROGRAM = "[0-9a-f]{64}"/);
});

test('its precompiled validators agree with the sources about each shape', async () => {
  const folder = await temporaryFolder();
  await writeTexts(folder, {
    ...CONTRACTS,
    'publisher.yaml': 'service: 5\nlicence: x\n',
    'rain/rainfall.yaml': RAINFALL.replace('schema:\n', 'tags: [1, {}]\nschema:\n')
      .replace('customProperties:\n', '$&  - { property: errata, value: [{ date: 5 }, 7] }\n')
      .replace('value: categorical }, {', '$& property: series_breaks, value: [{ after: x }] }, {')
      .replace(/property: grain, value: \[[^\]]*\]/, 'property: grain, value: []'),
  });
  const { diagnostics } = parseContracts(readContractFolder(folder));
  const { stdout } = await civic(['validate', '--contracts', folder, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics });
  const said = diagnostics.map(one => one.message).join('\n');
  for (const part of ['service', 'licence', 'tags[0]', 'errata[1]', 'series_breaks[0].after', 'grain'])
    expect(said).toContain(part);
});
