/** Withheld counts that follow from a published share, and those that an earlier release still has. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetDisclosure } from '../../build/check/disclosure.ts';
import { buildPublisher, refusal, warningsOf } from '../publishers/built-tree.ts';
import { contractHead } from '../publishers/contract-text.ts';
import { newPublisher, type PublisherFolder, writeTexts } from '../publishers/publisher-folder.ts';
import { disclosuresIn } from './disclosed.ts';

const contract = (unit: string, more = '', name = 'catches') => `${contractHead(`sea.${name}`)}${more}schema:
  - name: ${name}
    customProperties:
      - { property: grain, value: [year, port, gear] }
      - { property: null_semantics, value: { suppressed_to_null: true } }
    properties:
      - { name: year, logicalType: integer, required: true, customProperties: [{ property: column_role, value: year }] }
      - { name: port, logicalType: string, required: true, customProperties: [{ property: column_role, value: categorical }] }
      - { name: gear, logicalType: string, required: true, customProperties: [{ property: column_role, value: categorical }, { property: has_total, value: true }] }
      - { name: boats, logicalType: integer, physicalType: int, customProperties: [{ property: column_role, value: metric }, { property: unit, value: count }] }
      - { name: fleet, logicalType: integer, physicalType: int, customProperties: [{ property: column_role, value: metric }, { property: unit, value: count }] }
      - { name: share, logicalType: number, customProperties: [{ property: column_role, value: metric }${unit === '' ? '' : `, { property: unit, value: ${unit} }`}] }
`;

/** Rows of port, gear, boats, fleet, share: `?` is NULL. */
const csv = (rows: readonly string[]) =>
  [
    'year,port,gear,boats,fleet,share',
    ...rows.map(row => `2021,${row.split(' ').join(',')}`.replaceAll('?', '')),
  ].join('\n');

async function publisherOf(rows: readonly string[], text = contract('percent')): Promise<PublisherFolder> {
  const publisher = 'service: Sea\ndescription: Catches.\nlicense: CC0-1.0\nattribution: Sea\n';
  const contracts = { 'publisher.yaml': publisher, 'catches.odcs.yaml': text };
  const folder = await newPublisher(contracts, {});
  await writeTexts(folder.data, { 'sea/catches.csv': `${csv(rows)}\n` });
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
const ports = (list: readonly string[], count: number) =>
  Array.from({ length: count }, (_, i) => list.map(row => `p${i} ${row}`)).flat();
const WITHHELD = 'w nets ? 30 20';

/** One count that follows exactly from the share of its fleet. */
const ONE = 'boats 1 of 1 from share and fleet (1)';
const AXIS = 'boats 6 of 6 from share and boats where gear is all (6)';
const ROUNDED = 'boats 1 of 1 from share and fleet (0)';
/** Rows, what of them is told, and the unit of the share. */
const CASES: readonly (readonly [string, readonly string[], readonly string[], string])[] = [
  ['of a total in the row', [...known(), WITHHELD], [ONE], 'percent'],
  ['of a proportion', [...known(1), 'w nets ? 30 0.2'], [ONE], 'proportion'],
  ['of a unit that nobody states', [...known(), WITHHELD], [ONE], ''],
  ['of an axis’ total', ports(ofAll, 3), [AXIS], 'percent'],
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
    const folder = await publisherOf([...known(), WITHHELD], contract('percent'));
    for (const [i, [, rows, , unit]] of CASES.entries()) {
      await writeTexts(folder.contracts, { [`${i}.odcs.yaml`]: contract(unit, '', `catches_${i}`) });
      await writeTexts(folder.data, { [`sea/catches_${i}.csv`]: `${csv(rows)}\n` });
    }
    found = await disclosuresIn(folder);
  });

  test.each(CASES.map((one, i) => [...one, i] as const))('%s', (_, _rows, expected, _unit, i) => {
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
    const folder = await publisherOf(rows, contract(''));
    const warned =
      /^disclosure-share sea\/catches: 1 of 1 withheld counts of boats follow from share and fleet: 2021 all \(1\)\. In 11 of 11 rows/;
    const strict = await refusal(folder, { strict: true });
    expect(strict.diagnostics.map(one => one.code)).toContain('disclosure-share');
    expect(warningsOf(await buildPublisher(folder))).toContainEqual(expect.stringMatching(warned));
  });
});

test('a figure that is withheld later is known from the release before, until it is forgotten', async () => {
  const folder = await publisherOf(ports(['nets 12 40 ?', 'lines 4 40 ?'], 12));
  await buildPublisher(folder);
  const file = path.join(folder.data, 'sea/catches.csv');
  const text = await readFile(file, 'utf8');
  await writeTexts(folder.data, { 'sea/catches.csv': text.replaceAll(',4,40,', ',,40,') });
  const later = { releaseDate: '2031-06-01' };
  const warnings = async (one: PublisherFolder) =>
    warningsOf(await buildPublisher(one, later)).filter(said => /^disclosure-earlier-release/.test(said));
  const [said = '', ...others] = await warnings({ ...folder });
  expect(others).toEqual([]);
  expect(said).toMatch(
    /12 figures are withheld in boats that release 2031-05-17-\w+ published, .*: 2021 all \(12\)\./,
  );
  const entry = /\{ date: .*?forget: true \}/.exec(said)?.[0].replace('YYYY-MM-DD', '2031-06-02') ?? '';
  expect(entry).toContain('years: [2021], forget: true');

  // The same change again, now with the erratum that the message writes.
  await writeTexts(folder.data, { 'sea/catches.csv': text });
  await buildPublisher(folder, later);
  const forgetting = contract('percent', `customProperties:\n  - { property: errata, value: [${entry}] }\n`);
  await writeTexts(folder.contracts, { 'catches.odcs.yaml': forgetting });
  await writeTexts(folder.data, { 'sea/catches.csv': text.replaceAll(',4,40,', ',,40,') });
  expect(await warnings(folder)).toEqual([]);
});
