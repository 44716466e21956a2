import { literal } from '../../../../build/lake/sql.ts';
import { type Shape, type SourceColumn, text } from '../importer.ts';

/**
 * The layout of a table of records, one for each event (an arrest, a removal, a stint in a facility), and how they are
 * counted for Georgia. Every combination of the axes has a row, with 0 if it has no record.
 */
export interface RecordLayout {
  /** As the report calls it. */
  readonly name: string;
  /** Headers of the event's date, which says its year and month. */
  readonly date: readonly string[];
  /** Headers of its end, if it lasts: `ended` is NULL while it goes on. */
  readonly end?: readonly string[];
  /** Headers of the state in which it counts. */
  readonly state: readonly string[];
  readonly columns: readonly SourceColumn[];
  readonly axes: Readonly<Record<string, Axis>>;
  /** Figures that add up: SQL of an aggregate over the columns, `moment` (of the event) and `ended`. */
  readonly counts: Readonly<Record<string, string>>;
  /** Figures that do not: NULL in a cell without such records. */
  readonly means?: Readonly<Record<string, { readonly sql: string; readonly of: string }>>;
  /** SQL over the axes and the year: combinations that the dataset does not have. */
  readonly without?: string;
  /** Headers of the county, for totals of counties. Their counts below 5 are withheld. */
  readonly county?: readonly string[];
  /** True if files of it feed other datasets too. */
  readonly shared?: boolean;
}

export interface Axis {
  readonly values: readonly string[];
  /** SQL for a record's value, NULL if it is unknown; the record is then dropped. */
  readonly value: string;
  /** The column whose text is shown for a dropped record. */
  readonly cell?: string;
}

const GENDERS: Axis = {
  values: ['female', 'male'],
  value: `CASE upper(gender) WHEN 'FEMALE' THEN 'female' WHEN 'F' THEN 'female' WHEN 'MALE' THEN 'male' WHEN 'M' THEN 'male'
    ELSE 'unknown' END`,
};

const SMALLEST_COUNT = 5;

/** Records of releases before are incomplete. */
const FIRST_DAY = '2022-10-01';

/**
 * SQL for the moment in a cell: a date or a timestamp in ISO form or as Americans write it, or a number that a workbook
 * shows as one.
 */
function momentOf(cell: string): string {
  const formats = ['%m/%d/%y', '%m/%d/%Y'].flatMap(day =>
    ['', ' %H:%M', ' %H:%M:%S', ' %I:%M %p', ' %I:%M:%S %p'].map(time => literal(day + time)),
  );
  return `coalesce(try_cast(${cell} AS TIMESTAMP), try_strptime(${cell}, [${formats.join(', ')}]),
    CASE WHEN regexp_full_match(${cell}, '\\d{5}(\\.\\d+)?')
      THEN TIMESTAMP '1899-12-30' + to_seconds(round(CAST(${cell} AS DOUBLE) * 86400)) END)`;
}

/** The shape that reads records, one row of `record` for each. */
export function recordShape(layout: RecordLayout): Shape {
  const { axes } = layout;
  const unknown = Object.entries(axes).map(([name, { cell }]) =>
    cell === undefined
      ? ''
      : `WHEN ${name} IS NULL THEN concat('the ${name} "', ${cell}, '" is not one of the dataset''s')`,
  );
  return {
    name: layout.name,
    ...(layout.shared ? { shared: true } : {}),
    columns: [
      text('date_text', layout.date),
      ...(layout.end ? [text('end_text', layout.end)] : []),
      text('state', layout.state),
      text('country', ['Citizenship Country', 'Country of Citizenship']),
      text('gender', ['Gender']),
      text('duplicate', ['Duplicate Drop Row', 'Likely Duplicate', 'Duplicate Likely'], false),
      ...(layout.county ? [text('county', layout.county)] : []),
      ...layout.columns,
    ],
    select: () => `
      SELECT *, CAST(year(moment) AS INTEGER) AS year, strftime(moment, '%m') AS month, CASE
          WHEN state IS NULL THEN 'no state'
          WHEN upper(state) NOT IN ('GEORGIA', 'GA') THEN 'not in Georgia'
          WHEN upper(duplicate) IN ('TRUE', '1', 'YES') THEN 'a likely duplicate, as the record says'
          WHEN moment IS NULL THEN 'no date that can be read'
          WHEN moment < DATE '${FIRST_DAY}' THEN 'before October 2022, when the dataset begins'
          ${unknown.join('\n')}
        END AS dropped
      FROM (SELECT *, ${Object.entries({ demographic: GENDERS, ...axes })
        .map(([name, { value }]) => `${value} AS ${name}`)
        .join(', ')}
        FROM (SELECT *, ${momentOf('date_text')} AS moment ${layout.end ? `, ${momentOf('end_text')} AS ended` : ''} FROM source))`,
    records: true,
  };
}

/** SQL for the rows that `record` gives, those of all files together. */
export function countRecords(layout: RecordLayout): string {
  const { counts, means = {}, without } = layout;
  const axes = { demographic: GENDERS, ...layout.axes };
  const names = Object.keys(axes);
  const cube = ['month', ...names];
  const figures = {
    ...counts,
    ...Object.fromEntries(Object.entries(means).map(([name, { sql }]) => [name, sql])),
  };
  const aggregates = Object.entries(figures).map(([name, sql]) => `${sql} AS ${name}`);
  const grid = Object.entries(axes).map(
    ([name, { values }]) => `(SELECT unnest([${['all', ...values].map(literal).join(', ')}]) AS ${name})`,
  );
  const months = `SELECT DISTINCT CAST(year(m) AS INTEGER) AS year, unnest(['all', strftime(m, '%m')]) AS month
    FROM (SELECT unnest(generate_series(date_trunc('month', min(moment)), max(moment), INTERVAL 1 MONTH)) AS m FROM record)`;
  const from = layout.county ? PLACED : 'record';
  const all = cube.map(name => `g.${name} = 'all'`).join(' AND ');
  const states = `
    SELECT coalesce(c.line, 0) AS line, 'states' AS detail, g.*,
      ${Object.keys(counts)
        .map(name => `CAST(coalesce(c.${name}, 0) AS INTEGER) AS ${name}`)
        .join(', ')}
      ${Object.keys(means)
        .map(name => `, c.${name}`)
        .join('')},
      ${layout.county ? `CASE WHEN ${all} AND c.unplaced > 0 THEN 'records of a county that the lake does not name count for the state alone' END` : 'CAST(NULL AS VARCHAR)'} AS remark
    FROM (SELECT year, month, ${names.join(', ')} FROM (${months}), ${grid.join(', ')}) g
    LEFT JOIN (
      SELECT min(line) AS line, year, ${cube.map(name => `coalesce(${name}, 'all') AS ${name}`).join(', ')},
        ${aggregates.join(', ')} ${layout.county ? ', count(*) FILTER (WHERE county_fips IS NULL) AS unplaced' : ''}
      FROM ${from} GROUP BY year, CUBE (${cube.join(', ')})) c USING (year, ${cube.join(', ')})
    ${without ? `WHERE NOT (${without})` : ''}`;
  if (!layout.county) return states;
  const counties = `
    SELECT line, 'counties' AS detail, year, ${cube.map(name => `'all' AS ${name}`).join(', ')}, county_fips,
      ${Object.keys(counts)
        .map(name => `CASE WHEN ${name} >= ${SMALLEST_COUNT} THEN CAST(${name} AS INTEGER) END AS ${name}`)
        .join(', ')}
      ${Object.entries(means)
        .map(([name, { of }]) => `, CASE WHEN ${of} >= ${SMALLEST_COUNT} THEN ${name} END AS ${name}`)
        .join('')}
    FROM (SELECT min(line) AS line, year, county_fips, ${aggregates.join(', ')}
      FROM ${from} WHERE county_fips IS NOT NULL GROUP BY year, county_fips)`;
  return `${states} UNION ALL BY NAME ${counties}`;
}

/** The lake's counties by their names, small and without the word County, are the table `county_named`. */
const PLACED = `(SELECT r.*, n.county_fips FROM record r LEFT JOIN county_named n
  ON n.county_name = lower(regexp_replace(trim(r.county), '\\s+(county|co\\.?)$', '', 'i')))`;
