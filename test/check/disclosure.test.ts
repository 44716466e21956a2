/** Withheld counts that can be worked out are found, and no others: a fishery's landings, with a few rows each. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetDisclosure } from '../../build/check/disclosure.ts';
import { check } from '../../build/pipeline/check.ts';
import { command } from '../cli/command.ts';
import { buildOptions } from '../publishers/built-tree.ts';
import { column, datasetContract, dimension, stored } from '../publishers/contract-text.ts';
import { newPublisher, type Publisher, writeTexts } from '../publishers/publisher-folder.ts';

async function disclosuresIn(folder: Publisher): Promise<Map<string, DatasetDisclosure>> {
  const found = new Map<string, DatasetDisclosure>();
  await check({ ...buildOptions(folder), disclosure: true }, event => {
    if (event.kind === 'disclosure') for (const one of event.datasets) found.set(one.dataset, one);
  });
  return found;
}

/**
 * Levels ports, coasts and nation; axes gear and fish, whose values exclude one another within their kind.
 */
const landings = (nullSemantics = '{ suppressed_to_null: true }', name = 'landings') =>
  datasetContract(
    `sea.${name}`,
    [
      column('year', 'integer', 'year', true),
      column('coast', 'string', 'fk_coast'),
      column('port', 'string', 'fk_port'),
      column('gear', 'string', 'categorical', true, { has_total: 'true' }),
      column('fish', 'string', 'fk_demographic', true, { total_value: 'all' }),
      column('boats', 'integer', 'metric', false, { unit: 'count' }),
    ],
    {
      detail_levels: '[ports, coasts, nation]',
      grain: '[year, coast, port, gear, fish]',
      null_semantics: nullSemantics,
      path_template: `"sea/${name}/year={year}/{detail}.parquet"`,
      foreign_keys: `[{ column: coast, target_object: coasts, target_columns: [coast] },
        { column: port, target_object: ports, target_columns: [coast, port] },
        { column: fish, target_object: fishes, target_columns: [fish] }]`,
    },
    { year_range: '2021-2022' },
  );

const CONTRACTS = {
  'publisher.yaml':
    'service: Fisheries of Arcadia\ndescription: Landings.\nlicense: CC0-1.0\nattribution: Fishery\n',
  'landings.yaml': landings(),
  'coasts.yaml': dimension('sea', 'coasts', ['coast'], 'coasts_label'),
  'ports.yaml': dimension('sea', 'ports', ['coast', 'port'], 'ports_label'),
  'fishes.yaml': dimension(
    'sea',
    'fishes',
    ['fish'],
    'kind',
    '      - { property: semantics, value: { exclusive_within: kind } }\n',
  ),
};

const DIMENSIONS = {
  'sea/_dimensions/coasts.parquet':
    "SELECT * FROM (VALUES ('e', 'East'), ('w', 'West'), ('n', 'North')) t(coast, coasts_label)",
  'sea/_dimensions/ports.parquet':
    "SELECT c AS coast, 'p' || i AS port, 'Port' AS ports_label FROM (VALUES ('e'), ('w'), ('n')) a(c), range(0, 10) b(i)",
  'sea/_dimensions/fishes.parquet':
    "SELECT * FROM (VALUES ('all', NULL), ('cod', 'species'), ('hake', 'species'), ('big', 'size'), ('mid', 'size'), ('small', 'size')) t(fish, kind)",
};

/**
 * Slices by `year level`, each with rows of coast, port, gear, fish, boats, separated by semicolons. `-`
 * means no place, `?` a withheld count.
 */
type Slices = Readonly<Record<string, string>>;

function lakeOf(slices: Slices, name = 'landings'): Record<string, string> {
  const files = Object.entries(slices).map(([slice, text]) => {
    const [year, level] = slice.split(' ');
    const rows = text
      .trim()
      .split(/[\n;]/)
      .map(line => {
        const [coast, port, gear, fish, boats] = line.trim().split(/\s+/);
        const place = [coast, port].map(code => (code === '-' ? 'NULL' : `'${code}'`)).join(', ');
        return `(${year}, ${place}, '${gear}', '${fish}', ${boats === '?' ? 'NULL' : boats})`;
      });
    const select = `SELECT year::INTEGER AS year, coast::VARCHAR AS coast, port::VARCHAR AS port, gear, fish, boats::BIGINT AS boats FROM (VALUES ${rows.join(', ')}) t(year, coast, port, gear, fish, boats)`;
    return [`sea/${name}/year=${year}/${level}.parquet`, select] as const;
  });
  return { ...DIMENSIONS, ...Object.fromEntries(files) };
}

async function disclosureOf(slices: Slices, contract = landings()) {
  const contracts = { ...CONTRACTS, 'landings.yaml': contract };
  return (await disclosuresIn(await newPublisher(contracts, lakeOf(slices)))).get('sea/landings');
}

/** Coasts whose gears add up. */
const WHOLE = 'e - all all 10; e - nets all 6; e - lines all 4';
/** A coast with one withheld value. */
const NETS = 'w - all all 9; w - nets all ?; w - lines all 7';
const coasts = (...rows: readonly string[]): Slices => ({ '2021 coasts': rows.join('; ') });
const whole = (...rows: readonly string[]): Slices => coasts(WHOLE, ...rows);

/** Families of twenty ports, some of which don't add up, and one more with a withheld count. */
const families = (wrong: number): Slices => {
  const rows = Array.from({ length: 20 }, (_, i) => {
    const place = `${'ewn'[i % 3]} p${Math.floor(i / 3)}`;
    return `${place} all all 10; ${place} nets all 6; ${place} lines all ${i < wrong ? 3 : 4}`;
  });
  return { '2021 ports': [...rows, 'e p9 all all 9; e p9 nets all ?; e p9 lines all 7'].join('; ') };
};
const ZERO = 'w - all all 7; w - nets all ?; w - lines all 7; n - all all 0; n - nets all 0; n - lines all ?';
const NOTHING = 'e - all all 0; e - nets all 0; e - lines all 0';
const OVERLAP = 'e - all all 10; e - nets all 8; e - lines all 5';
const KINDS = 'e - all all 10; e - all cod 6; e - all hake 4; e - all big 1; e - all mid 2; e - all small 7';
const UNKNOWN = 'w - all all 9; w - all cod 2; w - all hake ?; w - all big ?; w - all mid ?; w - all small 3';
const EAST = 'e p1 all all 15; e p2 all all 5';
const TWO = 'e - all all 20; w - all all 10';
const COUNTRY: Slices = {
  '2021 nation': '- - all all 30',
  '2021 coasts': TWO,
  '2021 ports': `${EAST}; w p1 all all 8; w p2 all all 2`,
  '2022 nation': '- - all all 30',
  '2022 coasts': TWO,
  '2022 ports': 'e p1 all all 15; e p2 all all ?; w p1 all all 8; w p2 all all 2',
};
const APART: Slices = {
  '2021 nation': '- - all all 30',
  '2021 coasts': 'e - all all ?; w - all all ?; n - all all 3',
  '2022 coasts': 'e - all all 20; w - all all ?',
};
const ALONE: Slices = { '2021 coasts': TWO, '2021 ports': `${EAST}; w p1 all all ?` };
const LATER = { ...whole(NETS), '2022 coasts': NETS };

/** What is disclosed as `along: year level (cells)`, then after a bar what is passed over as `along: adding of whole`. */
const CASES: readonly (readonly [what: string, slices: Slices, said: string])[] = [
  ['one withheld value of an axis', whole(NETS), 'gear: 2021 coasts (1)'],
  ['nothing, where two are withheld', whole('w - all all 9; w - nets all ?; w - lines all ?'), ''],
  ['nothing, where the total is too', whole('w - all all ?; w - nets all ?; w - lines all 7'), ''],
  ['nothing, where there is no total', whole('w - nets all ?; w - lines all 7'), ''],
  ['a withheld zero, also of a total of zero', whole(ZERO), 'gear: 2021 coasts (2)'],
  ['nothing from totals of zero alone, the sum of anything', coasts(NOTHING, NETS), ' | gear: 0 of 0'],
  ['nothing along a hierarchy, whose values overlap', coasts(OVERLAP, NETS), ' | gear: 0 of 1'],
  ['nothing beyond the total', whole('w - all all 9; w - nets all ?; w - lines all 11'), ''],
  ['nothing where a row of another value is missing', whole('e - pots all 0', NETS), ''],
  ['nothing of one value', coasts('e - all all 10; e - nets all 10; w - all all 9; w - nets all ?'), ''],
  [
    'values of one kind, whatever the other kind withholds',
    coasts(KINDS, UNKNOWN),
    'fish within kind species: 2021 coasts (1)',
  ],
  [
    'one kind only, where the other leaves some out',
    coasts(KINDS.replace('hake 4', 'hake 3'), UNKNOWN.replace('big ?', 'big 1')),
    'fish within kind size: 2021 coasts (1) | fish within kind species: 0 of 1',
  ],
  [
    'a place among those of the level above, and among all of the country',
    COUNTRY,
    'coasts to ports: 2022 ports (1); nation to ports: 2022 ports (1)',
  ],
  ['nothing of two withheld places, or whose parent is of another year', APART, ''],
  ['an only place, where places add up', ALONE, 'coasts to ports: 2021 ports (1)'],
  ['years in which an axis adds up, or shows nothing', LATER, 'gear: 2021 coasts (1), 2022 coasts (1)'],
  [
    'not the years in which it does not',
    { ...LATER, '2022 coasts': `${OVERLAP}; ${NETS}` },
    'gear: 2021 coasts (1) | gear: 0 of 1',
  ],
  ['where nineteen of twenty add up', families(1), 'gear: 2021 ports (1)'],
  ['nothing where eighteen do', families(2), ' | gear: 18 of 20'],
];

describe('cells that can be worked out:', () => {
  let found: Map<string, DatasetDisclosure>;
  beforeAll(async () => {
    const names = CASES.map((_, i) => `landings_${i}`);
    const { 'landings.yaml': _, ...others } = CONTRACTS;
    const contracts = names.map(name => [`${name}.yaml`, landings(undefined, name)]);
    const lakes = CASES.map(([, slices], i) => lakeOf(slices, names[i]));
    const folder = await newPublisher(
      { ...others, ...Object.fromEntries(contracts) },
      Object.assign({}, ...lakes),
    );
    found = await disclosuresIn(folder);
  });

  test.each(CASES.map(([what, , said], i) => [what, said, i] as const))('%s', (_, said, i) => {
    const { disclosed, cells, passedOver } = found.get(`sea/landings_${i}`)!;
    const shown = disclosed.map(({ metric, along, slices }) => {
      expect(metric).toBe('boats');
      return `${along}: ${slices.map(one => `${one.year} ${one.detail} (${one.cells})`).join(', ')}`;
    });
    expect(cells).toBeLessThanOrEqual(disclosed.reduce((sum, one) => sum + one.cells, 0));
    const passed = passedOver.map(({ along, adding, whole: all }) => ` | ${along}: ${adding} of ${all}`);
    expect(`${shown.join('; ')}${passed.join('')}`.trim()).toBe(said.trim());
  });

  test('a cell that two families disclose is one cell; examples name keys and no value', async () => {
    const found = await disclosureOf({
      '2021 coasts': `
        e - all all 10\n e - nets all 6\n e - lines all 4
        e - all cod 7\n e - nets cod 4\n e - lines cod 3
        e - all hake 3\n e - nets hake 2\n e - lines hake 1
        w - all all 10\n w - nets all 6\n w - lines all 4
        w - all cod 7\n w - nets cod ?\n w - lines cod 3
        w - all hake 3\n w - nets hake 2\n w - lines hake 1`,
    });
    expect(found?.disclosed.map(({ along, cells }) => [along, cells])).toEqual([
      ['gear', 1],
      ['fish within kind species', 1],
    ]);
    expect(found?.cells).toBe(1);
    expect(found?.examples).toEqual([
      { metric: 'boats', keys: { year: 2021, coast: 'w', port: null, gear: 'nets', fish: 'cod' } },
    ]);
  });

  test("a dataset whose NULL doesn't mean withheld is skipped", async () => {
    expect(await disclosureOf(whole(NETS), landings('{ suppressed_to_null: false }'))).toBeUndefined();
  });
});

describe('civic check --disclosure', () => {
  const slices = {
    '2021 nation': '- - all all 20\n - - nets all 12\n - - lines all 8',
    '2021 coasts': `${WHOLE}\n w - all all 10\n w - nets all ?\n w - lines all 4`,
    '2021 ports': 'e p1 all all 10\n w p1 all all 10',
    '2022 nation': '- - all all 20',
    '2022 coasts': 'e - all all 10\n w - all all 10',
    '2022 ports': 'e p1 all all 10\n w p1 all all 10',
  };

  test('warns and succeeds; --strict refuses; --json has the counts', async () => {
    const folder = await newPublisher(CONTRACTS, lakeOf(slices));
    const run = (...more: readonly string[]) =>
      command('check', '--contracts', folder.contracts, '--data', folder.data, ...more);

    expect(await run()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('disclosure') });
    const warned = await run('--disclosure');
    expect(warned.code).toBe(0);
    for (const said of [
      /landings\.yaml:\d+:\d+ warning disclosure-derivable-cell sea\/landings: 1 withheld cell of boats can be derived along gear by .*: 2021 coasts \(1\)\./,
      /boats of \{"year":2021,"coast":"w","port":null,"gear":"nets","fish":"all"\}/,
      /Disclosure: 1 withheld cell can be derived .*\(datasets that withhold counts: 1; with such cells: 1\)\./,
    ])
      expect(warned.stderr).toMatch(said);
    const strict = await run('--disclosure', '--strict', '--json');
    const along = (name: string) => ({ metric: 'boats', along: name, cells: 1 });
    const gear = { ...along('gear'), slices: [{ year: 2021, detail: 'coasts', cells: 1 }] };
    expect([strict.code, JSON.parse(strict.stdout)]).toMatchObject([
      1,
      {
        ok: false,
        diagnostics: [{ severity: 'error' }, { severity: 'error' }],
        disclosure: [{ dataset: 'sea/landings', cells: 1, disclosed: [gear, along('nation to coasts')] }],
      },
    ]);
  });

  // Names that a query uses for its own columns.
  test.each(['rowid', 'members'])('a column may be called %s', async name => {
    const named = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(texts).map(([file, text]) => [file, text.replaceAll(/\bgear\b/g, name)]),
      );
    const folder = await newPublisher(named(CONTRACTS), named(lakeOf(slices)));
    const found = await disclosuresIn(folder);
    expect(found.get('sea/landings')).toMatchObject({
      cells: 1,
      disclosed: [{ along: name }, { along: 'nation to coasts' }],
      examples: [{ keys: { year: 2021, coast: 'w', port: null, [name]: 'nets', fish: 'all' } }],
    });
  });
});

/** Withheld counts that follow from a published share, or that an earlier release still has. */
const catches = (unit: string, own: Readonly<Record<string, string>> = {}, name = 'catches') => {
  const counts = ['boats', 'fleet'].map(count =>
    column(count, stored('integer', 'int'), 'metric', false, { unit: 'count' }),
  );
  const columns = [
    column('year', 'integer', 'year', true),
    column('port', 'string', 'categorical', true),
    column('gear', 'string', 'categorical', true, { has_total: 'true' }),
    ...counts,
    column('share', 'number', 'metric', false, unit === '' ? {} : { unit }),
  ];
  const table = { grain: '[year, port, gear]', null_semantics: '{ suppressed_to_null: true }' };
  return datasetContract(`sea.${name}`, columns, table, own);
};

/** Rows of port, gear, boats, fleet, share. `?` is NULL. */
const catchRows = (rows: readonly string[]) =>
  [
    'year,port,gear,boats,fleet,share',
    ...rows.map(row => `2021,${row.split(' ').join(',')}`.replaceAll('?', '')),
  ].join('\n');

async function publisherOf(rows: readonly string[], text = catches('percent')): Promise<Publisher> {
  const publisher = 'service: Sea\ndescription: Catches.\nlicense: CC0-1.0\nattribution: Sea\n';
  const contracts = { 'publisher.yaml': publisher, 'catches.odcs.yaml': text };
  const folder = await newPublisher(contracts, {});
  await writeTexts(folder.data, { 'sea/catches.csv': `${catchRows(rows)}\n` });
  return folder;
}

/** Ports that publish a count, its fleet and the share of the two. */
const known = (scale = 100, wrong = 0, ports = 10) =>
  Array.from({ length: ports }, (_, i) => {
    const [boats, fleet] = [11 + i, 40 + 3 * i];
    const share = ((scale * boats) / fleet).toFixed(scale === 1 ? 3 : 1);
    return `k${i} nets ${i < wrong ? boats + 3 : boats} ${fleet} ${share}`;
  });
/** Gears that publish a count and its share of all gears. */
const ofAll = ['all 40 ? 100', 'nets 30 ? 75', 'lines ? ? 15', 'pots ? ? 10'];
const atPorts = (list: readonly string[], count: number) =>
  Array.from({ length: count }, (_, i) => list.map(row => `p${i} ${row}`)).flat();
const WITHHELD = 'w nets ? 30 20';

/** A count that follows exactly from the share of its fleet. */
const ONE = 'boats 1 of 1 from share and fleet (1)';
const AXIS = 'boats 6 of 6 from share and boats where gear is all (6)';
const ROUNDED = 'boats 1 of 1 from share and fleet (0)';
/** Rows, the messages about them, and the unit of the share. */
const SHARES: readonly (readonly [string, readonly string[], readonly string[], string])[] = [
  ['of a total in the row', [...known(), WITHHELD], [ONE], 'percent'],
  ['of a proportion', [...known(1), 'w nets ? 30 0.2'], [ONE], 'proportion'],
  ['of a unit that nobody states', [...known(), WITHHELD], [ONE], ''],
  ['of an axis’ total', atPorts(ofAll, 3), [AXIS], 'percent'],
  ['one wrong row in twenty', [...known(100, 1, 20), WITHHELD], [ONE], 'percent'],
  ['none, with two wrong rows', [...known(100, 2, 20), WITHHELD], [], 'percent'],
  ['none, where two rows agree by chance', [...known(100, 0, 2), WITHHELD], [], 'percent'],
  ['none, where the share is withheld too', [...known(), 'w nets ? 30 ?'], [], 'percent'],
  ['none, where the total is withheld too', [...known(), 'w nets ? ? 20'], [], 'percent'],
  ['not exactly, where it is rounded', [...known(), 'w nets ? 3000 20'], [ROUNDED], 'percent'],
  ['none, where ten whole numbers fit', [...known(), 'w nets ? 30000 20'], [], 'percent'],
  ['none of another rate', [...known().map(row => `${row.slice(0, -3)}7.7`), WITHHELD], [], 'percent'],
];

describe('counts that follow from a share:', () => {
  let found: Map<string, DatasetDisclosure>;
  beforeAll(async () => {
    const folder = await publisherOf([...known(), WITHHELD], catches('percent'));
    for (const [i, [, rows, , unit]] of SHARES.entries()) {
      await folder.writeContracts({ [`${i}.odcs.yaml`]: catches(unit, {}, `catches_${i}`) });
      await writeTexts(folder.data, { [`sea/catches_${i}.csv`]: `${catchRows(rows)}\n` });
    }
    found = await disclosuresIn(folder);
  });

  test.each(SHARES.map((one, i) => [...one, i] as const))('%s', (_, _rows, expected, _unit, i) => {
    const { shares } = found.get(`sea/catches_${i}`)!;
    const told = shares.map(
      one =>
        `${one.metric} ${one.cells} of ${one.withheld} from ${one.share} and ${one.total} (${one.exact})`,
    );
    expect(told).toEqual(expected);
  });

  test('the build warns of them, and --strict refuses', async () => {
    // 32-bit integers that overflow as parts of 100,000.
    const rows = [...known(), WITHHELD, 'big nets 40000 100000 40.0'];
    const folder = await publisherOf(rows, catches(''));
    const warned =
      /^disclosure-share sea\/catches: 1 of 1 withheld counts of boats follow from share and fleet: 2021 all \(1\)\. In 11 of 11 rows/;
    const strict = await folder.refusal({ strict: true });
    expect(strict.diagnostics.map(one => one.code)).toContain('disclosure-share');
    expect((await folder.build()).warnings).toContainEqual(expect.stringMatching(warned));
  });
});

test('a figure that is withheld later is known from the last release, until that is deleted', async () => {
  const folder = await publisherOf(atPorts(['nets 12 40 ?', 'lines 4 40 ?'], 12));
  await folder.build();
  const file = path.join(folder.data, 'sea/catches.csv');
  const text = await readFile(file, 'utf8');
  await writeTexts(folder.data, { 'sea/catches.csv': text.replaceAll(',4,40,', ',,40,') });
  const later = { releaseDate: '2031-06-01' };
  const warnings = async (one: Publisher) =>
    (await one.build(later)).warnings.filter(said => /^disclosure-earlier-release/.test(said));
  const [said = '', ...others] = await warnings(folder);
  expect(others).toEqual([]);
  expect(said).toMatch(
    /12 figures are withheld in boats that release 2031-05-17-\w+ published, .*: 2021 all \(12\)\./,
  );
  const entry = /\{ date: .*?forget: true \}/.exec(said)?.[0].replace('YYYY-MM-DD', '2031-06-02') ?? '';
  expect(entry).toContain('years: [2021], forget: true');

  // The same change, now with the erratum that the message suggests.
  await writeTexts(folder.data, { 'sea/catches.csv': text });
  await folder.build(later);
  const forgetting = catches('percent', { errata: `[${entry}]` });
  await folder.writeContracts({ 'catches.odcs.yaml': forgetting });
  await writeTexts(folder.data, { 'sea/catches.csv': text.replaceAll(',4,40,', ',,40,') });
  expect(await warnings(folder)).toEqual([]);
});
