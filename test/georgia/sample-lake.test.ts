/** The sample lake: the same for a seed, in a folder that had nothing else. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SampleOptions, writeSampleLake } from '../../scripts/georgia/sample/lake.ts';
import { contents as digest } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { makeSampleLake, sampleLake } from './sample-lake.ts';

const only = ['census/employment', 'education/ccrpi_graduation_rate'];
const lake = await sampleLake();

async function writeLake(options: Partial<SampleOptions> = {}): Promise<string> {
  const out = join(await temporaryFolder(), 'lake');
  await makeSampleLake(out, options);
  return out;
}

const some = await writeLake({ only });

test('has the same bytes for the same seed with any other datasets, and says that it is a sample', async () => {
  const all = await digest(lake);
  expect(await digest(await writeLake())).toEqual(all);
  const few = await digest(some);
  expect(all).toMatchObject(few);
  const other = await digest(await writeLake({ only, seed: 2 }));
  for (const path of ['_sample.json', 'census/employment/year=2024/tracts.parquet'])
    expect(other[path]).not.toBe(few[path]);
  const marker = JSON.parse(await readFile(join(some, '_sample.json'), 'utf8'));
  const notice = expect.stringMatching(/^Synthetic sample data: /);
  expect(marker).toMatchObject({ sample: true, seed: 1, scale: 'small', notice });
});

describe('the folder', () => {
  const write = (out: string, options: Partial<SampleOptions>) =>
    writeSampleLake({ out, scale: 'small', seed: 2, only, ...options });

  test('is replaced if it is a sample lake', async () => {
    const out = join(await temporaryFolder(), 'lake');
    await cp(some, out, { recursive: true });
    await writeFile(join(out, 'left-over.txt'), '');
    await write(out, { only: ['census/employment'] });
    expect(await readdir(out)).not.toContain('left-over.txt');
    expect(await readdir(join(out, 'education'))).toEqual(['_dimensions']);
    expect(await readdir(dirname(out))).toEqual(['lake']);
  });

  test.each<
    [what: string, code: string, from: string | null, options: () => Promise<Partial<SampleOptions>>]
  >([
    ['it is anything else', 'not-a-sample-lake', null, async () => ({})],
    [
      'a dataset cannot be written',
      'no-contract',
      some,
      async () => ({ contracts: await temporaryFolder() }),
    ],
    ['nobody knows a dataset', 'unknown-dataset', some, async () => ({ only: ['education/atendance'] })],
  ])('is left as it was where %s', async (_, code, from, options) => {
    const out = join(await temporaryFolder(), 'lake');
    if (from === null) await mkdir(out).then(() => writeFile(join(out, 'one.jpg'), 'x'));
    else await cp(from, out, { recursive: true });
    const before = await digest(out);
    await expect(write(out, await options())).rejects.toMatchObject({ diagnostics: [{ code }] });
    expect(await digest(out)).toEqual(before);
    expect(await readdir(dirname(out))).toEqual(['lake']);
  });
});
