/** The cache makes each thing once, and a build gives the same tree with it and without it. */
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Cache, type Recipe } from '../../build/cache/cache.ts';
import { digestText } from '../../build/slice/file-digest.ts';
import { keptWeather } from '../publishers/kept-trees.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const MAKING = '.civic-making-';

let folder: string;
let into: string;
beforeEach(async () => {
  const root = await temporaryFolder();
  folder = path.join(root, 'cache');
  into = path.join(root, 'into');
});

const open = (limit = Number.POSITIVE_INFINITY) => new Cache({ folder, limit });
const TEXT = 'rows of a slice';
const recipe = (inputs: unknown): Recipe => ({ what: 'thing', inputs, files: [] });

async function make(cache: Cache, inputs: unknown, keep = true): Promise<[value: unknown, written: number]> {
  let written = 0;
  const value = await cache.make(
    recipe(inputs),
    async at => {
      written++;
      await mkdir(path.join(at, 'a'));
      await writeFile(path.join(at, 'a/file'), TEXT);
      return { value: new Map([[inputs, 1]]), files: [{ path: 'a/file', sha256: digestText(TEXT) }], keep };
    },
    into,
  );
  expect(await readFile(path.join(into, 'a/file'), 'utf8')).toBe(TEXT);
  expect(cache.counts).toEqual({ made: written, found: 1 - written });
  return [value, written];
}

const entries = async () => (await readdir(folder)).filter(name => !name.startsWith(MAKING));
const firstEntry = async () => path.join(folder, (await entries())[0] ?? '');

describe('a thing', () => {
  test('is made once from the same inputs, and again from others', async () => {
    const value = (inputs: unknown) => new Map([[inputs, 1]]);
    expect(await make(open(), 1)).toEqual([value(1), 1]);
    expect(await make(open(), 1)).toEqual([value(1), 0]);
    expect(await make(open(), 2)).toEqual([value(2), 1]);
    expect(await open().find(recipe(1), into)).toEqual(value(1));
    expect(await open().find({ ...recipe(1), what: 'other' }, into)).toBe(undefined);
  });

  test.each<[string, (entry: string) => Promise<unknown>]>([
    ['its file has other bytes', entry => writeFile(path.join(entry, 'a/file'), 'rows of A slice')],
    ['its file is gone', entry => rm(path.join(entry, 'a/file'))],
    ['its value is cut short', entry => writeFile(path.join(entry, 'value'), 'short')],
    ['its value is gone', entry => rm(path.join(entry, 'value'))],
    ['it is gone', entry => rm(entry, { recursive: true })],
  ])('is made again where %s, and then once more', async (_, damage) => {
    await make(open(), 1);
    await rm(into, { recursive: true });
    await damage(await firstEntry());
    expect((await make(open(), 1))[1]).toBe(1);
    expect((await make(open(), 1))[1]).toBe(0);
    expect(await entries()).toHaveLength(1);
  });

  test('that may not be stored is made each time; one that fails leaves nothing', async () => {
    for (let i = 0; i < 2; i++) expect((await make(open(), 1, false))[1]).toBe(1);
    const fails = open().make(recipe(2), () => Promise.reject(new Error('no')));
    await expect(fails).rejects.toThrow('no');
    expect(await entries()).toEqual([]);
  });

  test('that two builds make at once is stored once', async () => {
    const made = await Promise.all([open(), open(), open()].map(cache => make(cache, 1)));
    expect(made.map(([, written]) => written)).toEqual([1, 1, 1]);
    expect(await entries()).toHaveLength(1);
    expect((await make(open(), 1))[1]).toBe(0);
  });
});

describe('a trim', () => {
  test('removes the least recently used, down to the limit', async () => {
    for (const inputs of [1, 2, 3]) {
      await make(open(), inputs);
      const day = new Date(Date.UTC(2031, 0, inputs));
      for (const name of await entries()) {
        const file = path.join(folder, name, 'value');
        if (stamp(file) > Date.UTC(2032)) await utimes(file, day, day);
      }
    }
    await make(open(), 1);
    const { length } = await readFile(path.join(await firstEntry(), 'value'));
    await open(2 * (length + TEXT.length)).trim();
    const found = await Promise.all([1, 2, 3].map(inputs => open().find(recipe(inputs), into)));
    expect(found.map(one => one !== undefined)).toEqual([true, false, true]);
    // Files of others stay, however small the cache must be.
    await mkdir(path.join(folder, 'pictures'));
    await open(0).trim();
    expect(await readdir(folder)).toEqual(['pictures']);
  });

  test('removes what a killed build left a day ago, and nothing of a running one', async () => {
    const [old, running] = ['old', 'running'].map(name => path.join(folder, MAKING + name));
    for (const [one, hours] of [
      [old!, 25],
      [running!, 23],
    ] as const) {
      await mkdir(path.join(one, '1'), { recursive: true });
      const touched = new Date(Date.now() - hours * 60 * 60 * 1000);
      await utimes(one, touched, touched);
    }
    await open().trim();
    expect([existsSync(old!), existsSync(running!)]).toEqual([false, true]);
  });
});

const stamp = (file: string) => statSync(file).mtimeMs;

describe('a build', () => {
  const publisher = keptWeather();
  const LATER = { releaseDate: '2031-06-01' };

  test('whose cache is deleted, or keeps nothing, gives the same tree', async () => {
    const own = await (await publisher).copyBuilt();
    const whole = await (await publisher).copyBuilt();
    await rm(path.join(own.root, '.dist.civic/cache'), { recursive: true });
    await own.build({ ...LATER, cache: { limit: 0 } });
    await whole.build(LATER);
    expect(await own.contents()).toEqual(await whole.contents());
    expect(await readdir(path.join(own.root, '.dist.civic/cache'))).toEqual([]);
  });

  test('with a cache shared with another tree changes no file or time of that tree', async () => {
    const own = await (await publisher).copyBuilt();
    const before = await own.snapshot();
    const other = own.with({ out: path.join(own.root, 'other') });
    await other.build({ ...LATER, cache: { folder: path.join(own.root, '.dist.civic/cache') } });
    expect(await own.snapshot()).toEqual(before);
    const times = [...(await other.snapshot()).values()].map(({ modified }) => modified);
    expect(new Set(times)).toEqual(new Set([Date.parse(LATER.releaseDate)]));
  });
});
