/** `verify --against` an archive: the copy in it is compared like a folder, and goes by the archive's name. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { snapshot } from '../../build/archive/snapshot.ts';
import { verify } from '../../build/archive/verify.ts';
import { RefusedError } from '../../build/failure.ts';
import { generateKey } from '../../build/log/log-key.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher, writeTexts } from '../publishers/publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, PUBLISHER } from '../publishers/weather.ts';

const { key: signingKey } = generateKey('data.example.org');
const QUIET = () => undefined;

async function buildSigned(words: string) {
  const publisher = await writePublisher(await temporaryFolder(), CLIMATE_CONTRACTS, CLIMATE_LAKE);
  const text = PUBLISHER.replace(/^description:.*$/m, `description: ${words}`);
  await writeTexts(publisher.contracts, { 'publisher.yaml': text });
  await buildPublisher(publisher, { signingKey });
  return publisher;
}

test('archives of either kind are compared, and a broken one is refused', async () => {
  const ours = await buildSigned('Ours.');
  const forged = await buildSigned('Forged.');
  const compare = async (against: string) => {
    try {
      await verify(ours.out, { jobs: 1, memory: '400MB', against }, QUIET);
      return 'same';
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return error.diagnostics.map(one => `${one.code} ${one.message}`).join();
    }
  };
  const [other, same] = [path.join(ours.root, 'other.tar.zst'), path.join(ours.root, 'same.zip')];
  await snapshot(forged.out, { out: other, only: null }, QUIET);
  expect(await compare(other)).toMatch(/^log-rewritten .* tell different pasts: release 1 is 2031-05-17-/);
  await snapshot(ours.out, { out: same, only: null }, QUIET);
  expect(await compare(same)).toBe('same');
  for (const archive of [other, same]) {
    const bytes = readFileSync(archive);
    writeFileSync(archive, bytes.subarray(0, bytes.length >> 1));
    expect(await compare(archive)).toMatch(/^archive-/);
  }
  rmSync(same);
  expect(await compare(same)).toContain('has no log');
});
