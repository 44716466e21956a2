/** Three releases of one day, and `civic deploy`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { ROOT } from '../../build/format/paths.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { command } from '../cli/command.ts';
import { keptSameDay } from '../publishers/kept-trees.ts';
import type { Run } from '../tree/mirror-hosts.ts';

export interface Release {
  readonly id: string;
  readonly folder: string;
  /** By path, without SHA256SUMS. */
  readonly hashes: ReadonlyMap<string, string>;
}

export const DATASET = 'climate/rainfall';

/** Its rows come from all years and differ between releases, so a mixed answer would show. */
export const QUESTION = `/api/v1/${DATASET}?year_min=2019&detail=stations&season=wet,dry`;

export async function threeReleases(): Promise<readonly [Release, Release, Release]> {
  const [first = '', second = '', third = ''] = await keptSameDay();
  return [await readRelease(first), await readRelease(second), await readRelease(third)];
}

async function readRelease(folder: string): Promise<Release> {
  const text = (name: string) => readFile(path.join(folder, name), 'utf8');
  const { release } = JSON.parse(await text(ROOT.manifest)) as TreeManifest;
  return { id: release, folder, hashes: parseChecksums(await text(ROOT.checksums)) };
}

/** Paths of files that differ from the other release's. */
export function changedFiles(from: Release, to: Release): string[] {
  return [...to.hashes].filter(([file, hash]) => from.hashes.get(file) !== hash).map(([file]) => file);
}

/** `folder` has programs that replace those of the same name. */
export async function deploy(args: readonly string[], folder: string | null = null): Promise<Run> {
  const before = process.env['PATH'];
  if (folder !== null) process.env['PATH'] = `${folder}:${before}`;
  try {
    const { code, stdout, stderr } = await command('deploy', ...args);
    return { code: code ?? 1, output: stdout + stderr };
  } finally {
    process.env['PATH'] = before;
  }
}
