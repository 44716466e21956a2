/** Values say their years, however many a dataset has. */
import { expect, test } from 'vitest';
import type { ValuesDocument } from '../../build/format/documents.ts';
import { valuesPath } from '../../build/format/paths.ts';
import { buildPublisher, readTreeJson } from '../publishers/built-tree.ts';
import { column } from '../publishers/contract-text.ts';
import { temporaryFolder, writePublisher } from '../publishers/publisher-folder.ts';
import { PUBLISHER } from '../publishers/weather.ts';

const YEARS = Array.from({ length: 110 }, (_, i) => 1901 + i).filter(year => year !== 1943);

const CONTRACT = `apiVersion: v3.1.0
kind: DataContract
id: sky.comets
version: 1.0.0
status: active
domain: sky
customProperties:
  - { property: year_range, value: 1901-2010 }
  - { property: year_gaps, value: [1943] }
schema:
  - name: comets
    customProperties:
      - { property: detail_levels, value: [sky] }
      - { property: grain, value: [year, kind] }
      - { property: path_template, value: "sky/year={year}/{detail}.parquet" }
    properties:${[
      column('year', 'integer', 'year', true),
      column('kind', 'string', 'categorical', true),
      column('comets', 'integer', 'metric'),
    ].join('')}
`;

/** Kinds that were seen every so many years. */
const SEEN = { always: 1, often: 3, 'now and then': 32, seldom: 75 };
const wasSeen = (year: number, every: number) => year % every === 0;

test('a value has the years that it has rows of', async () => {
  const rows = YEARS.map(year => {
    const kinds = Object.entries(SEEN).filter(([, every]) => wasSeen(year, every));
    const select = kinds.map(
      ([kind]) => `SELECT ${year}::INTEGER AS year, '${kind}' AS kind, 1::INTEGER AS comets`,
    );
    return [`sky/year=${year}/sky.parquet`, select.join(' UNION ALL ')];
  });
  const folder = await writePublisher(
    await temporaryFolder(),
    { 'publisher.yaml': PUBLISHER, 'comets.yaml': CONTRACT },
    Object.fromEntries(rows),
  );
  await buildPublisher(folder);
  const { columns } = await readTreeJson<ValuesDocument>(folder.out, valuesPath('sky', 'comets'));
  const yearsOf = (axis: string) =>
    columns
      .filter(({ column }) => column === axis)
      .flatMap(({ values }) => values.map(({ value, years }) => [value, years]));
  expect(Object.fromEntries(yearsOf('kind'))).toEqual(
    Object.fromEntries(
      Object.entries(SEEN).map(([kind, every]) => [kind, YEARS.filter(year => wasSeen(year, every))]),
    ),
  );
  expect(yearsOf('year')).toEqual(YEARS.map(year => [year, [year]]));
});
