/** What a build remembers decides how much the next one does, never what it publishes. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ContractFile, parseContracts } from '../../build/contract/parse-contracts.ts';
import { BuildMemory } from '../../build/memory/build-memory.ts';
import { workspaceOf } from '../../build/tree/workspace.ts';
import { TIDE_CONTRACTS, TIDE_LAKE } from '../check/tides.ts';
import { buildPublisher } from '../publishers/built-tree.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';

test('contracts are remembered, and read again if what is kept has any other bit', async () => {
  const folder = await writePublisher(await temporaryFolder(), TIDE_CONTRACTS, TIDE_LAKE);
  await buildPublisher(folder);
  const workspace = workspaceOf(folder.out);
  const kept = path.join(workspace.folder, 'contracts.v8');
  const bytes = await readFile(kept);
  const files = Object.entries(TIDE_CONTRACTS).map(([file, text]) => ({ file, text }));
  const memory = await BuildMemory.open(workspace);
  let read = 0;
  const parse = (texts: readonly ContractFile[]) => {
    read += 1;
    return parseContracts(texts);
  };
  const expected = parseContracts(files);
  expect(memory.contracts(files, parse)).toEqual(expected);
  const once = read;
  expect(memory.contracts(files, parse)).toEqual(expected);
  expect(read).toBe(once);
  const sealed = await readFile(kept);
  for (let at = 0; at < sealed.length; at += Math.ceil(sealed.length / 40)) {
    const flipped = Buffer.from(sealed);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    await writeFile(kept, flipped);
    const before = read;
    expect(memory.contracts(files, parse)).toEqual(expected);
    expect(read).toBe(before + 1);
  }
  expect(bytes.length).toBeGreaterThan(100);
  await rm(folder.root, { recursive: true, force: true });
});
