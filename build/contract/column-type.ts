/** Reads the type of a column, and how the lake stores it. */
import type { ColumnType, Scalar } from '../format/documents.ts';
import { isDate, isTimestamp } from '../format/time-text.ts';
import type { RawProperty } from './contract-profile.ts';
import type { PhysicalType } from './dataset.ts';
import { quote, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { Path } from './yaml-document.ts';

/** The names that databases and other tools give the physical types. */
const NAMES: Readonly<Record<PhysicalType, string>> = {
  int: 'int, integer, int32, smallint, int16, tinyint, int4, mediumint, int2, smallserial, year, byteint, short, uint8, uint16',
  bigint:
    'bigint, long, int64, int8, uinteger, uint32, int unsigned, integer unsigned, serial, bigserial, uint64, hugeint, largeint',
  double:
    'double, double precision, float, float32, float64, real, decimal, numeric, number, float4, float8, decfloat, bignumeric, bigdecimal, money, smallmoney, binary_float, binary_double, dec, decimal128, half',
  string:
    'string, varchar, character varying, char, text, utf8, nvarchar, nchar, varchar2, nvarchar2, clob, character, bpchar, uuid, guid, uniqueidentifier, json, jsonb, xml, enum, interval, time, timetz, time with time zone, time without time zone, tinytext, mediumtext, longtext, ntext, citext, nclob, inet, cidr, macaddr, rowid, name, sysname, char varying, nchar varying, fixedstring, national character varying, lowcardinality, keyword, email, url, uri, symbol, categorical, hierarchyid, bit varying',
  boolean: 'boolean, bool, bit, logical',
  date: 'date, date32, date64, calendardate',
  timestamp:
    'timestamp, timestamp without time zone, timestamp_ntz, timestampntz, datetime, datetime2, datetime64, smalldatetime, timestamp_s, timestamp_ms, timestamp_us, instant',
  timestamptz:
    'timestamptz, timestamp with time zone, timestamp_tz, timestamp_ltz, timestampltz, timestamp with local time zone, datetimeoffset',
};

const PHYSICAL = new Map(
  Object.entries(NAMES).flatMap(([type, names]) =>
    names.split(', ').map((name): [string, PhysicalType] => [name, type as PhysicalType]),
  ),
);

/**
 * `NUMBER(10,2)` → double, `VARCHAR(20) NOT NULL` → string; undefined if unknown. Some databases store integers as
 * decimals without a fraction, such as `NUMBER(10,0)`.
 */
export function physicalOf(type: string, logical?: string): PhysicalType | undefined {
  const text = type.trim().toLowerCase().replace(/\s+/g, ' ');
  const decimal = /^(?:decimal|numeric|number|dec) ?(\( ?\d+ ?(?:, ?0 ?)?\))?$/.exec(text);
  const isWhole = logical === 'integer' || (logical === undefined && decimal?.[1] !== undefined);
  if (decimal !== null && isWhole) return 'bigint';
  const inner = /^(?:nullable|lowcardinality|optional) ?\((.*)\)$/.exec(text)?.[1] ?? text;
  const plain = inner
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const bare = plain.replace(
    / (unsigned|zerofill|not null|null|primary key|with(out)? (local )?time zone|character set \S+|collate \S+)\b.*/,
    '',
  );
  return PHYSICAL.get(plain) ?? PHYSICAL.get(bare);
}

export const LOGICAL_OF: Readonly<Record<PhysicalType, ColumnType>> = {
  int: 'integer',
  bigint: 'integer',
  double: 'number',
  string: 'string',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
};

export const TYPES: readonly ColumnType[] = [...new Set(Object.values(LOGICAL_OF))];

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
  const physical = physicalType === undefined ? undefined : physicalOf(physicalType, logicalType);
  const fail = (key: string, message: string) => {
    problems.error([...path, key], 'column-type', message);
    return null;
  };
  const logical = TYPES.find(type => type === logicalType);
  if (logicalType !== undefined && logical === undefined) {
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
  const type = logical ?? (physical && LOGICAL_OF[physical]);
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

export function physicalFits(physicalType: string, type: ColumnType): boolean {
  const physical = physicalOf(physicalType, type);
  if (physical === undefined) return false;
  return LOGICAL_OF[physical] === type || (/^(date|timestamp)$/.test(type) && isTimeStorage(physical));
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
