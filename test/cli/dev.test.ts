/** `civic dev` and `civic start` without options, in a folder with the usual names. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { civic, startCivic } from './program.ts';

/** Starts a server command in a folder that `init` made, and waits for its address. */
async function serving(command: string) {
  const folder = await temporaryFolder();
  await civic(['init'], { folder });
  const { says } = startCivic([command, '--port', '0'], { folder });
  return { folder, says, url: await says(/http:\/\/127\.0\.0\.1:\d+/) };
}

async function until(ask: () => Promise<string>, fits: RegExp): Promise<string> {
  for (;;) {
    const text = await ask();
    if (fits.test(text)) return text;
    await new Promise(done => setTimeout(done, 50));
  }
}

const page = async (url: string) =>
  (await fetch(url, { headers: { accept: 'text/html' } })).text().catch(() => '');

test('dev builds, serves, builds again after a change, and shows an error on the page', async () => {
  const { folder, url, says } = await serving('dev');
  const rows = `${url}/api/v1/example/rain?station=001&format=csv`;
  const csv = async () => (await fetch(rows)).text();
  expect((await csv()).split('\r\n')).toHaveLength(32);

  const file = path.join(folder, 'data/example/rain.csv');
  const before = await readFile(file, 'utf8');
  await writeFile(file, `${before}2024-02-01,001,99\n`);
  await until(csv, /2024-02-01,001,99/);

  await writeFile(file, `${before}2024-02-01,001,<much>\n`);
  const broken = await until(() => page(url), /The build failed/);
  expect(broken).toContain('rain.csv lake-value');
  expect(broken).toContain('&lt;much&gt;');
  expect(broken).not.toMatch(/<script|style=/);
  await says(/lake-value/);
  // The API still answers from the last tree.
  expect(await csv()).toContain('2024-02-01,001,99');

  await writeFile(file, before);
  await until(() => page(url), /^(?![\s\S]*The build failed)/);
  expect(await until(csv, /^(?![\s\S]*,99)/)).toContain('2024-01-01,001');
});

test('a draft may change in any way until a release is built; the next draft is held to that', async () => {
  const { folder, url, says } = await serving('dev');
  const contract = path.join(folder, 'contracts/example/rain.odcs.yaml');
  const text = await readFile(contract, 'utf8');
  const renamed = (unit: string) => text.replace(/unit, value: \S+/, `unit, value: ${unit}`);
  const schema = async () => (await fetch(`${url}/api/v1/datasets/example/rain`)).text();
  for (const unit of ['cm', 'inches']) {
    await writeFile(contract, renamed(unit));
    await until(schema, new RegExp(`"${unit}"`));
  }
  expect(existsSync(path.join(folder, 'dist'))).toBe(false);
  expect((await civic(['build'], { folder })).stderr).not.toContain('version-not-raised');
  await writeFile(contract, renamed('feet'));
  await says(/version-not-raised/);
});

test('start builds and serves; the other commands know the folders, or civic.yaml says them', async () => {
  const { folder, url } = await serving('start');
  expect(await page(url)).toContain('1 dataset');
  const query = ['query', 'example/rain?station=002&date=2024-01-02&format=csv'];
  for (const args of [['validate'], ['check'], ['build'], ['verify'], query]) {
    const { code, stderr } = await civic(args, { folder });
    expect([args[0], code, code === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
  }
  await writeFile(path.join(folder, 'civic.yaml'), 'out: site\n');
  expect((await civic(['build'], { folder })).stdout).toContain(path.join(folder, 'site'));
  await writeFile(path.join(folder, 'civic.yaml'), 'outt: site\n');
  const wrong = await civic(['build'], { folder });
  expect([wrong.code, wrong.stderr]).toEqual([
    3,
    expect.stringMatching(/^civic-yaml civic.yaml may state contracts, data and out/),
  ]);
});
