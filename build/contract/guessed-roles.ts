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

/** A text of more characters is prose rather than a category. */
const LONGEST_CATEGORY = 255;

/**
 * Guesses from a table's columns: one integer with the name of a year is the year, else a date or timestamp is the time;
 * numbers are metrics, unless they are keys, codes or listed values; coordinates and long texts are attributes;
 * everything else is categorical.
 */
export function roleGuess(table: RawObject): RoleGuess {
  const properties = (table.properties ?? []).filter(property => property !== null);
  const isStated = properties.some(property => ['year', 'time'].includes(String(roleOf(property))));
  const years = properties.filter(({ name }) => YEAR.test(name ?? ''));
  const year = isStated
    ? undefined
    : (years.find(({ name }) => /^(?:year|año)$/iu.test(name ?? '')) ?? years[0]);
  const time = isStated || years.length > 0 ? undefined : timeOf(properties);
  return (column, type) => {
    const name = column.name ?? '';
    if (column === year && type === 'integer') return 'year';
    if (column === time && (type === 'date' || type === 'timestamp')) return 'time';
    if (COORDINATE.test(name) && type !== 'boolean') return 'attribute';
    if (type === 'number' || type === 'integer') return isCode(column, type) ? 'categorical' : 'metric';
    return lengthOf(column) > LONGEST_CATEGORY ? 'attribute' : 'categorical';
  };
}

/** The only column of dates or moments, or the first one that each row must have. */
function timeOf(properties: readonly RawProperty[]): RawProperty | undefined {
  const dated = properties.filter(({ logicalType, physicalType = '' }) =>
    /^(?:date|timestamp)/i.test(logicalType ?? physicalType),
  );
  return dated.length === 1 ? dated[0] : dated.find(one => one.required === true || one.primaryKey === true);
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
