/** What an answer without rows says about the reason. */
import { expect, test } from 'vitest';
import type { ColumnValue, ValuesDocument } from '../../build/format/documents.ts';
import { explainEmpty } from '../../site/query/empty-answer.ts';
import { makeTable, planQuery } from './tables.ts';

const { table } = makeTable();

const value = (
  text: string,
  label: string | null,
  years: readonly number[] = [2019, 2020, 2022, 2023],
  keys?: ColumnValue['keys'],
): ColumnValue => ({ value: text, label, rows: 9, years, ...(keys && { keys }) });

const column = (name: string, values: readonly ColumnValue[]) => ({
  ...{ param: name, column: name, label: name, values },
  kind: 'foreign_key' as const,
});

const VALUES = {
  dataset: 'demo/things',
  columns: [
    column('area_code', [value('660', 'Fulton County'), value('644', 'DeKalb County', [2019, 2020])]),
    column('unit_code', [
      value('u001', 'Oak School', [2023], { area_code: '660' }),
      value('u001', 'Elm School', [2023], { area_code: '644' }),
      value('u002', 'Oak School', [2023], { area_code: '644' }),
    ]),
    column('group', [value('all', 'All')]),
  ],
} as unknown as ValuesDocument;

test.each<string[]>([
  ['area_code=Fulton%20County', "No row has area_code 'Fulton County': Fulton County is 660."],
  ['area_code=%20fulton%20%20COUNTY', "No row has area_code ' fulton  COUNTY': Fulton County is 660."],
  ['area_code=666', "No row has area_code '666'. The nearest is 660, Fulton County."],
  ['area_code=Dekalb%20Cuonty', "No row has area_code 'Dekalb Cuonty'. The nearest is 644, DeKalb County."],
  ['area_code=Nowhere', "No row has area_code 'Nowhere'. demo/things/values lists all."],
  ['area_code=660&group=blue', "No row has group 'blue'. demo/things/values lists all."],
  [
    'detail=units&unit_code=Oak%20School',
    "No row has unit_code 'Oak School': Oak School is u001 in area_code 660, u002 in area_code 644.",
  ],
  ...['area_code=660&unit_code=u002', 'place=660:u002'].map(query => [
    `detail=units&${query}`,
    "No row has unit_code 'u002' in area_code 660. The nearest is u001 in area_code 660, Oak School.",
  ]),
  ['unit_code=u001', 'Rows of the level areas have no unit_code.'],
  ['year=2023&area_code=644', 'area_code 644 has rows only in 2019 to 2020.'],
  ['area_code=660&rate=99', 'No row at the level areas satisfies all conditions together.'],
])('%s', (query = '', notice = '') => {
  expect(explainEmpty(planQuery(table, query), VALUES)).toEqual([notice]);
});

const HELD = 'at the level areas: it has 2019 to 2020, 2022 to 2023.';
test.each([
  ['year=2021&group=all', `demo/things has no data for 2021 ${HELD}`],
  ['year_min=2024', `demo/things has no data for years from 2024 ${HELD}`],
  ['year_min=2023&year_max=2020', 'No year is in the range: year_min 2023 is after year_max 2020.'],
  ['year=2019&year_min=2020', 'No year is in the range: year 2019 is outside years from 2020.'],
])('no year: %s', (query, notice) => {
  expect(planQuery(table, query).notices).toEqual([notice]);
});
