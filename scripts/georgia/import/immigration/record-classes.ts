import { literal } from '../../../../build/lake/sql.ts';
import type { Axis } from './record-counts.ts';

/** Classes of the records' texts. Where the publishers define none, the class is this importer's reading. */
const COUNTRIES = [
  'brazil',
  'china',
  'colombia',
  'cuba',
  'dominican_republic',
  'ecuador',
  'el_salvador',
  'guatemala',
  'haiti',
  'honduras',
  'india',
  'jamaica',
  'mauritania',
  'mexico',
  'nicaragua',
  'nigeria',
  'peru',
  'russia',
  'senegal',
  'south_korea',
  'venezuela',
  'vietnam',
];

export const COUNTRY: Axis = {
  values: [...COUNTRIES, 'other', 'unknown'],
  value: `CASE
    WHEN country IS NULL OR upper(country) IN ('UNKNOWN', 'NOT REPORTED', 'NA', 'N/A') THEN 'unknown'
    WHEN upper(country) LIKE 'CHINA%' THEN 'china'
    WHEN upper(country) IN ('KOREA, SOUTH', 'SOUTH KOREA', 'KOREA (SOUTH)') THEN 'south_korea'
    WHEN replace(lower(country), ' ', '_') IN (${COUNTRIES.map(literal).join(', ')}) THEN replace(lower(country), ' ', '_')
    ELSE 'other' END`,
};

export const CRIMINALITY: Axis = {
  values: ['convicted_criminal', 'other_immigration_violator', 'pending_criminal_charges'],
  value: `CASE
    WHEN regexp_matches(criminality_text, 'convict', 'i') THEN 'convicted_criminal'
    WHEN regexp_matches(criminality_text, 'pending', 'i') THEN 'pending_criminal_charges'
    WHEN regexp_matches(criminality_text, 'immigration|^3', 'i') THEN 'other_immigration_violator' END`,
  cell: 'criminality_text',
};

export const ARREST_METHOD: Axis = {
  values: ['287g_program', 'at_large_arrest', 'custodial_arrest', 'other'],
  value: `CASE
    WHEN regexp_matches(method, '287\\s*\\(?g', 'i') THEN '287g_program'
    WHEN regexp_matches(method, '^cap |incarceration|^custodial|criminal alien program', 'i') THEN 'custodial_arrest'
    WHEN regexp_matches(method, 'located|non-custodial|worksite|at.?large|fugitive', 'i') THEN 'at_large_arrest'
    ELSE 'other' END`,
};

/** Programs with an own name. Until 2024 a task force counts as the program: the office's name was another then. */
export const PROGRAM: Axis = {
  values: [
    '287g_program',
    '287g_task_force',
    'alternatives_to_detention',
    'border_patrol',
    'criminal_alien_program',
    'docket_control',
    'fugitive_operations',
    'other',
  ],
  value: `CASE
    WHEN regexp_matches(program, '287.*task', 'i') AND year(moment) >= 2025 THEN '287g_task_force'
    WHEN regexp_matches(program, '287', 'i') THEN '287g_program'
    WHEN regexp_matches(program, 'alternatives to detention', 'i') THEN 'alternatives_to_detention'
    WHEN regexp_matches(program, 'border patrol', 'i') THEN 'border_patrol'
    WHEN regexp_matches(program, 'criminal alien program', 'i') THEN 'criminal_alien_program'
    WHEN regexp_matches(program, 'docket control', 'i') THEN 'docket_control'
    WHEN regexp_matches(program, 'fugitive', 'i') THEN 'fugitive_operations'
    ELSE 'other' END`,
};

/** Border Patrol and the inspections at ports are of Customs and Border Protection; all other programs are ICE's. */
export const AGENCY: Axis = {
  values: ['cbp', 'ice', 'unknown'],
  value: `CASE
    WHEN agency IS NULL AND program IS NULL THEN 'unknown'
    WHEN regexp_matches(coalesce(agency, program), 'border patrol|inspection|customs|field operations|cbp|usbp', 'i') THEN 'cbp'
    ELSE 'ice' END`,
};

/** Those without a book-out are still held, whatever the reason says; voluntary departures aren't removals. */
export const RELEASE_REASON: Axis = {
  values: [
    'other',
    'paroled',
    'released_on_bond',
    'released_on_order',
    'removed',
    'still_detained',
    'transferred',
  ],
  value: `CASE
    WHEN ended IS NULL THEN 'still_detained'
    WHEN regexp_matches(reason, '^parole', 'i') THEN 'paroled'
    WHEN regexp_matches(reason, '^bond', 'i') THEN 'released_on_bond'
    WHEN regexp_matches(reason, '^order of', 'i') THEN 'released_on_order'
    WHEN regexp_matches(reason, '^(removed|deported)', 'i') THEN 'removed'
    WHEN regexp_matches(reason, '^transfer', 'i') THEN 'transferred'
    ELSE 'other' END`,
};
