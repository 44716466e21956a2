/** Decides which columns of a table the build serves, and reads the types of other tools as types of this service. */
import { isPhysicalType, isServedType, logicalOf, physicalFits } from './column-type.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { Path } from './yaml-document.ts';

export interface ServedTable {
  /** The table with null in place of each column that is left out, so that paths stay valid. */
  readonly table: RawObject;
  /** Names of the columns that the contract has and the build leaves out. Files of the lake may have them. */
  readonly leftOut: readonly string[];
  /** How many columns the build has to read. */
  readonly columns: number;
}

/** Words for values that are no single value of a table: lists, records and bytes. */
const NOT_SERVED =
  /^(array|list|set|multiset|vector|object|struct|structure|record|row|map|dict|nested|union|super|variant|binary|varbinary|long ?varbinary|bytes?|bytea|blob|(tiny|medium|long)blob|image|raw|long raw|fixed|bfile|geometry|geography|sdo_geometry|hllsketch|tensor)\b|\[\]$/;

/** Other tools' words for types, as the name of a physical type of this service. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ...words(
    'int',
    'integer',
    'mediumint',
    'int2',
    'smallserial',
    'year',
    'byteint',
    'short',
    'uint8',
    'uint16',
  ),
  ...words(
    'bigint',
    'int8',
    'int64',
    'long',
    'serial',
    'bigserial',
    'uint32',
    'uint64',
    'hugeint',
    'largeint',
  ),
  ...words('double', 'double precision', 'float4', 'float8', 'decfloat', 'bignumeric', 'bigdecimal', 'money'),
  ...words(
    'double',
    'smallmoney',
    'binary_float',
    'binary_double',
    'dec',
    'decimal128',
    'half',
    'float',
    'decimal',
  ),
  ...words('double', 'numeric', 'number', 'real'),
  ...words(
    'string',
    'text',
    'tinytext',
    'mediumtext',
    'longtext',
    'ntext',
    'citext',
    'uuid',
    'guid',
    'nclob',
  ),
  ...words('string', 'uniqueidentifier', 'json', 'jsonb', 'xml', 'enum', 'inet', 'cidr', 'macaddr', 'rowid'),
  ...words(
    'string',
    'interval',
    'time',
    'timetz',
    'name',
    'sysname',
    'char varying',
    'nchar varying',
    'fixedstring',
  ),
  ...words(
    'string',
    'national character varying',
    'lowcardinality',
    'keyword',
    'email',
    'url',
    'uri',
    'varchar',
  ),
  ...words('string', 'symbol', 'categorical', 'hierarchyid', 'bit varying'),
  ...words('boolean', 'bit', 'bool', 'logical'),
  ...words('date', 'date32', 'date64', 'calendardate'),
  ...words(
    'timestamp',
    'datetime',
    'datetime2',
    'datetime64',
    'smalldatetime',
    'datetimeoffset',
    'timestamptz',
  ),
  ...words(
    'timestamp',
    'timestamp_ntz',
    'timestamp_ltz',
    'timestamp_tz',
    'timestampntz',
    'timestampltz',
    'instant',
  ),
]);

/** The physical type that each logical type of ODCS means. */
const PHYSICAL_OF: ReadonlyMap<string, string> = new Map([
  ['integer', 'bigint'],
  ['number', 'double'],
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['timestamp', 'timestamp'],
  ['time', 'string'],
]);

/** Reads a table's columns; names those that are left out in one warning. */
export function servedTable(table: RawObject, owner: Path, problems: Problems): ServedTable {
  const leftOut: { name: string; type: string }[] = [];
  const properties = (table.properties ?? []).map((property, index) => {
    if (property === null) return null;
    const { name, logicalType, physicalType } = property;
    const type = unservedType(property);
    if (type !== null && name !== undefined) {
      leftOut.push({ name, type });
      return null;
    }
    if (problems.native && logicalType !== 'time') return property;
    const path = [...owner, 'properties', index];
    return withServedTypes(property, logicalType, physicalType, path, problems, table.name ?? null);
  });
  if (leftOut.length > 0) {
    const [these, them] = leftOut.length === 1 ? ['this column', 'it'] : ['these columns', 'them'];
    const list = leftOut.map(({ name, type }) => `${quote(name)} (${type})`).join(', ');
    const message = `${these} ${leftOut.length === 1 ? 'is' : 'are'} left out, because a table for readers has no lists, records or bytes: ${list}; to publish ${them}, give each value a column of its own`;
    problems.warning([...owner, 'properties'], 'column-left-out', message);
  }
  return {
    table: { ...table, properties },
    leftOut: leftOut.map(({ name }) => name),
    columns: properties.length - leftOut.length,
  };
}

/** The word for a column's type if the build does not serve it, otherwise null. */
function unservedType({ logicalType, physicalType }: RawProperty): string | null {
  const logical = logicalType?.trim().toLowerCase() ?? '';
  if (NOT_SERVED.test(logical)) return logical.slice(0, 40);
  if (logical !== '') return null;
  const physical = physicalType?.trim().toLowerCase() ?? '';
  return NOT_SERVED.test(physical) ? physical.slice(0, 40) : null;
}

function withServedTypes(
  property: RawProperty,
  logicalType: string | undefined,
  physicalType: string | undefined,
  path: Path,
  problems: Problems,
  table: string | null,
): RawProperty {
  const { logicalType: _, physicalType: __, ...rest } = property;
  const stated = logicalType === undefined ? undefined : wordOf(logicalType);
  const stored = physicalType === undefined ? undefined : wordOf(physicalType);
  const logical = logicalType !== undefined && isServedType(logicalType) ? logicalType : undefined;
  if (logical !== undefined) {
    const fits =
      physicalType !== undefined && isPhysicalType(physicalType) && physicalFits(physicalType, logical);
    return { ...rest, logicalType: logical, ...(fits ? { physicalType } : {}) };
  }
  const word = served(stated ?? stored ?? PHYSICAL_OF.get(logicalType ?? ''));
  if (word === undefined && (logicalType ?? physicalType) !== undefined) {
    const message = `the type ${quote(logicalType ?? physicalType ?? '')} is not known here, so the column is published as text: state its logicalType as one of ${quoteList([...PHYSICAL_OF.keys()])}`;
    problems.warning(
      [...path, logicalType === undefined ? 'physicalType' : 'logicalType'],
      'column-type',
      message,
    );
  } else if (word === undefined) problems.guess(table, `${quote(property.name ?? '')} is a text (no type)`);
  const physical = word ?? 'string';
  return { ...rest, logicalType: logicalOf(physical), physicalType: physical };
}

/** `NUMBER(10,2)` → double, `VARCHAR(20)` → string, `NUMBER(10,0)` → bigint; undefined if the word is not known. */
function wordOf(type: string): string | undefined {
  const text = type.trim().toLowerCase();
  const whole = /^(?:decimal|numeric|number|dec)\s*\(\s*\d+\s*(?:,\s*0\s*)?\)$/.test(text);
  if (whole) return 'bigint';
  const inner = /^(?:nullable|lowcardinality|optional)\s*\((.*)\)$/.exec(text)?.[1] ?? text;
  const bare = inner
    .replace(/\(.*?\)/g, ' ')
    .replace(
      /\b(unsigned|zerofill|not null|null|primary key|with(out)? (local )?time zone|character set \S+|collate \S+)\b.*/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
  return WORDS.get(inner) ?? WORDS.get(bare) ?? (isPhysicalType(bare) ? bare : PHYSICAL_OF.get(bare));
}

/** A type that the build cannot store yet is published as text. */
function served(word: string | undefined): string | undefined {
  return word === undefined || isPhysicalType(word) ? word : 'string';
}

function words(type: string, ...aliases: readonly string[]): [string, string][] {
  return aliases.map(alias => [alias, type]);
}
