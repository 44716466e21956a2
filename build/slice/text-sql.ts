/** SQL expressions for values in JSON and CSV (FORMAT.md, section 2). Pure. */
import { identifier, literal } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';

/** Whether any value of a text column needs an escape or quotes. Free text is assumed to need them. */
export interface TextNeeds {
  readonly jsonEscape: boolean;
  readonly csvQuote: boolean;
  /** Whether a CSV field may have several lines. */
  readonly lineFeed: boolean;
}

export const UNKNOWN_TEXT: TextNeeds = { jsonEscape: true, csvQuote: true, lineFeed: true };

/** Names of columns with known properties. */
export interface KnownValues {
  /** Columns without NULLs. */
  readonly full: ReadonlySet<string>;
  /** Columns of type `number` whose absolute values are all smaller than FAR. */
  readonly near: ReadonlySet<string>;
}

const UNKNOWN_VALUES: KnownValues = { full: new Set(), near: new Set() };

const JSON_SPECIAL = /["\\\t\n]/;
const CSV_SPECIAL = /^$|[",\n]/;

/** As SQL aggregates; NULL without values. */
export function needsSql(x: string): Readonly<Record<keyof TextNeeds, string>> {
  return {
    jsonEscape: `bool_or(regexp_matches(${x}, '["\\\\\\t\\n]'))`,
    csvQuote: `bool_or(${x} = '' OR regexp_matches(${x}, '[",\\n]'))`,
    lineFeed: `bool_or(contains(${x}, chr(10)))`,
  };
}

/** Of a known list of values. */
export function textNeeds(values: readonly string[]): TextNeeds {
  return {
    jsonEscape: values.some(value => JSON_SPECIAL.test(value)),
    csvQuote: values.some(value => CSV_SPECIAL.test(value)),
    lineFeed: values.some(value => value.includes('\n')),
  };
}

/** From this size, DuckDB's cast writes an exponent. */
export const FAR = 1e15;

/**
 * ECMAScript's Number::toString of a DOUBLE; NULL stays NULL. DuckDB's cast to VARCHAR writes the same
 * shortest digits in another form: `1.0` for whole numbers, `1e-05`, `1e+16`. Its JSON writer differs only in
 * a trailing `.0` and in `1e21` for `1e+21`, so it is used for sizes where the cast differs. If no value is
 * far, the two regular expressions are left out, which halves the time that DuckDB plans a statement.
 */
function numberText(x: string, isNear: boolean): string {
  const json = `to_json(${x})::VARCHAR`;
  if (isNear)
    return `CASE WHEN ${x} = trunc(${x}) THEN ${x}::BIGINT::VARCHAR WHEN abs(${x}) >= 1e-4 THEN ${x}::VARCHAR ELSE ${json} END`;
  const far = `regexp_replace(regexp_replace(${json}, '\\.0$', ''), 'e([0-9])', 'e+\\1')`;
  return `CASE WHEN ${x} = trunc(${x}) AND abs(${x}) < ${FAR} THEN ${x}::BIGINT::VARCHAR WHEN abs(${x}) >= 1e-4 AND abs(${x}) < ${FAR} THEN ${x}::VARCHAR ELSE ${far} END`;
}

/**
 * ISO 8601 with seconds, as many decimals as needed, and Z for TIMESTAMPTZ. The session's time zone is UTC.
 */
export function timeText(x: string): string {
  return `replace(replace(${x}::VARCHAR, ' ', 'T'), '+00', 'Z')`;
}

/** What decides how values are written. */
interface TextColumn {
  readonly column: Pick<PublishedColumn['column'], 'name' | 'type'>;
}

/** NULL as SQL NULL. */
function jsonText({ column }: TextColumn, needs: TextNeeds, known: KnownValues): string {
  const x = identifier(column.name);
  switch (column.type) {
    case 'integer':
    case 'boolean':
      return `${x}::VARCHAR`;
    case 'number':
      return numberText(x, known.near.has(column.name));
    case 'string':
      return needs.jsonEscape ? `to_json(${x}::VARCHAR)::VARCHAR` : `'"' || ${x}::VARCHAR || '"'`;
    case 'date':
    case 'timestamp':
      return `'"' || ${timeText(x)} || '"'`;
    default:
      return column.type satisfies never;
  }
}

/** NULL as SQL NULL, which concat() writes as nothing. */
function csvField({ column }: PublishedColumn, needs: TextNeeds, known: KnownValues): string {
  const x = identifier(column.name);
  switch (column.type) {
    case 'integer':
    case 'boolean':
      return `${x}::VARCHAR`;
    case 'number':
      return numberText(x, known.near.has(column.name));
    case 'string': {
      const text = `${x}::VARCHAR`;
      return needs.csvQuote
        ? `CASE WHEN ${text} = '' OR regexp_matches(${text}, '[",\n]') THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`
        : text;
    }
    case 'date':
    case 'timestamp':
      return timeText(x);
    default:
      return column.type satisfies never;
  }
}

/** A JSON object, in one concat(). Columns without NULLs share one constant text between their values. */
export function jsonRow<Column extends TextColumn>(
  columns: readonly Column[],
  needs: (column: Column) => TextNeeds,
  known: KnownValues = UNKNOWN_VALUES,
): string {
  const pieces: string[] = [];
  let text = '{';
  for (const [i, one] of columns.entries()) {
    const { name, type } = one.column;
    const isFull = known.full.has(name);
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (isFull && type === 'string' && !needs(one).jsonEscape) {
      pieces.push(literal(`${text}"`), `${identifier(name)}::VARCHAR`);
      text = '"';
    } else {
      const value = jsonText(one, needs(one), known);
      pieces.push(literal(text), isFull ? value : `coalesce(${value}, 'null')`);
      text = '';
    }
  }
  return `concat(${pieces.join(', ')}, ${literal(`${text}}`)})`;
}

/** Without the line end. */
export function csvRow(
  columns: readonly PublishedColumn[],
  needs: (column: PublishedColumn) => TextNeeds,
  known: KnownValues = UNKNOWN_VALUES,
): string {
  const pieces = columns.flatMap((column, i) =>
    (i === 0 ? [] : ["','"]).concat(csvField(column, needs(column), known)),
  );
  return `concat(${pieces.join(', ')})`;
}

export function csvHeader(columns: readonly TextColumn[]): string {
  return columns
    .map(({ column: { name } }) => (CSV_SPECIAL.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(',');
}
