/** Small samples for tests: their rows, and what a build makes of them. */

import { build } from '../../../build/pipeline/build.ts';
import type { BuildOptions } from '../../../build/pipeline/build-options.ts';
import type { BuildEvent } from '../../../build/report.ts';
import { type SampleOptions, writeSampleLake } from '../../../scripts/georgia/sample/lake.ts';

/** Writes the lake to a folder that is not there yet. */
export async function makeSampleLake(out: string, options: Partial<SampleOptions> = {}): Promise<void> {
  const result = await writeSampleLake({ out, scale: 'small', seed: 1, ...options });
  if (!result.ok) throw new Error(result.problems.map(problem => problem.message).join('\n'));
}

/** Builds a tree of a lake that breaks no rule. */
export async function makeTree(
  options: Pick<BuildOptions, 'contracts' | 'data' | 'out' | 'releaseDate'> & Partial<BuildOptions>,
  report: (event: BuildEvent) => void = () => undefined,
): Promise<void> {
  await build(
    { only: null, strict: false, previous: null, baseUrl: null, jobs: 2, memory: '800MB', ...options },
    report,
  );
}
