/**
 * Trees that tests only read, built once for all files and runs. One that a test changes is copied (`copyBuilt`).
 */
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { formatPublicKey, generateKey, publicKeyOf } from '../../build/log/signed-note.ts';
import { openExplorer } from '../../site/explorer/page-maker.ts';
import { keptFolder } from '../kept-folder.ts';
import { AIR_CONTRACTS, AIR_LAKE } from './air.ts';
import {
  HOSTILE_CONTRACTS,
  HOSTILE_LAKE,
  TITLED_CONTRACTS,
  TITLED_LATER_CONTRACTS,
  TITLED_LATER_ROWS,
  UNEVEN_CONTRACTS,
  UNEVEN_LAKE,
} from './odd-weather.ts';
import { type Publisher, publisherAt, writePublisher, writeTexts } from './publisher-folder.ts';
import { SURVEY_CONTRACTS, SURVEY_LAKE } from './surveys.ts';
import {
  GONE,
  MISTAKEN,
  RAIN_YEARS,
  RAINFALL,
  rainFile,
  rainfallRows,
  wetDays,
  withdrawing,
} from './weather.ts';

/** What decides the bytes of a tree and of a build's notes. */
const SOURCES = ['build', 'site', 'test/publishers', 'vite.config.ts', 'package-lock.json'];

/** The folder of the compiled program, with the bundle. */
const COMPILED = path.resolve(import.meta.dirname, '../../lib');

/** The program's pages, for comparing a build in this process with one of the program. */
export const openPages = () => openExplorer(COMPILED);

/** Every kind of time, and levels with copies by value: the air office and the surveys, with people's pages. */
export async function keptTimes(): Promise<Publisher> {
  const root = await keptFolder('times', SOURCES, async out => {
    const contracts = { ...SURVEY_CONTRACTS, ...AIR_CONTRACTS };
    const publisher = await writePublisher(out, contracts, { ...SURVEY_LAKE, ...AIR_LAKE });
    await publisher.build({ pages: openPages() });
  });
  return publisherAt(root);
}

/** The releases of the weather office. */
const weather = () =>
  keptFolder('weather', SOURCES, async out => {
    const at = (name: string) => path.join(out, name);
    const first = await writePublisher(at('first'));
    await first.build();
    await buildCorrected(await first.copyBuilt(at('corrected')));
    await buildSameDay(await first.copyBuilt(at('later')), at);
    const pages = openPages();
    await (await first.copy(at('paged'))).build({ pages });
    await (await writePublisher(at('uneven'), UNEVEN_CONTRACTS, UNEVEN_LAKE)).build({ pages });
    await (await writePublisher(at('hostile'), HOSTILE_CONTRACTS, HOSTILE_LAKE)).build({ pages });
    await buildSigned(await writePublisher(at('signed'), TITLED_CONTRACTS));
  });

const release = (name: string) => async () => publisherAt(path.join(await weather(), name));

/** Both datasets, without pages. */
export const keptWeather = release('first');

/** The same with people's pages. */
export const keptPaged = release('paged');

/** With pages, and rows that lack years, values and totals. */
export const keptUneven = release('uneven');

/** With pages, and markup wherever a contract or a row has text. */
export const keptHostile = release('hostile');

/** Their next release: wet days corrected in the north, errata, and the trams withdrawn. */
export const keptCorrected = release('corrected');

async function buildCorrected(publisher: Publisher): Promise<void> {
  await publisher.writeRows(wetDays(5));
  await publisher.writeContracts({ 'rain/rainfall.yaml': MISTAKEN, 'trams.odcs.yaml': GONE });
  await rm(path.join(publisher.data, 'transit'), { recursive: true });
  await publisher.build({ releaseDate: '2031-06-01' });
}

/** Trees of three releases of one day with the same files, whose values differ and most lengths and times don't. */
export async function keptSameDay(): Promise<readonly string[]> {
  const root = await weather();
  return ['first/dist', 'later-1', 'later-2'].map(name => path.join(root, name));
}

const LOST = '{ date: 2031-05-17, reason: "Lost.", years: [2022], levels: [nation] }';

async function buildSameDay(publisher: Publisher, at: (name: string) => string): Promise<void> {
  for (const number of [1, 2]) {
    for (const year of RAIN_YEARS)
      for (const detail of ['stations', 'regions']) {
        const rows = `SELECT * REPLACE (rain_mm + ${number} AS rain_mm) FROM (${rainfallRows(year, detail)})`;
        await publisher.writeRows({ [rainFile(year, detail)]: rows });
      }
    if (number === 2) {
      await rm(path.join(publisher.data, rainFile(2022, 'nation')));
      await publisher.writeContracts({ 'rain/rainfall.yaml': withdrawing(RAINFALL, LOST) });
    }
    await publisher.build();
    await cp(publisher.out, at(`later-${number}`), { recursive: true, preserveTimestamps: true });
  }
}

export interface SignedReleases {
  /** The tree of the second release. */
  readonly out: string;
  readonly host: string;
  readonly names: readonly string[];
  readonly key: string;
}

/** Two signed releases with pages, and a host that keeps both. */
export async function keptSigned(): Promise<SignedReleases> {
  const root = path.join(await weather(), 'signed');
  const kept = JSON.parse(await readFile(path.join(root, 'kept.json'), 'utf8'));
  return { ...kept, out: path.join(root, 'dist'), host: path.join(root, 'host') };
}

async function buildSigned(publisher: Publisher): Promise<void> {
  const { key: signingKey } = generateKey('data.example.org');
  const host = path.join(publisher.root, 'host');
  await mkdir(path.join(host, 'releases'), { recursive: true });
  const names: string[] = [];
  const publish = async (releaseDate: string) => {
    const { result } = await publisher.build({ pages: openPages(), signingKey, releaseDate });
    names.push(result.release);
    await cp(publisher.out, path.join(host, 'releases', result.release), { recursive: true });
  };
  await publish('2031-05-17');
  await publisher.writeContracts(TITLED_LATER_CONTRACTS);
  await publisher.writeRows(TITLED_LATER_ROWS);
  await rm(path.join(publisher.data, 'transit'), { recursive: true });
  await publish('2031-06-01');
  await symlink(path.join('releases', names[1]!), path.join(host, 'current'));
  const key = formatPublicKey(publicKeyOf(signingKey, 'signer'));
  await writeTexts(publisher.root, { 'kept.json': JSON.stringify({ names, key }) });
}
