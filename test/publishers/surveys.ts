/**
 * A publisher whose rows get sorted copies: values of all types, NULLs, unicode, totals, and times of years,
 * quarters and none. Surveys of a country that doesn't exist.
 */
import { column, datasetContract, dimension } from './contract-text.ts';

const KEYS = `[
          { column: site, target_object: sites, target_columns: [site], attribute_columns: [site_name] },
          { column: kind, target_object: kinds, target_columns: [kind], attribute_columns: [family] }]`;
const contract = (
  topic: string,
  grain: string,
  columns: readonly string[],
  own: Readonly<Record<string, string>> = {},
) => {
  const table = { detail_levels: '[sites, nation]', grain: `[${grain}]`, foreign_keys: KEYS };
  return datasetContract(`survey.${topic}`, columns, table, own);
};

const VALUES = [
  column('site', 'string', 'fk_site'),
  column('kind', 'string', 'fk_kind', true),
  column('age', 'integer', 'categorical', true),
  column('Open?', 'boolean', 'categorical'),
  column('score', 'number', 'categorical'),
  column('seen_on', 'date', 'categorical'),
  column('count', 'integer', 'metric'),
  // Long and constant, so that copies are a small part of the tree.
  column('note', 'string', 'metric'),
];
const YEAR = column('year', 'integer', 'year', true);
const YEARS = { year_range: '2001-2003' };
const QUARTER = column('quarter', 'string', 'time', true, { time_unit: 'quarter' });

const KINDS = dimension('survey', 'kinds', ['kind'], 'family').replace(
  '{ name: family, logicalType: string }',
  `name: family
        logicalType: string
        quality:
          - { name: families, type: library, metric: invalidValues, arguments: { validValues: [all, wet, dry] }, mustBe: 0 }`,
);

export const SURVEY_CONTRACTS: Readonly<Record<string, string>> = {
  'publisher.yaml':
    'service: Surveys of Arcadia\ndescription: Invented surveys of a country that does not exist.\nlicense: CC0-1.0\n',
  '_dimensions/sites.odcs.yaml': dimension('survey', 'sites', ['site'], 'site_name'),
  '_dimensions/kinds.odcs.yaml': KINDS,
  'survey/visits.odcs.yaml': contract('visits', 'year, site, kind, age', [YEAR, ...VALUES], YEARS),
  // Its rows don't begin with the year.
  'survey/stays.odcs.yaml': contract('stays', 'site, year, kind, age', [YEAR, ...VALUES], YEARS),
  'survey/quarters.odcs.yaml': contract('quarters', 'quarter, site, kind, age', [QUARTER, ...VALUES], YEARS),
  'survey/things.odcs.yaml': contract('things', 'site, kind, age', VALUES),
};

const NAMES = ['total', 'é ü "ß"', 'I’m', '\ue000', '𝒳', 'rain'];
const KIND_ROWS = `SELECT unnest([${NAMES.map(name => `'${name}'`).join(', ')}]) AS kind, unnest(['all', 'wet', 'dry', NULL, 'wet', 'wet']) AS family`;
const SITE_ROWS =
  "SELECT 's' || lpad(i::VARCHAR, 3, '0') AS site, 'Site ' || i AS site_name FROM range(0, 60) t(i)";

/** 60 sites, 6 kinds and 28 ages, and the whole without sites. `time` adds a column. */
function rows(level: string, time: string, change: string): string {
  const sites = level === 'sites' ? `SELECT site FROM (${SITE_ROWS})` : 'SELECT NULL::VARCHAR AS site';
  const h = (salt: number) =>
    `(hash(site, kind, age, ${salt}, ${time.replace(/ AS .*/, '') || '0'}) % 1000003)::INTEGER`;
  return `SELECT ${time === '' ? '' : `${time}, `}site, kind, age::INTEGER AS age,
      CASE WHEN ${h(1)} % 9 = 0 THEN NULL ELSE ${h(1)} % 7 = 1 END AS "Open?",
      CASE WHEN ${h(2)} % 5 = 0 THEN NULL ELSE (${h(2)} % 8 - 3) / 8.0 END AS score,
      CASE WHEN ${h(3)} % 3 > 0 THEN DATE '2001-01-30' + (${h(3)} % 12)::INTEGER * 30 END AS seen_on,
      (${h(4)} % 90${change})::INTEGER AS count, repeat('A long sentence. ', 8) AS note
    FROM (${sites}), (SELECT kind FROM (${KIND_ROWS})), range(0, 28) a(age)`;
}

export const SURVEY_YEARS = [2001, 2002, 2003];
export const visitsFile = (year: number, level = 'sites') => `survey/visits/year=${year}/${level}.parquet`;
export const visitRows = (year: number, level = 'sites', change = '') =>
  rows(level, `${year}::INTEGER AS year`, change);

export const SURVEY_LAKE: Readonly<Record<string, string>> = {
  'survey/_dimensions/sites.parquet': SITE_ROWS,
  'survey/_dimensions/kinds.parquet': KIND_ROWS,
  ...Object.fromEntries(
    ['sites', 'nation'].flatMap(level => [
      ...SURVEY_YEARS.flatMap(year => [
        [visitsFile(year, level), visitRows(year, level)],
        [visitsFile(year, level).replace('visits', 'stays'), visitRows(year, level, ' + 1')],
        [
          visitsFile(year, level).replace('visits', 'quarters'),
          rows(level, `'${year}-Q${(year % 4) + 1}' AS quarter`, ''),
        ],
      ]),
      [`survey/things/${level}.parquet`, rows(level, '', '')],
    ]),
  ),
};
