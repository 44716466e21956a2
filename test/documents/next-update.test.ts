/** The day by which new figures are due, and what language models are told, from contracts to documents. */
import { expect, test } from 'vitest';
import { nextUpdate, serviceFrequency } from '../../build/contract/update-frequency.ts';
import type { DatasetsDocument, SchemaDocument } from '../../build/format/documents.ts';
import { PAGES, ROOT } from '../../build/format/paths.ts';
import { RELEASE_DATE } from '../publishers/built-tree.ts';
import { openPages } from '../publishers/kept-trees.ts';
import { newPublisher, type Publisher } from '../publishers/publisher-folder.ts';
import { CONTRACTS, RAINFALL, rainFile, rainfallRows } from '../publishers/weather.ts';
import { dcatProblems, SCHEMAS_ABSENT } from './published-schemas.ts';

const NEW = {
  ...CONTRACTS,
  'rain/rainfall.yaml': RAINFALL.replace(
    'customProperties:\n',
    `context: { instructions: "Use <b>regions</b>.", constraints: [{ constraint: Add up no stations. }], verifiedStatements: [{ question: Wettest?, answer: "[North](x)" }] }\ncustomProperties:\n  - { property: update_frequency, value: Annual }\n`,
  ).replace('- name: season\n', '- name: season\n        synonyms: [{ synonym: Jahreszeit, locale: de }]\n'),
};

const SCHEMA = 'api/v1/datasets/climate/rainfall/index.json';

/** The day in every document that tells it. */
async function told(publisher: Publisher): Promise<unknown[]> {
  const { datasets } = await publisher.json<DatasetsDocument>(ROOT.datasets);
  const feed = await publisher.json<{ _civic?: { next_updates: object } }>(ROOT.jsonFeed);
  const catalog = await publisher.json<{ dataset: { scopeNote?: string }[] }>(ROOT.catalog);
  const dayIn = (text: string) => /Next update expected by (\S{10})\./.exec(text)?.[1];
  return [
    (await publisher.json<SchemaDocument>(SCHEMA)).next_update,
    ...datasets.map(one => one.next_update),
    feed._civic?.next_updates,
    ...catalog.dataset.map(one => dayIn(one.scopeNote ?? '')),
    dayIn(await publisher.text('api/v1/climate/rainfall/feed.xml')),
  ];
}
const due = (day: string) => [day, day, undefined, { 'climate/rainfall': day }, day, undefined, day];

test('the day follows the rows of the latest year, not the release and not a correction', async () => {
  const publisher = await newPublisher(NEW);
  await publisher.build({ pages: openPages() });
  const first = `${Number(RELEASE_DATE.slice(0, 4)) + 1}${RELEASE_DATE.slice(4)}`;
  expect(await told(publisher)).toEqual(due(first));
  expect(await publisher.text('datasets/climate/rainfall/index.html')).toContain(
    `next update expected by ${first}`,
  );
  if (!SCHEMAS_ABSENT) expect(dcatProblems()(await publisher.json(ROOT.catalog))).toEqual([]);
  const { datasets } = await publisher.json<{ datasets: { labels: string[] }[] }>(PAGES.search);
  expect(datasets[0]?.labels).toContain('Jahreszeit');

  const revise = (year: number) =>
    publisher.writeRows({
      [rainFile(year, 'nation')]:
        `SELECT * REPLACE (rain_mm + 1 AS rain_mm) FROM (${rainfallRows(year, 'nation')})`,
    });
  await revise(2019);
  await publisher.build({ releaseDate: '2033-03-31' });
  expect(await told(publisher)).toEqual(due(first));
  await revise(2022);
  await publisher.build({ releaseDate: '2033-04-30' });
  expect(await told(publisher)).toEqual(due('2034-04-30'));
});

test('llms.txt tells what the publisher tells language models, on lines of its own', async () => {
  const publisher = await newPublisher(NEW);
  await publisher.build();
  const lines = (await publisher.text(ROOT.llms)).split('\n');
  const at = lines.findIndex(line => line.includes('climate/rainfall. '));
  expect(lines.slice(at + 1, at + 4)).toEqual([
    '  - Use \\<b\\>regions\\</b\\>.',
    '  - Constraint: Add up no stations.',
    '  - Question: Wettest? Answer: \\[North\\](x)',
  ]);
  expect((await publisher.json<SchemaDocument>(SCHEMA)).context).toEqual({
    instructions: 'Use <b>regions</b>.',
    constraints: ['Add up no stations.'],
    verified_statements: [{ question: 'Wettest?', answer: '[North](x)' }],
  });
});

/** Words, the day of the last figures, the day of the next. */
const DUE: readonly (readonly [words: string | null, last: string | undefined, due: string | null])[] = [
  ['annual', '2024-02-29', '2025-02-28'],
  ['Annual', '2026-11-21', '2027-11-21'],
  ['semi-annual', '2026-08-31', '2027-02-28'],
  ['quarterly', '2026-11-30', '2027-02-28'],
  ['monthly', '2026-01-31', '2026-02-28'],
  ['biweekly', '2026-12-25', '2027-01-08'],
  ['daily', '2026-12-31', '2027-01-01'],
  ['irregular', '2026-01-31', null],
  ['semimonthly', '2026-01-31', null],
  ['as zones change', '2026-01-31', null],
  ['constructor', '2026-01-31', null],
  [null, '2026-01-31', null],
  ['annual', undefined, null],
];

test.each(DUE)('figures that are updated %s, last on %s, are due by %s', (words, last, due) => {
  expect(nextUpdate(words, last)).toBe(due);
});

test.each([
  ['frequency', 1, 'y', 'annual'],
  ['Frequency', '3', 'months', 'quarterly'],
  ['frequency', 7, 'd', 'weekly'],
  ['frequency', 5, 'd', null],
  ['frequency', 'often', 'd', null],
  ['frequency', 1, 'constructor', null],
  ['latency', 1, 'd', null],
])('a service level of ODCS, %s %s %s, is the term %s', (property, value, unit, term) => {
  expect(serviceFrequency([null, { property, value, unit }])).toBe(term);
});
