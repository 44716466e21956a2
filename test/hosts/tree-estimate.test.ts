/** What a lake's tree is expected to take, held against what it takes. */
import { rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { DatasetManifest, TreeManifest } from '../../build/format/manifest.ts';
import { type FileGroup, sum } from '../../build/hosts/format-choice.ts';
import { estimateTree } from '../../build/hosts/tree-estimate.ts';
import { readLake } from '../../build/input/build-input.ts';
import { compileInput } from '../../build/input/compiled-input.ts';
import { readContractFolder } from '../../build/input/contract-folder.ts';
import { byFingerprint } from '../../build/memory/file-contents.ts';
import { planDimensions } from '../../build/plan/dimension-plan.ts';
import { NO_TREE } from '../../build/tree/previous-tree.ts';
import { CONTRACTS, useSampleTree } from '../conformance/sample-tree.ts';
import { readTreeJson, snapshot } from '../publishers/built-tree.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const sample = useSampleTree();

async function estimate(kept: string): Promise<FileGroup[]> {
  const options = {
    contracts: CONTRACTS,
    data: sample.lake,
    only: null,
    strict: false,
    jobs: 1,
    memory: '400MB',
  };
  const input = { contractFiles: readContractFolder(CONTRACTS), lake: await readLake(sample.lake, '') };
  const compiled = await compileInput(
    options,
    input,
    () => undefined,
    async () => new Map(),
  );
  const { contracts, inventory, asked: datasets } = compiled;
  const trees = { previous: NO_TREE, named: NO_TREE };
  const { placed } = planDimensions(contracts, inventory, datasets, trees, undefined, 'any', byFingerprint);
  const database = { threads: 1, memoryLimit: '400MB', temporaryFolder: os.tmpdir() };
  const common = { contracts, inventory, datasets, contentOf: byFingerprint };
  return (await estimateTree({ ...common, dimensions: placed, database, kept })) ?? [];
}

const readJson = <Document>(name: string) => readTreeJson<Document>(sample.tree, name);

test('each format is near to what is written, and so is the whole', async () => {
  const kept = path.join(await temporaryFolder(), 'estimates.json');
  const parts = await estimate(kept);
  const total = (kind: FileGroup['kind'] | null, of: 'bytes' | 'files') =>
    sum(parts.filter(part => kind === null || part.kind === kind).map(part => part[of]));
  const written = { json: 0, csv: 0, files: 0 };
  for (const entry of (await readJson<TreeManifest>('manifest.json')).datasets) {
    for (const { files } of (await readJson<DatasetManifest>(entry.path)).slices) {
      written.json += sum(files.json.map(file => file.bytes));
      written.csv += sum(files.csv.map(file => file.bytes));
      written.files += files.json.length;
    }
  }
  const names = [...(await snapshot(sample.tree)).keys()];
  const sizes = await Promise.all(names.map(async name => (await stat(path.join(sample.tree, name))).size));
  const error = (expected: number, found: number) => Math.abs(expected / found - 1);
  // An estimate of a part holds what documents say of it besides.
  for (const kind of ['json', 'csv'] as const)
    expect(error(total(kind, 'bytes') - total(kind, 'files') * 800, written[kind])).toBeLessThan(0.01);
  expect(total('json', 'files')).toBe(written.files);
  expect(error(total(null, 'bytes'), sum(sizes))).toBeLessThan(0.05);
  expect(error(total(null, 'files'), sizes.length)).toBeLessThan(0.1);
  // The same with nothing to look at again, and with nothing kept.
  expect(await estimate(kept)).toEqual(parts);
  await rm(kept);
  expect(await estimate(kept)).toEqual(parts);
});
