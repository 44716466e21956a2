/** Trees that tests only read, built once for all files and runs. One that a test changes is copied (`copyBuilt`). */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { keptFolder } from '../kept-folder.ts';
import type { Overrides } from './built-tree.ts';
import { type Lake, type Publisher, publisherAt, writePublisher } from './publisher-folder.ts';
import { SURVEY_CONTRACTS, SURVEY_LAKE } from './surveys.ts';
import { CLIMATE_CONTRACTS, CLIMATE_LAKE, CONTRACTS, GONE, LAKE, MISTAKEN, wetDays } from './weather.ts';

/** What decides the bytes of a tree and of a build's notes, except for its input. */
const SOURCES = ['build', 'site', 'test/publishers/built-tree.ts', 'vite.config.ts', 'package-lock.json'];

/** The folder of the compiled program, with the bundle. */
const COMPILED = path.resolve(import.meta.dirname, '../../lib');

/** The program's pages, for comparing a build in this process with one of the program. */
export const openPages = () => openExplorer(COMPILED);

/** `overrides` is only called when the tree is built. */
export async function keptTree(
  name: string,
  contracts: Readonly<Record<string, string>>,
  lake: Lake,
  overrides: () => Overrides = () => ({}),
): Promise<Publisher> {
  const input = createHash('sha256').update(JSON.stringify([contracts, lake]));
  const root = await keptFolder(`${name}-${input.digest('hex').slice(0, 8)}`, SOURCES, async out => {
    await (await writePublisher(out, contracts, lake)).build(overrides());
  });
  return publisherAt(root);
}

const withPages = () => ({ pages: openPages() });

/** Both datasets, without pages. */
export const keptWeather = () => keptTree('weather', CONTRACTS, LAKE);

/** Their next release: wet days corrected in the north, errata, and the trams withdrawn. */
export async function keptCorrected(): Promise<Publisher> {
  const root = await keptFolder('corrected', [...SOURCES, 'test/publishers'], async out => {
    const publisher = await writePublisher(out);
    await publisher.build();
    await publisher.writeRows(wetDays(5));
    await publisher.writeContracts({ 'rain/rainfall.yaml': MISTAKEN, 'trams.odcs.yaml': GONE });
    await rm(path.join(publisher.data, 'transit'), { recursive: true });
    await publisher.build({ releaseDate: '2031-06-01' });
  });
  return publisherAt(root);
}

/** Rainfall alone. */
export const keptClimate = () => keptTree('climate', CLIMATE_CONTRACTS, CLIMATE_LAKE);

/** Hundreds of stations: most of the tree is rows, in files of several blocks. */
const MANY = Object.entries(LAKE).map(([file, rows]) => [
  file,
  rows.replaceAll('range(1, 4)', 'range(1, 300)'),
]);
export const keptStations = () => keptTree('many-stations', CONTRACTS, Object.fromEntries(MANY));

/** Levels with copies by value. */
export const keptSurvey = () => keptTree('survey', SURVEY_CONTRACTS, SURVEY_LAKE);

/** With people's pages. */
export const keptPaged = (name = 'weather', contracts = CONTRACTS, lake = LAKE) =>
  keptTree(`paged-${name}`, contracts, lake, withPages);
