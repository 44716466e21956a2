/** Reads the type of a column, and how the lake stores it. */
import type { ColumnType, Scalar } from '../format/documents.ts';
import { isDate, isTimestamp } from '../format/time-text.ts';
import type { RawProperty } from './contract-profile.ts';
import type { PhysicalType } from './dataset.ts';
import { quote, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { Path } from './yaml-document.ts';

/** The names that databases give the physical types. The look-up ignores a length or precision in brackets. */
const PHYSICAL = aliases({
  int: 'int, integer, int32, smallint, int16, tinyint, int8, int4, mediumint',
  bigint: 'bigint, long, int64, uinteger, uint32, int unsigned, integer unsigned',
  double: 'double, double precision, float, float32, float64, real, decimal, numeric, number',
  string:
    'string, varchar, character varying, char, text, utf8, nvarchar, nchar, varchar2, nvarchar2, clob, character, bpchar, uuid, guid, uniqueidentifier, json, jsonb, xml, enum, interval, time, timetz, time with time zone, time without time zone',
  boolean: 'boolean, bool',
  date: 'date, date32',
  timestamp:
    'timestamp, timestamp without time zone, timestamp_ntz, timestampntz, datetime, datetime2, smalldatetime, timestamp_s, timestamp_ms, timestamp_us',
  timestamptz:
    'timestamptz, timestamp with time zone, timestamp_tz, timestamp_ltz, timestamp with local time zone, datetimeoffset',
});

/** Physical types by the names in comma-separated lists. */
export function aliases(
  lists: Readonly<Partial<Record<PhysicalType, string>>>,
): ReadonlyMap<string, PhysicalType> {
  return new Map(
    Object.entries(lists).flatMap(([type, names]) =>
      names.split(', ').map((name): [string, PhysicalType] => [name, type as PhysicalType]),
    ),
  );
}

const LOGICAL_OF: Readonly<Record<PhysicalType, ColumnType>> = {
  int: 'integer',
  bigint: 'integer',
  double: 'number',
  string: 'string',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
};

const TYPES: readonly string[] = Object.values(LOGICAL_OF);

const KNOWN = 'integer, string, number, boolean, date or timestamp';

interface ColumnTypes {
  readonly type: ColumnType;
  readonly physical: PhysicalType;
  /** The lake stores the column's texts as numbers or times. */
  readonly ofOthers?: true;
}

/**
 * Database types that a string column may hold: a text keeps their whole value, our numbers and times might
 * not.
 */
const HELD_BY_TEXT: ReadonlySet<PhysicalType> = new Set([
  'bigint',
  'double',
  'date',
  'timestamp',
  'timestamptz',
]);

/**
 * Reads a column's types. Returns null and reports `column-type` if a type is not supported or the two disagree.
 * Without a physical type, an integer is a bigint (a year: an int). Without a logical type, the physical type decides.
 * Dates and timestamps may be stored as either, or as text. A timestamp is in UTC if its physical type has a time zone or
 * its `logicalTypeOptions` say `timezone: true`. A string may be stored as long integers, decimals or times.
 */
export function readColumnTypes(
  raw: RawProperty,
  isYear: boolean,
  path: Path,
  problems: Problems,
): ColumnTypes | null {
  const { logicalType, physicalType } = raw;
  const bare = physicalType === undefined ? undefined : bareName(physicalType);
  // Some databases store integers as decimals without a fraction.
  const isDecimal = /^(decimal|numeric|number)$/.test(bare ?? '') && !/,\s*[1-9]/.test(physicalType ?? '');
  const physical =
    isDecimal && logicalType === 'integer' ? 'bigint' : bare === undefined ? undefined : PHYSICAL.get(bare);
  const fail = (key: string, message: string) => {
    problems.error([...path, key], 'column-type', message);
    return null;
  };
  if (logicalType !== undefined && !TYPES.includes(logicalType)) {
    const remedy =
      logicalType === 'time'
        ? 'publish it as a string in ISO 8601'
        : `use ${KNOWN}${suggestion(logicalType, TYPES)}`;
    return fail('logicalType', `the type ${quote(logicalType)} is not supported: ${remedy}`);
  }
  if (physicalType !== undefined && physical === undefined) {
    const message = `the physical type ${quote(physicalType)} is not known: use int, bigint, double, string, boolean, date or timestamp`;
    return fail('physicalType', message);
  }
  const type = (logicalType as ColumnType | undefined) ?? (physical && LOGICAL_OF[physical]);
  if (type === undefined) {
    return fail('logicalType', `the column has no logicalType: add ${KNOWN}`);
  }
  if (type === 'date' && isTimeStorage(physical)) return { type, physical: 'date' };
  if (type === 'timestamp' && isTimeStorage(physical)) {
    const inUtc = physical === 'timestamptz' || raw.logicalTypeOptions?.['timezone'] === true;
    return { type, physical: inUtc ? 'timestamptz' : 'timestamp' };
  }
  if (type === 'string' && physical !== undefined && HELD_BY_TEXT.has(physical))
    return { type, physical: 'string', ofOthers: true };
  if (physical !== undefined && LOGICAL_OF[physical] !== type) {
    const message = `the physical type ${quote(physicalType)} stores type ${LOGICAL_OF[physical]}, but the logicalType is ${type}: make them agree`;
    return fail('physicalType', message);
  }
  return { type, physical: physical ?? defaultPhysical(type, isYear) };
}

/** Whether a physical type can hold dates and timestamps; a contract may leave it out. */
function isTimeStorage(physical: PhysicalType | undefined): boolean {
  return physical === undefined || /^(date|timestamp|timestamptz|string)$/.test(physical);
}

export function isPhysicalType(text: string): boolean {
  return PHYSICAL.has(bareName(text));
}

export function isServedType(text: string): boolean {
  return TYPES.includes(text);
}

export function physicalFits(physicalType: string, type: string): boolean {
  const physical = PHYSICAL.get(bareName(physicalType));
  if (physical === undefined) return false;
  return LOGICAL_OF[physical] === type || (/^(date|timestamp)$/.test(type) && isTimeStorage(physical));
}

export function logicalOf(physicalType: string): ColumnType {
  return LOGICAL_OF[PHYSICAL.get(bareName(physicalType)) ?? 'string'];
}

function bareName(physicalType: string): string {
  return physicalType
    .toLowerCase()
    .replace(/\([^)]*\)?/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function defaultPhysical(type: ColumnType, isYear: boolean): PhysicalType {
  switch (type) {
    case 'integer':
      return isYear ? 'int' : 'bigint';
    case 'number':
      return 'double';
    case 'string':
    case 'boolean':
    case 'date':
    case 'timestamp':
      return type;
    default:
      return type satisfies never;
  }
}

export function isOfType(value: unknown, type: ColumnType): value is Scalar {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'date':
      return typeof value === 'string' && isDate(value);
    case 'timestamp':
      return typeof value === 'string' && isTimestamp(value);
    default:
      return type satisfies never;
  }
}
