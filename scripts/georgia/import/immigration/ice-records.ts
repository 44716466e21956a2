import { type Importer, text } from '../importer.ts';
import { tableOf } from '../layout-shape.ts';
import { AGENCY, ARREST_METHOD, COUNTRY, CRIMINALITY, PROGRAM, RELEASE_REASON } from './record-classes.ts';
import { countRecords, type RecordLayout, recordShape } from './record-counts.ts';

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

/** Georgia totals are a floor: an arrest without a state is in no state's count. */
const ARRESTS: RecordLayout = {
  ...ARREST,
  name: 'records of arrests',
  counts: { num_arrests: 'count(*)' },
};

/** The releases that match arrests with stays say so in each record. */
const ARRESTS_WITH_STAYS: RecordLayout = {
  ...ARREST,
  name: 'records of arrests with stays',
  columns: [...ARREST.columns, text('stay', ['Has Detention Stay', 'Stay ID', 'Detention Stay ID'])],
  counts: {
    num_arrests: 'count(*)',
    num_arrests_detained: "count(*) FILTER (WHERE upper(stay) NOT IN ('FALSE', '0', 'NO', 'NA'))",
  },
  means: {
    detention_rate_after_arrest: {
      sql: "count(*) FILTER (WHERE upper(stay) NOT IN ('FALSE', '0', 'NO', 'NA')) / count(*)",
      of: 'num_arrests',
    },
  },
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

/** SQL for days in custody. */
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

/** A stay counts where the person was longest. */
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

const PEOPLE = 'month:s county_fips:s demographic:s';
const ARREST_KEYS = `${PEOPLE} criminality:s apprehension_method_group:s citizenship_country:s`;
const DETENTION_KEYS = `${PEOPLE} arresting_agency_group:s release_reason:s citizenship_country:s`;

/**
 * Counts of the Deportation Data Project's records: civil arrests, removals, stints in facilities and stays, as it
 * publishes them processed; arrests and removals also as the agency released them. People of unknown gender count in
 * `all` only. Files of one release count together, so they belong into one command.
 */
export const iceRecords: readonly Importer[] = [
  recordImporter(ARRESTS, 'ice_arrests', ARREST_KEYS, 'num_arrests:i', 'arrests'),
  recordImporter(
    ARRESTS_WITH_STAYS,
    'ice_arrests_with_detention_stays',
    ARREST_KEYS,
    'num_arrests:i num_arrests_detained:i detention_rate_after_arrest:d',
    'arrests that say whether a stay followed',
  ),
  recordImporter(
    STAYS,
    'ice_detention_stays',
    DETENTION_KEYS,
    'num_stays:i num_stays_ended:i avg_stay_length_days:d avg_facilities_per_stay:d',
    'detention stays',
  ),
  recordImporter(
    STINTS,
    'ice_detention_stints',
    DETENTION_KEYS,
    'num_stints:i num_stints_ended:i avg_stint_length_days:d',
    'detention stints',
  ),
  recordImporter(
    REMOVALS,
    'ice_removals',
    `${PEOPLE} criminality:s ice_program:s citizenship_country:s`,
    'num_removals:i',
    'removals',
  ),
];

function recordImporter(
  layout: RecordLayout,
  name: string,
  keys: string,
  figures: string,
  what: string,
): Importer {
  const key = ['year', ...keys.split(' ').map(column => column.replace(/:.*/, ''))].join(' ');
  const target = tableOf(`immigration/${name}`, `year:i ${keys} ${figures}`, key);
  return {
    name,
    reads: `the Deportation Data Project's records of ${what}, or counts under the contract's names`,
    target,
    shapes: [recordShape(layout)],
    counted: countRecords(layout),
    repeated: 'refuse',
    merges: false,
  };
}
