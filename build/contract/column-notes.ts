/** What docs/contracts.md and contract.schema.json say of each custom property of a column. */
import type { ColumnProperties } from './custom-profile.ts';
import type { Notes } from './property-notes.ts';

export const COLUMN_NOTES: Notes<ColumnProperties> = {
  column_role: {
    about: 'What the column is for: see the roles below.',
    without:
      'guessed from name and type; in a dimension `key` if `primaryKey` is true, otherwise `attribute`',
    example: 'metric',
  },
  label: {
    about: 'The column’s name for people.',
    without: '`businessName`, otherwise the name',
    example: 'Fine dust (PM2.5)',
  },
  short_description: {
    about: 'A few words for headings of tables and charts.',
    without: 'none',
    example: 'Mean of the month',
  },
  unit: {
    about: 'The unit of a metric, any word: see the units below.',
    without: 'a bare number without bounds',
    example: 'proportion',
  },
  value_min: {
    about: 'The least value. A build refuses rows below it.',
    without: 'what the unit implies',
    example: '0',
  },
  value_max: {
    about: 'The greatest value. A build refuses rows above it.',
    without: 'what the unit implies',
    example: '1',
  },
  null_meaning: {
    about: 'What an empty value of this column means.',
    without: 'nothing is said',
    example: 'Fewer than 20 days were measured',
  },
  missing_values: {
    about:
      'Texts and numbers by which the lake’s files say that there is no figure, whatever their format. They are read as NULL; `null_meaning` says what that means. A text is compared as the file writes it, without outer spaces; a number by its value. A column with `required: true` has none.',
    without:
      'an empty field; in columns that are not text also `NA`, `N/A`, `NaN`, `NULL`, `None`, `-` and `.`',
    example: '[-666666666, "*", TFS]',
  },
  key_metric: {
    about: 'Flags the metric that pages show first, in place of the table’s `key_metric`.',
    without: '`false`',
    example: 'true',
  },
  metric_component: {
    about: 'Whether the metric is the numerator or the denominator of the key metric.',
    without: 'neither',
    example: 'denominator',
  },
  key_metric_grain_contributor: {
    about: 'Whether the column decides what one value of the key metric is about. Published as it is.',
    without: '`false`',
    example: 'true',
  },
  has_total: {
    about: 'Whether the axis has a total row. `false` says that it has none.',
    without: 'none is known, so pages name the value that a figure is of',
    example: 'true',
  },
  total_value: {
    about: 'The value that marks the total row.',
    without: '`all` with `has_total: true`',
    example: 'All sites',
  },
  headline_value: {
    about: 'The value of an axis without a total at which the key figure is shown; pages name it.',
    without: 'the value with the most figures',
    example: 'four_year',
  },
  value_labels: {
    about: 'The words for values, which menus, tables, charts and workbooks show.',
    without: 'the values as the source writes them',
    example: '{ cbp: Customs and Border Protection (CBP) }',
  },
  synonyms: {
    about: 'Other words by which people look for the column.',
    without: 'none',
    example: '[particulate matter, soot]',
  },
  decimal: {
    about:
      'Like the table’s property, for one column. A column that states `decimal` or `group` takes neither from the table.',
    without: 'that of the table',
    example: '","',
  },
  group: {
    about: 'Like the table’s property, for one column.',
    without: 'that of the table',
    example: '" "',
  },
  renamed_from: {
    about:
      'The name that the column had in the release before, so that comparisons and answers about earlier releases follow it.',
    without: 'the column had this name before, or is new',
    example: 'pm_25',
  },
  time_unit: {
    about: 'What one value of a column of role `time` stands for: a day, month, quarter, year or instant.',
    without: 'a date is a day, a timestamp an instant; a text needs it',
    example: 'quarter',
  },
  series_breaks: {
    about: 'Like the table’s property, for one metric.',
    without: 'all years compare',
    example: '[{ after: 2021, reason: A new filter., levels: [stations] }]',
  },
  link_key: {
    about:
      'Whether a dimension’s column links to other data: `true`, a text, or mappings of `column`, `target`, `via` and `note`, which are published as they are.',
    without: '`false`',
    example: '{ target: eea/stations, via: eoi_code }',
  },
  coordinate: {
    about:
      'Which coordinate of its place a dimension’s column of numbers is, in degrees: `latitude` or `longitude`. With both, the map shows the places as points.',
    without: 'that of a column of numbers called `lat`, `latitude`, `lon`, `lng`, `long` or `longitude`',
    example: 'latitude',
  },
};
