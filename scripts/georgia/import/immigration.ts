/** Immigration enforcement: counts of the Deportation Data Project's records. */
import { literal, literals } from '../../../build/lake/sql.ts';
import { type LakeTable, readTable } from '../lake-table.ts';
import { type Importer, type Shape, type SourceColumn, text } from './importer.ts';
import { importer } from './layouts.ts';
import type { About } from './subjects.ts';

/**
 * The layout of a table of records, one for each event (an arrest, a removal, a stint in a facility), and how they are
 * counted for Georgia. Every combination of the axes has a row, with 0 if it has no record. The layouts are known from the
 * publishers' documentation and programs.
 */
interface RecordLayout {
  readonly name: string;
  /** Headers of the event's date. */
  readonly date: readonly string[];
  /** Headers of its end, if it lasts: `ended` is NULL while it goes on. */
  readonly end?: readonly string[];
  /** Headers of the state where it counts. */
  readonly state: readonly string[];
  readonly columns: readonly SourceColumn[];
  /**
   * SQL for a record's class, by key column of the contract, which lists the classes. A text without a class is `other`, if
   * the contract has that. Else the record is dropped; the column `<axis>_text` has the text that the report then shows.
   */
  readonly axes: Readonly<Record<string, string>>;
  /** Figures that add up: SQL of an aggregate over the columns, `moment` (of the event) and `ended`. */
  readonly counts: Readonly<Record<string, string>>;
  /** Figures that don't add up: NULL in a cell without such records. */
  readonly means?: Readonly<Record<string, { readonly sql: string; readonly of: string }>>;
  /** SQL over the axes and the year: combinations that the dataset doesn't have. */
  readonly without?: string;
  /** Headers of the county, for totals of counties. Their counts below 5 are withheld. */
  readonly county?: readonly string[];
  readonly shared?: boolean;
}

/** Axes are classes of the records' texts. If the publishers define none, the class is this importer's reading. */
const COUNTRY = `CASE
    WHEN country IS NULL OR upper(country) IN ('UNKNOWN', 'NOT REPORTED', 'NA', 'N/A') THEN 'unknown'
    WHEN upper(country) LIKE 'CHINA%' THEN 'china'
    WHEN upper(country) IN ('KOREA, SOUTH', 'SOUTH KOREA', 'KOREA (SOUTH)') THEN 'south_korea'
    ELSE replace(lower(country), ' ', '_') END`;

const CRIMINALITY = `CASE
    WHEN regexp_matches(criminality_text, 'convict', 'i') THEN 'convicted_criminal'
    WHEN regexp_matches(criminality_text, 'pending', 'i') THEN 'pending_criminal_charges'
    WHEN regexp_matches(criminality_text, 'immigration|^3', 'i') THEN 'other_immigration_violator' END`;

const ARREST_METHOD = `CASE
    WHEN regexp_matches(method, '287\\s*\\(?g', 'i') THEN '287g_program'
    WHEN regexp_matches(method, '^cap |incarceration|^custodial|criminal alien program', 'i') THEN 'custodial_arrest'
    WHEN regexp_matches(method, 'located|non-custodial|worksite|at.?large|fugitive', 'i') THEN 'at_large_arrest' END`;

/** Until 2024 a task force counts as the 287(g) program, because the office's name was another. */
const PROGRAM = `CASE
    WHEN regexp_matches(program, '287.*task', 'i') AND year(moment) >= 2025 THEN '287g_task_force'
    WHEN regexp_matches(program, '287', 'i') THEN '287g_program'
    WHEN regexp_matches(program, 'alternatives to detention', 'i') THEN 'alternatives_to_detention'
    WHEN regexp_matches(program, 'border patrol', 'i') THEN 'border_patrol'
    WHEN regexp_matches(program, 'criminal alien program', 'i') THEN 'criminal_alien_program'
    WHEN regexp_matches(program, 'docket control', 'i') THEN 'docket_control'
    WHEN regexp_matches(program, 'fugitive', 'i') THEN 'fugitive_operations' END`;

/** Border Patrol and inspections at ports belong to Customs and Border Protection, all other programs to ICE. */
const AGENCY = `CASE
    WHEN agency IS NULL AND program IS NULL THEN 'unknown'
    WHEN regexp_matches(coalesce(agency, program), 'border patrol|inspection|customs|field operations|cbp|usbp', 'i') THEN 'cbp'
    ELSE 'ice' END`;

/** People without a book-out are still held, whatever the reason says. A voluntary departure isn't a removal. */
const RELEASE_REASON = `CASE
    WHEN ended IS NULL THEN 'still_detained'
    WHEN regexp_matches(reason, '^parole', 'i') THEN 'paroled'
    WHEN regexp_matches(reason, '^bond', 'i') THEN 'released_on_bond'
    WHEN regexp_matches(reason, '^order of', 'i') THEN 'released_on_order'
    WHEN regexp_matches(reason, '^(removed|deported)', 'i') THEN 'removed'
    WHEN regexp_matches(reason, '^transfer', 'i') THEN 'transferred' END`;

const GENDERS = `CASE upper(gender) WHEN 'FEMALE' THEN 'female' WHEN 'F' THEN 'female' WHEN 'MALE' THEN 'male'
    WHEN 'M' THEN 'male' ELSE 'unknown' END`;

const ARREST = {
  date: ['Apprehension Date', 'Apprehension Date And Time', 'Apprehension Date Time', 'Arrest Date'],
  state: ['Apprehension State', 'Arrest State', 'State'],
  columns: [
    text('method', ['Apprehension Method', 'Arrest Method', 'Apprehension Final Program']),
    text('criminality_text', ['Apprehension Criminality', 'Criminality', 'Case Criminality']),
  ],
  axes: {
    criminality: CRIMINALITY,
    apprehension_method_group: ARREST_METHOD,
    citizenship_country: COUNTRY,
  },
  shared: true,
} as const;

/** Totals of Georgia are a lower bound: an arrest without a state counts in no state. */
const ARRESTS: RecordLayout = {
  ...ARREST,
  name: 'records of arrests',
  counts: { num_arrests: 'count(*)' },
};

const DETAINED = "count(*) FILTER (WHERE upper(stay) NOT IN ('FALSE', '0', 'NO', 'NA'))";

const ARRESTS_WITH_STAYS: RecordLayout = {
  ...ARREST,
  name: 'records of arrests with stays',
  columns: [...ARREST.columns, text('stay', ['Has Detention Stay', 'Stay ID', 'Detention Stay ID'])],
  counts: { num_arrests: 'count(*)', num_arrests_detained: DETAINED },
  means: { detention_rate_after_arrest: { sql: `${DETAINED} / count(*)`, of: 'num_arrests' } },
};

const REMOVALS: RecordLayout = {
  name: 'records of removals',
  date: ['Departed Date', 'Departure Date', 'Removal Date'],
  state: ['Apprehension State', 'Arrest State'],
  columns: [
    text('criminality_text', ['Case Criminality', 'Criminality', 'Removal Criminality']),
    text('program', ['Final Program', 'Latest Apprehension Program']),
    text('port', ['Port of Departure']),
  ],
  axes: { criminality: CRIMINALITY, ice_program: PROGRAM, citizenship_country: COUNTRY },
  counts: { num_removals: 'count(*)' },
  without: "ice_program = '287g_task_force' AND year < 2025",
};

const DETENTION_AXES = {
  arresting_agency_group: AGENCY,
  release_reason: RELEASE_REASON,
  citizenship_country: COUNTRY,
};

const LENGTH = '(epoch(ended) - epoch(moment)) / 86400';

const meanLength = (longest: number) => `avg(${LENGTH}) FILTER (WHERE ${LENGTH} BETWEEN 0 AND ${longest})`;

const PROGRAMS = [
  text('program', ['Final Program', 'Apprehension Final Program']),
  text('agency', ['Arresting Agency'], false),
];

const STINTS: RecordLayout = {
  name: 'records of stints in facilities',
  date: ['Book In Date Time', 'Book In Date And Time', 'Detention Book In Date And Time'],
  end: ['Book Out Date Time', 'Book Out Date And Time', 'Detention Book Out Date Time'],
  state: ['State', 'Detention Facility State'],
  county: ['County', 'Detention Facility County'],
  columns: [text('reason', ['Detention Release Reason', 'Release Reason']), ...PROGRAMS],
  axes: DETENTION_AXES,
  counts: { num_stints: 'count(*)', num_stints_ended: 'count(ended)' },
  means: { avg_stint_length_days: { sql: meanLength(1406), of: 'num_stints_ended' } },
};

/** A stay counts in the place where the person was longest. */
const STAYS: RecordLayout = {
  name: 'records of stays in custody',
  date: ['Stay Book In Date Time', 'Stay Book In Date And Time'],
  end: ['Stay Book Out Date Time', 'Stay Book Out Date And Time', 'Stay Book Out Date'],
  state: ['State Longest'],
  county: ['County Longest'],
  columns: [text('reason', ['Stay Release Reason']), text('stints', ['N Stints']), ...PROGRAMS],
  axes: DETENTION_AXES,
  counts: { num_stays: 'count(*)', num_stays_ended: 'count(ended)' },
  means: {
    avg_stay_length_days: { sql: meanLength(1405), of: 'num_stays_ended' },
    avg_facilities_per_stay: { sql: 'avg(number_of(stints))', of: 'num_stays' },
  },
};

const SMALLEST_COUNT = 5;

/** Records of releases before are incomplete. */
const FIRST_DAY = '2022-10-01';

/**
 * SQL for the moment in a cell: a date or a timestamp in ISO form or in American form, or the number by which
 * a workbook stores it.
 */
function momentOf(cell: string): string {
  const formats = ['%m/%d/%y', '%m/%d/%Y'].flatMap(day =>
    ['', ' %H:%M', ' %H:%M:%S', ' %I:%M %p', ' %I:%M:%S %p'].map(time => literal(day + time)),
  );
  return `coalesce(try_cast(${cell} AS TIMESTAMP), try_strptime(${cell}, [${formats.join(', ')}]),
    CASE WHEN regexp_full_match(${cell}, '\\d{5}(\\.\\d+)?')
      THEN TIMESTAMP '1899-12-30' + to_seconds(round(CAST(${cell} AS DOUBLE) * 86400)) END)`;
}

/** Reads each record into one row of `record`. */
function recordShape(path: string, layout: RecordLayout): Shape {
  const columns = [
    text('date_text', layout.date),
    ...(layout.end ? [text('end_text', layout.end)] : []),
    text('state', layout.state),
    text('country', ['Citizenship Country', 'Country of Citizenship']),
    text('gender', ['Gender']),
    text('duplicate', ['Duplicate Drop Row', 'Likely Duplicate', 'Duplicate Likely'], false),
    ...(layout.county ? [text('county', layout.county)] : []),
    ...layout.columns,
  ];
  const unknown = Object.keys(layout.axes)
    .filter(name => columns.some(column => column.name === `${name}_text`))
    .map(
      name =>
        `WHEN ${name} IS NULL THEN concat('the ${name} "', ${name}_text, '" is not one of the dataset''s')`,
    );
  const select = () => {
    const { values } = readTable(path);
    const classes = Object.entries({ demographic: GENDERS, ...layout.axes }).map(([name, sql]) => {
      const known = values[name]!.filter(value => value !== 'all');
      return known.includes('other')
        ? `CASE WHEN (${sql}) IN (${literals(known)}) THEN ${sql} ELSE 'other' END AS ${name}`
        : `${sql} AS ${name}`;
    });
    return `
      SELECT *, CAST(year(moment) AS INTEGER) AS year, strftime(moment, '%m') AS month, CASE
          WHEN state IS NULL THEN 'no state'
          WHEN upper(state) NOT IN ('GEORGIA', 'GA') THEN 'not in Georgia'
          WHEN upper(duplicate) IN ('TRUE', '1', 'YES') THEN 'a likely duplicate, as the record says'
          WHEN moment IS NULL THEN 'no date that can be read'
          WHEN moment < DATE '${FIRST_DAY}' THEN 'before October 2022, when the dataset begins'
          ${unknown.join('\n')}
        END AS dropped
      FROM (SELECT *, ${classes.join(', ')}
        FROM (SELECT *, ${momentOf('date_text')} AS moment ${layout.end ? `, ${momentOf('end_text')} AS ended` : ''} FROM source))`;
  };
  return { name: layout.name, shared: layout.shared ?? false, columns, select, records: true };
}

/** SQL for the counts of the records of all files together. */
function countRecords(
  { counts, means = {}, without, county, axes }: RecordLayout,
  { values }: LakeTable,
): string {
  const names = ['demographic', ...Object.keys(axes)];
  const cube = ['month', ...names];
  const figures = [...Object.entries(counts), ...Object.entries(means).map(([name, { sql }]) => [name, sql])];
  const aggregates = figures.map(([name, sql]) => `${sql} AS ${name}`).join(', ');
  const grid = names.map(name => `(SELECT unnest([${literals(values[name]!)}]) AS ${name})`);
  const months = `SELECT DISTINCT CAST(year(m) AS INTEGER) AS year, unnest(['all', strftime(m, '%m')]) AS month
    FROM (SELECT unnest(generate_series(date_trunc('month', min(moment)), max(moment), INTERVAL 1 MONTH)) AS m FROM record)`;
  const from = county ? PLACED : 'record';
  const all = cube.map(name => `g.${name} = 'all'`).join(' AND ');
  const states = `
    SELECT coalesce(c.line, 0) AS line, 'states' AS detail, g.*,
      ${Object.keys(counts)
        .map(name => `CAST(coalesce(c.${name}, 0) AS INTEGER) AS ${name}`)
        .join(', ')}
      ${Object.keys(means)
        .map(name => `, c.${name}`)
        .join('')},
      ${county ? `CASE WHEN ${all} AND c.unplaced > 0 THEN 'records of a county that the lake does not name count only for the state' END` : 'CAST(NULL AS VARCHAR)'} AS remark
    FROM (SELECT year, month, ${names.join(', ')} FROM (${months}), ${grid.join(', ')}) g
    LEFT JOIN (
      SELECT min(line) AS line, year, ${cube.map(name => `coalesce(${name}, 'all') AS ${name}`).join(', ')},
        ${aggregates} ${county ? ', count(*) FILTER (WHERE county_fips IS NULL) AS unplaced' : ''}
      FROM ${from} GROUP BY year, CUBE (${cube.join(', ')})) c USING (year, ${cube.join(', ')})
    ${without ? `WHERE NOT (${without})` : ''}`;
  if (!county) return states;
  const shown = [
    ...Object.keys(counts).map(name => [name, name]),
    ...Object.entries(means).map(([name, { of }]) => [name, of]),
  ].map(([name, of]) => `CASE WHEN ${of} >= ${SMALLEST_COUNT} THEN ${name} END AS ${name}`);
  const counties = `
    SELECT line, 'counties' AS detail, year, ${cube.map(name => `'all' AS ${name}`).join(', ')}, county_fips, ${shown.join(', ')}
    FROM (SELECT min(line) AS line, year, county_fips, ${aggregates}
      FROM ${from} WHERE county_fips IS NOT NULL GROUP BY year, county_fips)`;
  return `${states} UNION ALL BY NAME ${counties}`;
}

/** The table `county_named` has the lake's counties by their names, in small letters and without the word County. */
const PLACED = `(SELECT r.*, n.county_fips FROM record r LEFT JOIN county_named n
  ON n.county_name = lower(regexp_replace(trim(r.county), '\\s+(county|co\\.?)$', '', 'i')))`;

/**
 * People of unknown gender count only in `all`. Files of one release count together, so they belong into one command.
 */
function recordImporter(
  topic: string,
  reads: string,
  report: NonNullable<About['report']>,
  layout: RecordLayout,
): Importer {
  const path = `immigration/${topic}`;
  return importer({
    path,
    reads: `the Deportation Data Project's records of ${reads}, or counts under the contract's names`,
    about: { report },
    shapes: [recordShape(path, layout)],
    counted: target => countRecords(layout, target),
  });
}

export const immigration: readonly Importer[] = [
  recordImporter('ice_arrests', 'arrests', ['arrests'], ARRESTS),
  recordImporter(
    'ice_arrests_with_detention_stays',
    'arrests that say whether a stay followed',
    ['arrests'],
    ARRESTS_WITH_STAYS,
  ),
  recordImporter('ice_detention_stays', 'detention stays', ['stays'], STAYS),
  recordImporter('ice_detention_stints', 'detention stints', ['stints'], STINTS),
  recordImporter('ice_removals', 'removals', ['removals'], REMOVALS),
];
