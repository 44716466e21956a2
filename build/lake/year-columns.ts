/** Turns a table with a column for each year into one with a row for each year. */
import type { FileLayout } from '../contract/dataset.ts';
import { identifier, literal } from './sql.ts';

type YearColumns = NonNullable<FileLayout['year_columns']>;

export interface LongTable {
  /** The columns that are the same in all years, the year, and the figures of each year. */
  readonly names: readonly string[];
  /** For each of them, the numbers of the wide table's columns from which it comes; none for the year. */
  readonly from: readonly (readonly number[])[];
  /** SELECT of the rows, by year and then as they were. */
  readonly select: string;
  /** Ascending. */
  readonly years: readonly number[];
}

/** How a column's name is written, with any year. */
function formPattern(form: string): RegExp {
  const [start = '', ...rest] = form.split('{year}').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // A second year in the name is the same one.
  return new RegExp(`^${start}(\\d{4})${rest.join('\\1')}$`, 'u');
}

/**
 * `columns` are the names and the SQL of the wide table's columns, `year` is the name of the column for the year. With
 * `texts`, columns are called `c0`, `c1` and so on and the year is a text, as in other tables of texts. Null if no
 * column is written in one of the forms.
 */
export function longTable(
  table: string,
  columns: readonly { readonly name: string; readonly sql: string }[],
  forms: YearColumns,
  year: string,
  texts: boolean,
): LongTable | null {
  const figures = Object.entries(forms).map(([name, form]) => {
    const pattern = formPattern(form);
    const byYear = new Map<number, number>();
    for (const [at, column] of columns.entries()) {
      const found = pattern.exec(column.name)?.[1];
      if (found !== undefined) byYear.set(Number(found), at);
    }
    return { name, byYear };
  });
  const years = [...new Set(figures.flatMap(({ byYear }) => [...byYear.keys()]))].sort((a, b) => a - b);
  if (years.length === 0) return null;
  const taken = new Set(figures.flatMap(({ byYear }) => [...byYear.values()]));
  const same = [...columns.keys()].filter(at => !taken.has(at));
  const names = [...same.map(at => columns[at]!.name), year, ...figures.map(({ name }) => name)];
  const alias = (i: number) => identifier(texts ? `c${i}` : names[i]!);
  const selects = years.map(one => {
    const values = [
      ...same.map(at => columns[at]!.sql),
      texts ? literal(String(one)) : `${one}::INTEGER`,
      ...figures.map(({ byYear }) => columns[byYear.get(one) ?? -1]?.sql ?? 'NULL'),
    ];
    return `SELECT ${values.map((value, i) => `${value} AS ${alias(i)}`).join(', ')} FROM ${table}`;
  });
  return {
    names,
    from: [...same.map(at => [at]), [], ...figures.map(({ byYear }) => [...byYear.values()])],
    select: selects.join(' UNION ALL '),
    years,
  };
}
