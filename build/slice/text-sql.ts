/** SQL expressions that write a value as FORMAT.md section 2 says, in JSON and in CSV. Pure. */

import { identifier, literal } from '../lake/sql.ts';
import type { PublishedColumn } from './row-columns.ts';

/** What the values of a text column need: known for lists and dimensions, assumed for free text. */
export interface TextNeeds {
  readonly jsonEscape: boolean;
  readonly csvQuote: boolean;
  /** Whether a field of CSV may be of several lines. */
  readonly lineFeed: boolean;
}

export const UNKNOWN_TEXT: TextNeeds = { jsonEscape: true, csvQuote: true, lineFeed: true };

const JSON_SPECIAL = /["\\\t\n]/;
const CSV_SPECIAL = /^$|[",\n]/;

/** The needs of all values of a column, as SQL aggregates; NULL where it has none. */
export function needsSql(x: string): Readonly<Record<keyof TextNeeds, string>> {
  return {
    jsonEscape: `bool_or(regexp_matches(${x}, '["\\\\\\t\\n]'))`,
    csvQuote: `bool_or(${x} = '' OR regexp_matches(${x}, '[",\\n]'))`,
    lineFeed: `bool_or(contains(${x}, chr(10)))`,
  };
}

/** The needs of a known list of values. */
export function textNeeds(values: readonly string[]): TextNeeds {
  return {
    jsonEscape: values.some(value => JSON_SPECIAL.test(value)),
    csvQuote: values.some(value => CSV_SPECIAL.test(value)),
    lineFeed: values.some(value => value.includes('\n')),
  };
}

/**
 * ECMAScript's Number::toString of a DOUBLE expression; NULL stays NULL. DuckDB's cast to VARCHAR writes the same
 * shortest digits but differs in form: `1.0` for whole numbers, `1e-05`, `1e+16`. Its JSON writer differs only in
 * a trailing `.0` and in `1e21` for `1e+21`, so it serves for the sizes where the cast does not.
 */
export function numberText(x: string): string {
  const json = `to_json(${x})::VARCHAR`;
  const far = `regexp_replace(regexp_replace(${json}, '\\.0$', ''), 'e([0-9])', 'e+\\1')`;
  return `CASE WHEN ${x} = trunc(${x}) AND abs(${x}) < 1e15 THEN ${x}::BIGINT::VARCHAR WHEN abs(${x}) >= 1e-4 AND abs(${x}) < 1e15 THEN ${x}::VARCHAR ELSE ${far} END`;
}

/** What of a column decides how its values are written. */
export interface TextColumn {
  readonly column: Pick<PublishedColumn['column'], 'name' | 'type'>;
}

/** A value's JSON text, NULL as SQL NULL. */
function jsonText({ column }: TextColumn, needs: TextNeeds): string {
  const x = identifier(column.name);
  switch (column.type) {
    case 'integer':
    case 'boolean':
      return `${x}::VARCHAR`;
    case 'number':
      return numberText(x);
    case 'string':
      return needs.jsonEscape ? `to_json(${x}::VARCHAR)::VARCHAR` : `'"' || ${x}::VARCHAR || '"'`;
    default:
      return column.type satisfies never;
  }
}

/** A value's CSV field, NULL as SQL NULL, which concat() writes as nothing. */
export function csvField({ column }: PublishedColumn, needs: TextNeeds): string {
  const x = identifier(column.name);
  switch (column.type) {
    case 'integer':
    case 'boolean':
      return `${x}::VARCHAR`;
    case 'number':
      return numberText(x);
    case 'string': {
      const text = `${x}::VARCHAR`;
      return needs.csvQuote
        ? `CASE WHEN ${text} = '' OR regexp_matches(${text}, '[",\n]') THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`
        : text;
    }
    default:
      return column.type satisfies never;
  }
}

/** A row as a JSON object, all in one concat(). Of columns that are never NULL, what is the same in all rows is one text. */
export function jsonRow<Column extends TextColumn>(
  columns: readonly Column[],
  needs: (column: Column) => TextNeeds,
  isNeverNull: (column: Column) => boolean = () => false,
): string {
  const parts: string[] = [];
  let text = '{';
  for (const [i, one] of columns.entries()) {
    const { name, type } = one.column;
    const isFull = isNeverNull(one);
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (isFull && type === 'string' && !needs(one).jsonEscape) {
      parts.push(literal(`${text}"`), `${identifier(name)}::VARCHAR`);
      text = '"';
    } else {
      const value = jsonText(one, needs(one));
      parts.push(literal(text), isFull ? value : `coalesce(${value}, 'null')`);
      text = '';
    }
  }
  return `concat(${parts.join(', ')}, ${literal(`${text}}`)})`;
}

/** A row as a line of CSV, without its end. */
export function csvRow(
  columns: readonly PublishedColumn[],
  needs: (column: PublishedColumn) => TextNeeds,
): string {
  const parts = columns.flatMap((column, i) =>
    (i === 0 ? [] : ["','"]).concat(csvField(column, needs(column))),
  );
  return `concat(${parts.join(', ')})`;
}

export function csvHeader(columns: readonly TextColumn[]): string {
  return columns.map(column => column.column.name).join(',');
}
