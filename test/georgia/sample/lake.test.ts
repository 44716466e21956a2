import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SampleOptions, writeSampleLake } from '../../../scripts/georgia/sample/lake.ts';
import { keptFolder } from '../../kept-folder.ts';
import { contents as digest } from '../../publishers/built-tree.ts';
import { temporaryFolder } from '../../publishers/publisher-folder.ts';
import { LAKE_SOURCES, sampleLake } from '../specification/sample.ts';
import { makeSampleLake } from './made-sample.ts';

const only = ['census/employment', 'education/ccrpi_graduation_rate'];
const some = await keptFolder('lake-of-two', LAKE_SOURCES, out => makeSampleLake(out, { only }));

/** A copy of it that may be changed. */
async function copyOfSome(): Promise<string> {
  const out = join(await temporaryFolder(), 'lake');
  await cp(some, out, { recursive: true });
  return out;
}

async function writeLake(options: Partial<SampleOptions> = {}): Promise<string> {
  const out = join(await temporaryFolder(), 'lake');
  await makeSampleLake(out, options);
  return out;
}

describe('a sample lake', () => {
  test('is the same to the byte for the same seed', async () => {
    expect(await digest(await writeLake())).toEqual(await digest(await sampleLake()));
  });

  test('is another for another seed', async () => {
    const one = await digest(some);
    const two = await digest(await writeLake({ only, seed: 2 }));
    for (const path of ['_sample.json', 'census/employment/year=2024/tracts.parquet']) {
      expect(two[path]).not.toBe(one[path]);
    }
  });

  test('has the same values whichever other datasets are written', async () => {
    const all = await digest(await sampleLake());
    expect(all).toMatchObject(await digest(some));
  });

  test('says what it is', async () => {
    const marker = JSON.parse(await readFile(join(some, '_sample.json'), 'utf8'));
    expect(marker).toMatchObject({ sample: true, seed: 1, scale: 'small' });
    expect(marker.notice).toMatch(/^Synthetic sample data: /);
  });
});

describe('the folder', () => {
  test('is replaced where it is a sample lake', async () => {
    const out = await copyOfSome();
    await writeFile(join(out, 'left-over.txt'), '');
    const result = await writeSampleLake({ out, scale: 'small', seed: 1, only: ['census/employment'] });
    expect(result.ok).toBe(true);
    expect(await readdir(out)).not.toContain('left-over.txt');
    expect(await readdir(join(out, 'education'))).toEqual(['_dimensions']);
    expect(await readdir(dirname(out))).toEqual(['lake']);
  });

  test('is left alone where it is anything else', async () => {
    const out = join(await temporaryFolder(), 'photographs');
    await mkdir(out);
    await writeFile(join(out, 'one.jpg'), 'x');
    const result = await writeSampleLake({ out, scale: 'small', seed: 1, only });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'not-a-sample-lake' }] });
    expect(await readdir(out)).toEqual(['one.jpg']);
    expect(await readdir(dirname(out))).toEqual(['photographs']);
  });

  test('is left as it was where a dataset cannot be written', async () => {
    const out = await copyOfSome();
    const before = await digest(out);
    const contracts = await temporaryFolder();
    const result = await writeSampleLake({ out, scale: 'small', seed: 2, only, contracts });
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? [] : result.problems.map(problem => problem.code)).toContain('no-contract');
    expect(await digest(out)).toEqual(before);
  });

  test('is not touched for a dataset that nobody knows', async () => {
    const out = join(await temporaryFolder(), 'lake');
    const result = await writeSampleLake({ out, scale: 'small', seed: 1, only: ['education/atendance'] });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'unknown-dataset' }] });
    expect(await readdir(dirname(out))).toEqual([]);
  });
});
