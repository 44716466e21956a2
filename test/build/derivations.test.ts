/** What pages were made of is kept for the next build, and is never taken for what it is not. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readDerivations } from '../../build/publish/derivations.ts';
import { workspaceOf } from '../../build/publish/workspace.ts';
import { openPages } from '../explorer/explored-tree.ts';
import { buildPublisher, contents } from './built-tree.ts';
import { copyPublisher, temporaryFolder, writePublisher, writeRows } from './publisher-folder.ts';
import { rainFile, rainfallRows } from './weather.ts';

/** Asks for a name, and says whether it had to be made. */
async function ask(file: string | null, name: string, inputs: string, value: unknown) {
  const derivations = await readDerivations(file);
  let made = false;
  const result = await derivations.derive(name, inputs, async () => {
    made = true;
    return value;
  });
  await derivations.save();
  return { made, result };
}

test('a result is made once for the same inputs, and is what JSON has of it each time', async () => {
  const file = path.join(await temporaryFolder(), 'pages.json');
  const value = { a: [1, undefined], b: undefined, c: Number.NaN };
  const kept = { a: [1, null], c: null };
  expect(await ask(file, 'x', '1', value)).toEqual({ made: true, result: kept });
  expect(await ask(file, 'x', '1', 'other')).toEqual({ made: false, result: kept });
  expect(await ask(file, 'x', '2', 'other')).toEqual({ made: true, result: 'other' });
  // Only what was asked for is kept.
  expect(await ask(file, '__proto__', '1', 3)).toEqual({ made: true, result: 3 });
  expect(await ask(file, 'x', '2', 4)).toEqual({ made: true, result: 4 });
});

test('a file that is broken, or none, means that everything is made', async () => {
  const file = path.join(await temporaryFolder(), 'pages.json');
  for (const text of ['', '[["x",{"inp', '{"x":1}', '[1,2]', 'null']) {
    await writeFile(file, text);
    expect(await ask(file, 'x', '1', text)).toEqual({ made: true, result: text });
  }
  expect(await ask(null, 'x', '1', 5)).toEqual({ made: true, result: 5 });
});

test('pages of a tree of which one slice changed are those of a build from nothing', async () => {
  const publisher = await writePublisher(await temporaryFolder());
  const pages = openPages();
  await buildPublisher(publisher, { pages });
  const before = await readFile(workspaceOf(publisher.out).pages, 'utf8');
  const rows = `SELECT * REPLACE (rain_mm + 5 AS rain_mm) FROM (${rainfallRows(2022, 'nation')})`;
  await writeRows(publisher.data, { [rainFile(2022, 'nation')]: rows });
  await buildPublisher(publisher, { pages });
  expect(await readFile(workspaceOf(publisher.out).pages, 'utf8')).not.toBe(before);
  const fresh = await copyPublisher(publisher, await temporaryFolder());
  await buildPublisher(fresh, { pages });
  const pagesOf = async (out: string) =>
    Object.entries(await contents(out)).filter(([name]) => name.startsWith('datasets/'));
  expect((await pagesOf(publisher.out)).length).toBeGreaterThan(0);
  expect(await pagesOf(publisher.out)).toEqual(await pagesOf(fresh.out));
});
