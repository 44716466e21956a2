/** What a lake's tree is expected to take, held against what it takes. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
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
import { temporaryFolder } from '../publishers/publisher-folder.ts';

const sample = useSampleTree();

async function estimate(kept: string): Promise<FileGroup[] | null> {
  const options = {
    contracts: CONTRACTS,
    data: sample.lake,
    only: null,
    strict: false,
    jobs: 1,
    memory: '400MB',
  };
  const input = {
    contractFiles: readContractFolder(CONTRACTS),
    lake: await readLake(sample.lake, ''),
  };
  const compiled = await compileInput(
    options,
    input,
    () => undefined,
    async () => new Map(),
  );
  const { contracts, inventory, asked } = compiled;
  return estimateTree({
    contracts,
    inventory,
    datasets: asked,
    dimensions: planDimensions(
      contracts,
      inventory,
      asked,
      { previous: NO_TREE, named: NO_TREE },
      undefined,
      'any',
      byFingerprint,
    ).placed,
    contentOf: byFingerprint,
    database: { threads: 1, memoryLimit: '400MB', temporaryFolder: os.tmpdir() },
    kept,
  });
}

const bytesOf = (parts: readonly FileGroup[], kind: FileGroup['kind']) =>
  sum(parts.filter(part => part.kind === kind).map(part => part.bytes));

test('each format is near to what is written, and so is the whole', { timeout: 120_000 }, async () => {
  const kept = path.join(await temporaryFolder(), 'estimates.json');
  const parts = (await estimate(kept)) ?? [];
  const { datasets } = JSON.parse(
    await readFile(path.join(sample.tree, 'manifest.json'), 'utf8'),
  ) as TreeManifest;
  const written = { json: 0, csv: 0, files: 0 };
  for (const entry of datasets) {
    const { slices } = JSON.parse(
      await readFile(path.join(sample.tree, entry.path), 'utf8'),
    ) as DatasetManifest;
    for (const { files } of slices) {
      written.json += sum(files.json.map(file => file.bytes));
      written.csv += sum(files.csv.map(file => file.bytes));
      written.files += files.json.length;
    }
  }
  const entries = await readdir(sample.tree, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter(one => one.isFile())
      .map(async one => (await stat(path.join(one.parentPath, one.name))).size),
  );
  // An estimate of a part holds what documents say of it besides.
  const documents = (kind: FileGroup['kind']) =>
    sum(parts.filter(part => part.kind === kind).map(part => part.files)) * 800;
  const error = (expected: number, found: number) => Math.abs(expected / found - 1);
  expect(error(bytesOf(parts, 'json') - documents('json'), written.json)).toBeLessThan(0.01);
  expect(error(bytesOf(parts, 'csv') - documents('csv'), written.csv)).toBeLessThan(0.01);
  expect(sum(parts.filter(part => part.kind === 'json').map(part => part.files))).toBe(written.files);
  expect(error(sum(parts.map(part => part.bytes)), sum(sizes))).toBeLessThan(0.05);
  expect(error(sum(parts.map(part => part.files)), sizes.length)).toBeLessThan(0.1);
  // The same with nothing to look at again, and with nothing kept.
  expect(await estimate(kept)).toEqual(parts);
  await rm(kept);
  expect(await estimate(kept)).toEqual(parts);
});
