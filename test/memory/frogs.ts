/** Frogs in ponds, whose rows, columns and grain change from release to release; and answers about a release. */

import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { column, datasetContract, dimension } from '../publishers/contract-text.ts';
import { type Publisher, publisherAt, temporaryFolder } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

/** A dataset at one moment. Slices are named as in `2021/ponds`. */
interface Frogs {
  readonly years: readonly number[];
  /** Slices with other values in a third of the rows, another third for each number. */
  readonly revised: Readonly<Record<string, number>>;
  /** Slices without a fifth of their rows, another fifth for each number. */
  readonly fewer: Readonly<Record<string, number>>;
  readonly absent: readonly string[];
  /** Entries of the property `withdrawn`. */
  readonly withdrawn: string;
  /** Names of columns, now and before. */
  readonly frogs: readonly [string, string?];
  readonly kind: readonly [string, string?];
  readonly weight: 'number' | 'integer';
  readonly note: boolean;
  readonly grain: string;
  readonly pond: string;
  readonly erratum: string;
}

const BEGINNING: Frogs = {
  ...{ years: [2020, 2021, 2022], revised: {}, fewer: {}, absent: [], withdrawn: '' },
  ...{ frogs: ['frogs'], kind: ['kind'], weight: 'number', note: true, grain: 'valley, pond, kind' },
  ...{ pond: 'Pond', erratum: 'Nothing' },
};
const withdrawal = (more: string) => `{ date: 2031-01-01, reason: "Nobody should know.", ${more} }`;
const YEAR = withdrawal('years: [2020]');
const LEVEL = withdrawal('years: [2022], levels: [land], forget: true');

/** What each release changes. One day has two. */
export const CHANGES: readonly (readonly [date: string, change: Partial<Frogs>])[] = [
  ['2031-01-01', {}],
  ['2031-01-11', { revised: { '2021/ponds': 1, '2020/land': 1 }, erratum: 'A pond' }],
  ['2031-01-21', { fewer: { '2020/ponds': 1, '2022/land': 1 }, pond: 'Pool' }],
  ['2031-01-21', { fewer: { '2020/ponds': 2 }, revised: { '2021/ponds': 2 } }],
  ['2031-01-31', { frogs: ['frog_count', 'frogs'], weight: 'integer', years: [2020, 2021, 2022, 2023] }],
  ['2031-02-10', { note: false, kind: ['sort', 'kind'], grain: 'sort, valley, pond', erratum: 'A word' }],
  ['2031-02-20', { absent: ['2020/ponds', '2020/land'], withdrawn: YEAR }],
  ['2031-03-02', { frogs: ['amphibians', 'frog_count'], note: true, absent: [], withdrawn: '' }],
  ['2031-03-12', { weight: 'number', absent: ['2022/land'], withdrawn: LEVEL }],
];

const PLACES =
  "SELECT * FROM (VALUES ('v1', '1'), ('v1', '2'), ('v2', '1'), (' é', '𝒳'), ('v:2', 'a,b')) t(valley, pond)";

function contract(version: number, now: Frogs): string {
  const named = ([name, before]: readonly [string, string?], type: string, role: string) =>
    column(name, type, role, role !== 'metric', before === undefined ? {} : { renamed_from: before });
  const columns = [
    column('year', 'integer', 'year', true),
    column('valley', 'string', 'fk_valley'),
    column('pond', 'string', 'fk_pond'),
    named(now.kind, 'string', 'categorical'),
    named(now.frogs, 'integer', 'metric'),
    column('weight', now.weight, 'metric'),
    column('wet', 'boolean', 'categorical'),
    column('seen', 'date', 'attribute'),
    column('checked', 'timestamp', 'attribute'),
    ...(now.note ? [column('note', 'string', 'metric')] : []),
  ];
  const table = {
    detail_levels: '[ponds, land]',
    grain: `[year, ${now.grain}]`,
    path_template: '"water/frogs/year={year}/{detail}.parquet"',
    foreign_keys: `[{ column: valley, target_object: valleys, target_columns: [valley], scope: domain },
      { column: pond, target_object: ponds, target_columns: [valley, pond], scope: domain }]`,
  };
  const own = {
    available_years: `[${now.years.join(', ')}]`,
    row_loss_limit: '100',
    withdrawn: `[${now.withdrawn}]`,
    errata: `[{ date: 2031-01-01, wrong: "${now.erratum}.", corrected: "Mended." }]`,
  };
  return datasetContract('water.frogs', columns, table, own).replace('version: 1.', `version: ${version}.`);
}

function rows(now: Frogs, year: number, level: string): string {
  const [revised, fewer] = [now.revised, now.fewer].map(one => one[`${year}/${level}`] ?? 0);
  const places = level === 'ponds' ? PLACES : 'SELECT NULL::VARCHAR AS valley, NULL::VARCHAR AS pond';
  const third = `CASE WHEN hash(valley, pond, kind) % 3 = ${revised} % 3 THEN ${revised} ELSE 0 END`;
  const number = (salt: number, below: number) =>
    `(hash(valley, pond, kind, ${year}, ${salt}, ${third}) % ${below})::INTEGER`;
  const columns = [
    `${year}::INTEGER AS year, valley, pond, kind AS ${now.kind[0]}`,
    `CASE WHEN ${number(1, 9)} > 0 THEN ${number(2, 999)} END AS ${now.frogs[0]}`,
    `(${number(3, 1000)} / 8.0)::${now.weight === 'integer' ? 'INTEGER' : 'DOUBLE'} AS weight`,
    `CASE WHEN ${number(4, 3)} > 0 THEN ${number(4, 3)} = 1 END AS wet`,
    `DATE '2030-01-11' + ${number(5, 9)} * 30 AS seen`,
    `TIMESTAMP '2030-05-01 10:00:00' + INTERVAL (${number(6, 9)}) DAY AS checked`,
    now.note
      ? `[NULL, '', 'a "note", with a comma', 'frösche', chr(9), NULL][1 + ${number(7, 6)}] AS note`
      : '',
  ];
  return `SELECT ${columns.filter(Boolean).join(', ')}
    FROM (${places}), (SELECT unnest(['all', 'green', 'brown']) AS kind)
    WHERE ${fewer} = 0 OR hash(valley, pond, kind) % 5 <> ${fewer}`;
}

/** Replaces the contracts and lake of the release before. */
async function writeFrogs(folder: Publisher, version: number, now: Frogs): Promise<void> {
  await folder.writeContracts({
    'publisher.yaml': PUBLISHER,
    'frogs.odcs.yaml': contract(version, now),
    '_dimensions/valleys.odcs.yaml': dimension('water', 'valleys', ['valley'], 'valley_name'),
    '_dimensions/ponds.odcs.yaml': dimension('water', 'ponds', ['valley', 'pond'], 'pond_name'),
  });
  await rm(folder.data, { recursive: true, force: true });
  const slices = now.years.flatMap(year => ['ponds', 'land'].map(level => [year, level] as const));
  await folder.writeRows({
    'water/_dimensions/valleys.parquet': `SELECT DISTINCT valley, 'Valley ' || valley AS valley_name FROM (${PLACES})`,
    'water/_dimensions/ponds.parquet': `SELECT *, '${now.pond} ' || pond AS pond_name FROM (${PLACES})`,
    ...Object.fromEntries(
      slices
        .filter(slice => !now.absent.includes(slice.join('/')))
        .map(([year, level]) => [`water/frogs/year=${year}/${level}.parquet`, rows(now, year, level)]),
    ),
  });
}

/** Status and bytes of an answer without the moment, and rows of Parquet in place of their file. */
export async function contentOf(answer: Response, moment: string): Promise<[number, string]> {
  const bytes = await answer.arrayBuffer();
  if (answer.headers.get('content-type')?.includes('parquet')) {
    const found = await parquetReadObjects({ file: bytes, compressors });
    return [answer.status, JSON.stringify(found, (_, one) => (typeof one === 'bigint' ? String(one) : one))];
  }
  const text = new TextDecoder()
    .decode(bytes)
    .replace(`"as_of":"${moment}",`, '')
    .replaceAll(`as_of=${moment}&`, '')
    .replace(new RegExp(`[?&]as_of=${moment}`, 'g'), '');
  // The reason for an empty answer depends on the tree's values, which later trees lack.
  return [answer.status, text.includes('"count":0,"next"') ? text.replace(/"notices":\[[^\]]*\]/, '') : text];
}

export const asOf = (url: string, moment: string) => `${url}${url.includes('?') ? '&' : '?'}as_of=${moment}`;

export interface BuiltRelease {
  readonly name: string;
  readonly date: string;
  readonly now: Frogs;
  /** Contracts, lake and tree of the release. */
  readonly folder: Publisher;
}

/** The releases of CHANGES, each built over the one before, and the last tree. */
export async function buildReleases(): Promise<{ readonly out: string; readonly releases: BuiltRelease[] }> {
  const folder = publisherAt(await temporaryFolder());
  const releases: BuiltRelease[] = [];
  let now = BEGINNING;
  for (const [i, [date, change]] of CHANGES.entries()) {
    now = { ...now, ...change };
    await writeFrogs(folder, i + 1, now);
    const { result } = await folder.build({ releaseDate: date });
    const kept = await folder.copy(path.join(folder.root, `release-${i}`));
    await cp(folder.out, kept.out, { recursive: true, preserveTimestamps: true });
    releases.push({ name: result.release, date, now, folder: kept });
  }
  return { out: folder.out, releases };
}
