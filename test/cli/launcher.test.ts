/** The bundled program: how it starts and ends, and that it reads contracts as the sources do. */
import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseContracts } from '../../build/contract/parse-contracts.ts';
import { readContractFolder } from '../../build/input/contract-folder.ts';
import { temporaryFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { CONTRACTS, RAINFALL } from '../publishers/weather.ts';
import { civic } from './program.ts';

const LIB = path.resolve(import.meta.dirname, '../../lib');
const run = promisify(execFile);

test('a command that ends before it is done does not look done', async () => {
  const folder = await temporaryFolder();
  const preload = path.join(folder, 'preload.cjs');
  writeFileSync(preload, "require('node:fs/promises').mkdtemp = () => new Promise(() => {});");
  const program = path.join(LIB, 'bin/civic.js');
  const checked = run(process.execPath, [
    ...['--require', preload, program, 'check'],
    ...['--contracts', folder, '--data', folder],
  ]);
  await expect(checked).rejects.toMatchObject({
    code: 3,
    stderr: expect.stringContaining('before it had finished'),
  });
});

test('every compile leaves it executable: npx makes it so only once', () => {
  expect(statSync(path.join(LIB, 'bin/civic.js')).mode & 0o111).toBe(0o111);
});

test('its validators, which are compiled ahead, say of each shape what the sources say', async () => {
  const folder = await temporaryFolder();
  await writeTexts(folder, {
    ...CONTRACTS,
    'publisher.yaml': 'service: 5\nlicence: x\n',
    'rain/rainfall.yaml': RAINFALL.replace('schema:\n', 'tags: [1, {}]\nschema:\n')
      .replace(
        /customProperties:\n/,
        'customProperties:\n  - { property: errata, value: [{ date: 5 }, 7] }\n',
      )
      .replace(
        'value: categorical }, {',
        'value: categorical }, { property: series_breaks, value: [{ after: x }] }, {',
      )
      .replace(/property: grain, value: \[[^\]]*\]/, 'property: grain, value: []'),
  });
  const { diagnostics } = parseContracts(readContractFolder(folder));
  const { stdout } = await civic(['validate', '--contracts', folder, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, diagnostics });
  const said = diagnostics.map(one => one.message).join('\n');
  for (const part of ['service', 'licence', 'tags[0]', 'errata[1]', 'series_breaks[0].after', 'grain'])
    expect(said).toContain(part);
});
