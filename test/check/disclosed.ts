/** What `civic check --disclosure` finds, by dataset. */
import type { DatasetDisclosure } from '../../build/check/disclosure.ts';
import { check } from '../../build/pipeline/check-lake.ts';
import { buildOptions } from '../publishers/built-tree.ts';
import type { PublisherFolder } from '../publishers/publisher-folder.ts';

export async function disclosuresIn(folder: PublisherFolder): Promise<Map<string, DatasetDisclosure>> {
  const found = new Map<string, DatasetDisclosure>();
  await check({ ...buildOptions(folder), disclosure: true }, event => {
    if (event.kind === 'disclosure') for (const one of event.datasets) found.set(one.dataset, one);
  });
  return found;
}
