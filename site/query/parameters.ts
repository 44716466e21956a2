/** The parameters of a route that gives rows: the filters of its schema document, and limit, offset and format. */
import type { ColumnType } from '../../build/format/documents.ts';
import { PLAIN_RULES, type PlainName, type PlainRule } from '../../build/format/grammar.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import type { FilterDescriptor } from '../../build/format/schema.ts';

export type Parameter =
  | { readonly kind: PlainName; readonly rule: PlainRule }
  | { readonly kind: 'year'; readonly bound: 'exact' | 'min' | 'max' }
  | { readonly kind: 'detail'; readonly choices: readonly string[] }
  | ColumnParameter
  /** Whole keys of places. The level says which columns a key has. */
  | { readonly kind: 'place' }
  | RangeParameter;

/** What a filter on one column of the rows knows of it. */
interface FilteredColumn {
  readonly column: string;
  readonly type: ColumnType;
  /** The column's position in the rows. */
  readonly position: number;
  /** Its position in the bounds of a row group; -1 where a row group has no bounds of it. */
  readonly key: number;
  /** Whether a column of timestamps is in UTC. */
  readonly utc: boolean;
}

/** The column must have one of some values. */
export interface ColumnParameter extends FilteredColumn {
  readonly kind: 'column';
  /** Whether the parameter takes a comma-separated list. */
  readonly list: boolean;
  /** The only accepted values; null where any value of the column's type is accepted. */
  readonly choices: readonly string[] | null;
}

/** A bound on the values of one column; a value equal to it matches. */
export interface RangeParameter extends FilteredColumn {
  readonly kind: 'range';
  readonly bound: 'min' | 'max';
}

export type Parameters = ReadonlyMap<string, Parameter>;

/** The parameters of a table's route, in the order of its filters. */
export function deriveParameters(
  filters: readonly FilterDescriptor[],
  columns: readonly RowColumn[],
  keyColumns: readonly string[],
): Parameters {
  const parameters = new Map<string, Parameter>();
  for (const filter of filters) {
    const parameter = deriveParameter(filter, columns, keyColumns);
    if (parameter) parameters.set(filter.param, parameter);
  }
  for (const rule of PLAIN_RULES) parameters.set(rule.name, { kind: rule.name, rule });
  return parameters;
}

/** Null where the rows have no such column. */
function deriveParameter(
  filter: FilterDescriptor,
  columns: readonly RowColumn[],
  keyColumns: readonly string[],
): Parameter | null {
  switch (filter.kind) {
    case 'year_exact':
      return { kind: 'year', bound: 'exact' };
    case 'year_range':
      return { kind: 'year', bound: filter.param === 'year_max' ? 'max' : 'min' };
    case 'detail':
      return { kind: 'detail', choices: filter.values ?? [] };
    case 'place':
      return { kind: 'place' };
    case 'range':
    case 'time':
    case 'foreign_key':
    case 'categorical':
    case 'dimension_attribute': {
      const column = filter.column ?? filter.param;
      const position = columns.findIndex(({ name }) => name === column);
      const found = columns[position];
      if (!found) return null;
      const { type, utc = false } = found;
      const filtered = { column, type, position, key: keyColumns.indexOf(column), utc };
      if (filter.kind === 'range') return { kind: 'range', bound: filter.bound ?? 'min', ...filtered };
      const choices = filter.enum_enforced ? filter.values : null;
      return { kind: 'column', ...filtered, list: filter.multi_value, choices };
    }
    default:
      return filter.kind satisfies never;
  }
}
