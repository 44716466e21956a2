/** Reads what a dataset's rows say of time: a period, a moment, or nothing. */
import { NO_YEAR } from '../format/paths.ts';
import type { ReadColumn } from './base-columns.ts';
import type { RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { Column, DatasetTime } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import { NO_FORM } from './text-form.ts';
import type { Path } from './yaml-document.ts';
import type { Years } from './years.ts';

/** The name of the year column that a build derives. */
const DERIVED_YEAR = 'year';

/** The units that a time column of each type can have, the default first; a text has no default. */
const UNITS = {
  date: ['day', 'month', 'quarter', 'year'],
  timestamp: ['instant'],
  string: ['quarter', 'month'],
} as const;

/** The forms of a period in a text. They sort by time. */
export const PERIOD_TEXTS = {
  // T is for trimestre, as several languages write a quarter.
  quarter: { pattern: '^[0-9]{4}-?[QT][1-4]$', example: '2024-Q1 or 2024T1' },
  month: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', example: '2024-01' },
} as const;

const YEARLESS: DatasetTime = { unit: 'none', column: null, yearColumn: null };

/** A dataset without time has one slice for each level. */
export const NO_YEARS: Years = { years: [NO_YEAR], gaps: [] };

/** What tells that a contract means its rows to have years. */
export function statesYears(
  root: CustomProperties<RootProperties>,
  pathTemplate: string | undefined,
): boolean {
  const stated = (['year_range', 'year_gaps', 'available_years'] as const).some(name => root.states(name));
  return stated || pathTemplate?.includes('{year}') === true;
}

export interface ReadTime {
  readonly time: DatasetTime;
  /** The contract's columns, after the year column if the build derives it. */
  readonly columns: readonly Column[];
}

/**
 * Reads the time of a dataset from its columns of the roles `time` and `year`. A dataset without either has no time, if
 * the contract states no years. Reports `year-column` and `time-column` otherwise.
 */
export function readTime(
  columns: readonly Column[],
  read: readonly ReadColumn[],
  hasYears: boolean,
  owner: Path,
  problems: Problems,
): ReadTime {
  const years = columns.filter(column => column.role === 'year');
  const times = columns.filter(column => column.role === 'time');
  const [year] = years;
  const [time] = times;
  if (times.length > 1) {
    const message = `${times.length} columns have the role time: give it to one, and make the others categorical`;
    problems.doubtAt(times[1]!.place, 'time-column', message);
  }
  if (years.length > 1 || (years.length === 0 && time === undefined && hasYears)) {
    const what =
      years.length === 0
        ? 'no column has the role year or time, but the contract states years'
        : `${years.length} columns have the role year`;
    const at = years[1]?.place ?? problems.placeOf([...owner, 'properties']);
    problems.doubtAt(at, 'year-column', `${what}: give it to exactly one`);
  }
  if (time === undefined) {
    if (year === undefined) return { time: YEARLESS, columns };
    return { time: { unit: 'year', column: year.name, yearColumn: year.name }, columns };
  }
  const unit = readUnit(time, read, problems) ?? 'day';
  if (year !== undefined) return { time: { unit, column: time.name, yearColumn: year.name }, columns };
  const taken = columns.find(column => column.name.toLowerCase() === DERIVED_YEAR);
  if (taken !== undefined) {
    const message = `the build adds a column ${quote(DERIVED_YEAR)}, the year of ${time.name}: rename this one, or give it the role year`;
    problems.doubtAt(taken.place, 'column-reserved', message);
  }
  return {
    time: { unit, column: time.name, yearColumn: DERIVED_YEAR },
    columns: taken === undefined ? [derivedYear(time), ...columns] : columns,
  };
}

function readUnit(
  time: Column,
  read: readonly ReadColumn[],
  problems: Problems,
): DatasetTime['unit'] | undefined {
  const own = read.find(({ base }) => base.name === time.name);
  const units: readonly DatasetTime['unit'][] = UNITS[time.type as keyof typeof UNITS] ?? [];
  const stated = own?.custom.values.time_unit;
  if (units.length === 0 || own === undefined) return undefined;
  const found = units.find(unit => unit === stated);
  if (found !== undefined) return found;
  if (stated === undefined && time.type !== 'string') return units[0];
  const forms = Object.entries(PERIOD_TEXTS).map(([unit, { example }]) => `${unit} (${example})`);
  const message =
    stated === undefined
      ? `the time column ${quote(time.name)} is a string, which can hold ${forms.join(' or ')}: add its time_unit, or make it a date`
      : `a time column of type ${time.type} has no time_unit ${quote(stated)}: use ${quoteList(units)}`;
  problems.doubt(own.custom.pathOf('time_unit'), 'time-column', message);
  return undefined;
}

function derivedYear({ name, label, place }: Column): Column {
  return {
    name: DERIVED_YEAR,
    type: 'integer',
    physical: 'int',
    role: 'year',
    guessed: false,
    nullable: false,
    form: NO_FORM,
    label: 'Year',
    shortDescription: '',
    description: `The year of ${label}, which the build derives from ${name}.`,
    validValues: null,
    missingValues: [],
    valueLabels: {},
    renamedFrom: null,
    example: null,
    unit: null,
    valueMin: null,
    valueMax: null,
    nullMeaning: null,
    grainContributor: false,
    metricComponent: null,
    totalValue: null,
    headlineValue: null,
    synonyms: [],
    derivedFrom: name,
    place,
  };
}
