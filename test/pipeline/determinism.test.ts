/** The same input gives the same bytes and times on any machine at any moment. */
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { civic, type ProcessOptions } from '../cli/program.ts';
import { keptWeather, openPages } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher, temporaryFolder } from '../publishers/publisher-folder.ts';
import { CONTRACTS, LAKE, rainFile, rainfallRows } from '../publishers/weather.ts';

let publisher: Publisher;
let expected: Awaited<ReturnType<Publisher['dated']>>;

const MANY_ROWS = `SELECT 2021::INTEGER AS year, region_code, station_code, season, NULL::BOOLEAN AS manned,
  (hash(i, station_code, season) % 80000) / 10.0 AS rain_mm, (i % 365)::INTEGER AS wet_days, i::BIGINT AS readings, 'station ' || i AS note
  FROM (${rainfallRows(2021, 'stations')}) t, range(1, 601) s(i)`;

/** Every row is its own station: more rows than a page or a row group. */
const LARGE = {
  ...LAKE,
  'climate/_dimensions/stations.parquet':
    "SELECT r AS region_code, 'st' || i AS station_code, 'Station ' || i AS station_name, i * 10.5 AS height_m FROM (VALUES ('n'), ('s')) a(r), range(1, 1801) b(i)",
  [rainFile(2021, 'stations')]:
    `SELECT * REPLACE ('st' || (substr(station_code, 3)::INTEGER + 3 * (readings - 1)) AS station_code) FROM (${MANY_ROWS}) ORDER BY hash(readings)`,
};

beforeAll(async () => {
  publisher = await newPublisher(CONTRACTS, LARGE);
  // With people's pages, like the program.
  await publisher.build({ jobs: 1, pages: openPages() });
  expected = await publisher.dated();
});

describe('two builds are the same to the byte', () => {
  test.each<readonly [what: string, args: readonly string[], options: ProcessOptions]>([
    [
      'one job in little memory, west of Greenwich, a Turkish locale',
      ['--jobs', '1', '--memory', '150MB'],
      { environment: { TZ: 'America/Los_Angeles', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
    ],
    [
      'seven jobs, east of Greenwich, the C locale, a private umask',
      ['--jobs', '7'],
      { environment: { TZ: 'Pacific/Kiritimati', LANG: 'C', LC_ALL: 'C' }, umask: '077' },
    ],
  ])('%s', async (_, args, options) => {
    const out = path.join(await temporaryFolder(), 'dist');
    const all = publisher.with({ out }).arguments('--json', ...args);
    expect(await civic(all, options)).toMatchObject({ code: 0 });
    expect(await publisher.with({ out }).dated()).toEqual(expected);
  });

  test('the lake written in another order, by another machine', async () => {
    const folder = await newPublisher(CONTRACTS, {});
    const shuffled = Object.entries(LARGE).map(([name, rows]) => [
      name,
      `SELECT * FROM (${rows}) ORDER BY hash(COLUMNS(*))`,
    ]);
    await folder.writeRows(Object.fromEntries(shuffled));
    await folder.build({ pages: openPages() });
    expect(await folder.dated()).toEqual(expected);
  });
});

describe('the release date', () => {
  const weather = keptWeather();
  test.each([
    ['2030-02-28', '0', '2030-02-28'],
    [null, '1893456000', '2030-01-01'],
    [null, '1893455999', '2029-12-31'],
  ])('told %s, SOURCE_DATE_EPOCH %s: %s', async (told, epoch, date) => {
    vi.stubEnv('SOURCE_DATE_EPOCH', epoch);
    onTestFinished(() => void vi.unstubAllEnvs());
    const out = path.join(await temporaryFolder(), 'dist');
    const folder = (await weather).with({ out });
    const { result } = await folder.build({ releaseDate: told, only: 'transit/*' });
    expect(result.release.slice(0, 10)).toBe(date);
  });
});
