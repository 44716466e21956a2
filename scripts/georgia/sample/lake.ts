import { datasets } from './datasets.ts';
import { dimensions } from './dimensions.ts';
import type { Problem } from './problem.ts';
import { discardFolder, stageFolder, swapFolder } from './sample-folder.ts';
import type { Scale } from './scale.ts';
import { type Target, type Written, writeDataset, writeDimension } from './table-file.ts';
import { createWorld } from './world.ts';

export interface SampleOptions {
  /** Folder of the lake. A sample lake there is replaced; anything else is refused. */
  readonly out: string;
  readonly scale: Scale;
  readonly seed: number;
  /** Keys of the datasets to write; by default all. Dimensions are always written. */
  readonly only?: readonly string[];
  /** Folder of the contracts; by default `contracts` in the working directory. */
  readonly contracts?: string;
  /** Called after each table. */
  readonly onWritten?: (written: Written) => void;
}

export type SampleResult =
  | { readonly ok: true; readonly written: readonly Written[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Writes a lake of invented data. The same seed, scale and contracts give the same bytes. */
export async function writeSampleLake(options: SampleOptions): Promise<SampleResult> {
  const { out, scale, seed, only, contracts = 'contracts' } = options;
  const unknown = (only ?? []).filter(key => !datasets.some(dataset => dataset.key === key));
  if (unknown.length > 0) {
    return { ok: false, problems: unknown.map(unknownDataset) };
  }
  const root = await stageFolder(out, scale, seed);
  if (typeof root !== 'string') return { ok: false, problems: [root] };

  const world = await createWorld(scale, seed);
  const target: Target = { connection: world.connection, contracts, root };
  const written: Written[] = [];
  const problems: Problem[] = [];
  const keep = (result: Written | Problem): void => {
    if ('code' in result) {
      problems.push(result);
    } else {
      written.push(result);
      options.onWritten?.(result);
    }
  };
  try {
    for (const dimension of dimensions) keep(await writeDimension(target, dimension));
    for (const dataset of datasets) {
      if (only === undefined || only.includes(dataset.key)) keep(await writeDataset(target, dataset));
    }
    if (problems.length > 0) return { ok: false, problems };
    await swapFolder(root, out);
    return { ok: true, written };
  } finally {
    world.close();
    await discardFolder(root);
  }
}

function unknownDataset(key: string): Problem {
  const known = datasets.map(dataset => dataset.key).join(', ');
  return { code: 'unknown-dataset', message: `${key} is not a dataset of the sample; known are ${known}` };
}
