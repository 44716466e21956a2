/** Guesses the roles of columns whose contract states none. */
import type { RoleGuess } from './base-columns.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';

/** The word for a year in names of columns, in the languages of many publishers. */
const YEAR =
  /^(?:(?:fiscal|school|calendar|academic|data|report(?:ing)?|survey|tax|model|crop|water)[ _-]?)?(?:year|yr|año|anio|ano|anno|année|annee|jahr|jaar|år|aar|vuosi|rok|rik|год|рік|έτος|年|年度|연도|tahun|yıl|yil)$/iu;

/** The last word of a name that tells one thing from others, although its values may be numbers. */
const CODE =
  /(?:^|[ _.-]|(?<=[a-z0-9])(?=[A-Z]))(?:id|ids|uuid|code|codes|key|nr|no|num|number|fips|geoid|zip|zipcode|postcode|postal|phone|sku|isbn|ein|npi|month|quarter|week|weekday|day|hour|código|codigo|numéro|nummer|mes|trimestre|mois|monat|quartal)$/iu;

/** Coordinates are neither measured nor counted. */
const COORDINATE = /^(?:lat|latitude|latitud|breitengrad|lon|lng|long|longitude|longitud|längengrad)$/iu;

/** Names of moments at which somebody kept a record, or of days that say nothing of when a row's figures were so. */
const BOOKKEEPING = /creat|insert|updat|modif|chang|load|ingest|etl|sync|delet|birth|hire|valid|expir|due/i;

/** A text of more characters is prose rather than a category. */
const LONGEST_CATEGORY = 255;

/**
 * Guesses from a table's columns: one integer with the name of a year is the year, otherwise one date or timestamp is the
 * time; numbers are metrics, unless they are keys, codes or listed values; coordinates and long texts are attributes;
 * everything else is categorical.
 */
export function roleGuess(table: RawObject): RoleGuess {
  const properties = (table.properties ?? []).filter(property => property !== null);
  const moment = momentOf(properties);
  return (column, type) => {
    const name = column.name ?? '';
    if (column === moment && type === 'integer') return 'year';
    if (column === moment && (type === 'date' || type === 'timestamp')) return 'time';
    if (COORDINATE.test(name) && type !== 'boolean') return 'attribute';
    if (type === 'number' || type === 'integer') return isCode(column, type) ? 'categorical' : 'metric';
    return lengthOf(column) > LONGEST_CATEGORY ? 'attribute' : 'categorical';
  };
}

/** The column with the year, otherwise with the time, of a table that states neither. */
function momentOf(properties: readonly RawProperty[]): RawProperty | undefined {
  if (properties.some(property => ['year', 'time'].includes(String(roleOf(property))))) return undefined;
  const isInteger = ({ logicalType, physicalType = '' }: RawProperty) =>
    logicalType === 'integer' || (logicalType === undefined && /int|long|serial|number/i.test(physicalType));
  const named = properties.filter(({ name }) => YEAR.test(name ?? ''));
  const years = named.filter(isInteger);
  const year = years.find(({ name }) => /^(?:year|año)$/iu.test(name ?? '')) ?? years[0];
  // The year that the build derives from a time would have the name of a column that is there.
  if (year !== undefined || named.some(({ name }) => /^year$/i.test(name ?? ''))) return year;
  const times = properties
    .map(property => ({ property, type: property.logicalType ?? property.physicalType?.toLowerCase() ?? '' }))
    .filter(
      ({ property, type }) => /^(?:date|timestamp)/.test(type) && !BOOKKEEPING.test(property.name ?? ''),
    );
  const isKey = ({ property }: (typeof times)[number]) => property.primaryKey === true;
  const isDate = ({ type }: (typeof times)[number]) => type === 'date';
  return (times.find(isKey) ?? times.find(isDate) ?? times[0])?.property;
}

function isCode(column: RawProperty, type: 'number' | 'integer'): boolean {
  return (
    column.primaryKey === true ||
    column.unique === true ||
    (column.relationships ?? []).length > 0 ||
    (column.enum ?? []).length > 0 ||
    (type === 'integer' && (CODE.test(column.name ?? '') || YEAR.test(column.name ?? '')))
  );
}

function roleOf(column: RawProperty): unknown {
  return column.customProperties?.find(one => one?.property === 'column_role')?.value;
}

/** The most characters that the contract allows; 0 if it does not say. */
function lengthOf({ physicalType = '', logicalTypeOptions }: RawProperty): number {
  const stated = Number(logicalTypeOptions?.maxLength ?? 0);
  const stored = Number(/char\w*\s*\((\d+)\)/i.exec(physicalType)?.[1] ?? 0);
  return Math.max(Number.isFinite(stated) ? stated : 0, stored);
}
