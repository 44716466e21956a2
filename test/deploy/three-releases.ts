/** Three releases of one day with the same files, whose values differ and most lengths and times don't; and `civic deploy`. Tests only read them. */
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TreeManifest } from '../../build/format/manifest.ts';
import { ROOT } from '../../build/format/paths.ts';
import { parseChecksums } from '../../build/tree/previous-tree.ts';
import { command } from '../cli/command.ts';
import { keptFolder } from '../kept-folder.ts';
import { writePublisher } from '../publishers/publisher-folder.ts';
import { RAIN_YEARS, RAINFALL, rainFile, rainfallRows, withdrawing } from '../publishers/weather.ts';
import type { Run } from '../tree/mirror-hosts.ts';

export interface Release {
  readonly id: string;
  readonly folder: string;
  /** By path, without SHA256SUMS. */
  readonly hashes: ReadonlyMap<string, string>;
}

export const DATASET = 'climate/rainfall';

const LOST = '{ date: 2031-05-17, reason: "Lost.", years: [2022], levels: [nation] }';

/** Its rows come from all years and differ between releases, so a mixed answer would show. */
export const QUESTION = `/api/v1/${DATASET}?year_min=2019&detail=stations&season=wet,dry`;

export async function threeReleases(): Promise<readonly [Release, Release, Release]> {
  const sources = ['build', 'test/publishers', 'test/deploy/three-releases.ts', 'package-lock.json'];
  const root = await keptFolder('three-releases', sources, buildThree);
  const read = (number: number) => readRelease(path.join(root, `tree-${number}`));
  return [await read(0), await read(1), await read(2)];
}

async function buildThree(out: string): Promise<void> {
  const publisher = await writePublisher(out);
  for (const number of [0, 1, 2]) {
    const details = number === 0 ? [] : ['stations', 'regions'];
    for (const year of RAIN_YEARS) {
      for (const detail of details) {
        const rows = `SELECT * REPLACE (rain_mm + ${number} AS rain_mm) FROM (${rainfallRows(year, detail)})`;
        await publisher.writeRows({ [rainFile(year, detail)]: rows });
      }
    }
    if (number === 2) {
      await rm(path.join(publisher.data, rainFile(2022, 'nation')));
      await publisher.writeContracts({ 'rain/rainfall.yaml': withdrawing(RAINFALL, LOST) });
    }
    await publisher.build();
    const tree = path.join(out, `tree-${number}`);
    await cp(publisher.out, tree, { recursive: true, preserveTimestamps: true });
  }
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
