/** Trees of the weather office that tests only read, built once for all files and runs. One that a test changes is copied. */
import { openPages } from '../explorer/explored-tree.ts';
import { keptFolder } from '../kept-folder.ts';
import { buildPublisher, type Overrides } from './built-tree.ts';
import { type PublisherFolder, publisherAt, writePublisher } from './publisher-folder.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, CONTRACTS, LAKE } from './weather.ts';

/** All that decides the bytes of a tree and of what a build keeps beside it. */
const SOURCES = ['build', 'site', 'test/publishers', 'package-lock.json'];

async function kept(
  name: string,
  contracts: Readonly<Record<string, string>>,
  lake: Readonly<Record<string, string>>,
  overrides: () => Overrides = () => ({}),
): Promise<PublisherFolder> {
  const root = await keptFolder(name, SOURCES, async out => {
    await buildPublisher(await writePublisher(out, contracts, lake), overrides());
  });
  return publisherAt(root);
}

/** Both datasets, without pages. */
export const keptWeather = (): Promise<PublisherFolder> => kept('weather', CONTRACTS, LAKE);

/** Rainfall alone. */
export const keptClimate = (): Promise<PublisherFolder> => kept('climate', CLIMATE_CONTRACTS, CLIMATE_LAKE);

/** Both datasets, with people's pages. */
export const keptPaged = (): Promise<PublisherFolder> =>
  kept('paged', CONTRACTS, LAKE, () => ({ pages: openPages() }));
