/**
 * The folder of a sample lake. Only a folder with its marker may be replaced. A lake is written next to its place and
 * moved there when complete, so that no reader sees half of one.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Problem } from './problem.ts';
import type { Scale } from './scale.ts';

export const markerName = '_sample.json';

/** Content of `_sample.json`. */
export interface Marker {
  readonly sample: true;
  readonly seed: number;
  readonly scale: Scale;
  readonly notice: string;
}

const notice =
  'Synthetic sample data: all names and figures are invented by a seeded generator; only county codes are real.';

/** Starts an empty lake next to `out`. Returns its path, or the reason against it. */
export async function stageFolder(out: string, scale: Scale, seed: number): Promise<string | Problem> {
  const staging = beside(out, 'staging');
  for (const folder of [out, staging, beside(out, 'previous')]) {
    const problem = await refusal(folder);
    if (problem) return problem;
  }
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const marker: Marker = { sample: true, seed, scale, notice };
  await writeFile(join(staging, markerName), `${JSON.stringify(marker, null, 2)}\n`);
  return staging;
}

/** Moves the staged lake to its place. */
export async function swapFolder(staging: string, out: string): Promise<void> {
  const previous = beside(out, 'previous');
  await rm(previous, { recursive: true, force: true });
  if (existsSync(out)) await rename(out, previous);
  await rename(staging, out);
  await rm(previous, { recursive: true, force: true });
}

export async function discardFolder(staging: string): Promise<void> {
  await rm(staging, { recursive: true, force: true });
}

/** A missing folder, an empty one and one with the marker may be replaced. */
async function refusal(folder: string): Promise<Problem | undefined> {
  if (!existsSync(folder) || existsSync(join(folder, markerName))) return undefined;
  const empty = (await stat(folder)).isDirectory() && (await readdir(folder)).length === 0;
  if (empty) return undefined;
  return {
    code: 'not-a-sample-lake',
    message: `${folder} is not a sample lake (it has no ${markerName}), so it is left alone; choose another --out`,
  };
}

function beside(out: string, state: string): string {
  return join(dirname(resolve(out)), `.${basename(resolve(out))}.sample-${state}.civic`);
}
