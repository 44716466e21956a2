/** An archive of a part of a tree is a site of its own when unpacked, with all that its pages load. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { run } from '../archive/archives.ts';
import { isInstalled } from '../installed.ts';
import { verify } from '../publishers/built-tree.ts';
import { keptPaged, openPages } from '../publishers/kept-trees.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const RAIN = 'datasets/climate/rainfall/';

describe.skipIf(!isInstalled('unzip'))('a snapshot of a part, unpacked', () => {
  let root: string;
  let whole: string;
  let part: string;
  beforeAll(async () => {
    root = await temporaryFolder();
    whole = (await keptPaged()).out;
    const out = path.join(root, 'part.zip');
    await snapshot(whole, { out, only: 'climate/*', openPages: async () => openPages() }, () => undefined);
    run('unzip', '-q', out, '-d', path.join(root, 'part'));
    const [bag = ''] = await readdir(path.join(root, 'part'));
    part = path.join(root, 'part', bag, 'data');
  });

  const read = (name: string, tree = part) => readFile(path.join(tree, name), 'utf8');

  test('is complete, its pages name nothing else and load what they need, and its figures are the same', async () => {
    await verify(part);
    const files = (await readdir(part, { recursive: true })).map(String);
    expect(files).toContain(`${RAIN}index.html`);
    expect(files.filter(name => /trams/.test(name))).toEqual([]);
    for (const name of files.filter(one => /\.(html|json)$/.test(one) && !one.startsWith('api/')))
      if (!/^(feed|release-notes)/.test(name)) expect(await read(name), name).not.toMatch(/transit/i);
    const assets = await readdir(path.join(part, 'assets'));
    expect(assets).toEqual(expect.arrayContaining(await readdir(path.join(whole, 'assets'))));
    const search = JSON.parse(await read('search.json'));
    expect(search.datasets.map((one: { key: string }) => one.key)).toEqual(['climate/rainfall']);
    const { release } = JSON.parse(await read('manifest.json'));
    expect(search.release).toBe(release);
    const page = await read(`${RAIN}index.html`);
    expect(page).toContain(`data-release="${release}"`);
    const view = (html: string) => /<div class="explore-drawing"[\s\S]*?<\/figure>/.exec(html)?.[0];
    expect(view(page)).toMatch(/<svg/);
    expect(view(page)).toBe(view(await read(`${RAIN}index.html`, whole)));
  });
});
