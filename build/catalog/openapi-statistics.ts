/** JSON Schemas of the statistics of levels, for openapi.json. Pure. */
import type { ColumnStatistics, Combinations, StatisticsDocument, ValueCount } from '../format/statistics.ts';
import {
  COUNT,
  listOf,
  note,
  orNull,
  SCALAR,
  SCALAR_OR_NULL,
  STAMP,
  shape,
  TEXT,
  YEAR,
} from './openapi-shapes.ts';

export const STATISTICS_SCHEMAS = {
  Statistics: shape<StatisticsDocument>(
    {
      ...STAMP,
      dataset: TEXT,
      detail: note(TEXT, 'The level.'),
      rows: COUNT,
      years: note(listOf(YEAR), 'Ascending; empty without time. Lists by year follow it.'),
      year_rows: note(listOf(COUNT), 'Rows by year.'),
      columns: listOf(
        shape<ColumnStatistics>(
          {
            name: TEXT,
            nulls: note(listOf(COUNT), 'Rows without a value, by year.'),
            distinct: note(COUNT, 'Different values; absent on figures.'),
            min: note(SCALAR_OR_NULL, 'The least value of numbers and times.'),
            max: SCALAR_OR_NULL,
            mean: note(
              listOf(orNull({ type: 'number' })),
              'By year, of counts alone, over the rows at the totals of all axes.',
            ),
            histogram: note(listOf(COUNT), 'Rows in equal parts from min to max.'),
            values: listOf(shape<ValueCount>({ value: SCALAR, rows: note(listOf(COUNT), 'Rows by year.') })),
          },
          ['distinct', 'min', 'max', 'mean', 'histogram', 'values'],
        ),
      ),
      combinations: shape<Combinations>({
        columns: note(listOf(TEXT), 'The column of the year, then the axes.'),
        rows: note(listOf(listOf(SCALAR_OR_NULL)), 'Values, and last the number of their rows.'),
      }),
    },
    ['sample', 'combinations'],
  ),
} as const;
