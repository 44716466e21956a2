/**
 * The weather office in two signed releases. The second renames a column, changes the wet days of a year, has
 * errata, and withdraws the trams. Titles have markup.
 */
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatPublicKey, generateKey, publicKeyOf } from '../../build/log/signed-note.ts';
import { TREE_SOURCES } from '../georgia/sample-lake.ts';
import { keptFolder } from '../kept-folder.ts';
import { openPages } from '../publishers/kept-weather.ts';
import { writePublisher } from '../publishers/publisher-folder.ts';
import {
  CONTRACTS,
  MISTAKEN,
  RAIN_YEARS,
  RAINFALL,
  rainFile,
  rainfallRows,
  TRAMS,
  withdrawn,
} from '../publishers/weather.ts';

export const TITLE = '"Rain" & <i data-evil>snow</i>';
export const TRAM_TITLE = 'Trams <b data-evil>bold</b>';

const titled = (contract: string) =>
  contract.replace('value: Rainfall }', `value: '${TITLE.replaceAll("'", "''")}' }`);
const RENAMED = titled(MISTAKEN.replace('<gauge> leaked', 'gauge <b data-evil>leaked</b>'))
  .replace('version: 1.2.0', 'version: 2.0.0')
  .replace('- name: wet_days', '- name: days_wet')
  .replace(/(name: days_wet[^[]*\[)/, '$1{ property: renamed_from, value: wet_days }, ');
const GONE = withdrawn(TRAMS, 'climate/rainfall').replace(
  'customProperties:\n',
  `customProperties:\n  - { property: title, value: ${JSON.stringify(TRAM_TITLE)} }\n`,
);
const wetDays = (year: number) => (year === 2021 ? 'wet_days + 3' : 'wet_days');
const LATER = Object.fromEntries(
  RAIN_YEARS.flatMap(year =>
    ['stations', 'regions', 'nation'].map(level => [
      rainFile(year, level),
      `SELECT * EXCLUDE wet_days, ${wetDays(year)} AS days_wet FROM (${rainfallRows(year, level)})`,
    ]),
  ),
);

export interface TwoReleases {
  /** The tree of the second release. */
  readonly out: string;
  readonly host: string;
  readonly names: readonly string[];
  readonly key: string;
}

/** Tests copy it to change it. */
export async function twoReleases(): Promise<TwoReleases> {
  const sources = [...TREE_SOURCES, 'test/publishers', 'test/explorer/two-releases.ts'];
  const root = await keptFolder('two-releases', sources, async folder => {
    const { key: signingKey } = generateKey('data.example.org');
    const publisher = await writePublisher(folder, { ...CONTRACTS, 'rain/rainfall.yaml': titled(RAINFALL) });
    const host = path.join(folder, 'host');
    await mkdir(path.join(host, 'releases'), { recursive: true });
    const names: string[] = [];
    const release = async (releaseDate: string) => {
      await publisher.build({ pages: openPages(), signingKey, releaseDate });
      names.push((await publisher.json<{ release: string }>('manifest.json')).release);
      await cp(publisher.out, path.join(host, 'releases', names.at(-1)!), { recursive: true });
    };
    await release('2031-05-17');
    await publisher.writeContracts({ 'rain/rainfall.yaml': RENAMED, 'trams.odcs.yaml': GONE });
    await publisher.writeRows(LATER);
    await rm(path.join(publisher.data, 'transit'), { recursive: true });
    await release('2031-06-01');
    await symlink(path.join('releases', names[1]!), path.join(host, 'current'));
    const key = formatPublicKey(publicKeyOf(signingKey, 'signer'));
    await writeFile(path.join(folder, 'kept.json'), JSON.stringify({ names, key }));
  });
  const kept = JSON.parse(await readFile(path.join(root, 'kept.json'), 'utf8'));
  return { ...kept, out: path.join(root, 'dist'), host: path.join(root, 'host') };
}
