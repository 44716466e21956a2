/** The parameters of a route that gives rows: the filters of its schema document, and those of every table. */
import type { ColumnType } from '../../build/format/documents.ts';
import { GRAMMAR, PLAIN_RULES, type Rule } from '../../build/format/grammar.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import type { FilterDescriptor } from '../../build/format/schema.ts';

export type Parameter =
  /** One that no column gives; with the names of the levels if it chooses one. */
  | { readonly kind: 'rule'; readonly rule: Rule; readonly levels: readonly string[] }
  | ColumnParameter
  /** Whole keys of places. The level says which columns a key has. */
  | { readonly kind: 'place' }
  | RangeParameter;

/** What a filter on one column of the rows knows of it. */
interface FilteredColumn {
  readonly column: string;
  readonly type: ColumnType;
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
): Parameters {
  const parameters = new Map<string, Parameter>();
  for (const filter of filters) {
    const parameter = deriveParameter(filter, columns);
    if (parameter) parameters.set(filter.param, parameter);
  }
  for (const rule of PLAIN_RULES) parameters.set(rule.name, { kind: 'rule', rule, levels: [] });
  return parameters;
}

/** Null where the rows have no such column. */
function deriveParameter(filter: FilterDescriptor, columns: readonly RowColumn[]): Parameter | null {
  switch (filter.kind) {
    case 'year_exact':
    case 'year_range':
    case 'detail': {
      const rule = GRAMMAR.find(({ name }) => name === filter.param);
      return rule ? { kind: 'rule', rule, levels: filter.values ?? [] } : null;
    }
    case 'place':
      return { kind: 'place' };
    case 'range':
    case 'time':
    case 'foreign_key':
    case 'categorical':
    case 'dimension_attribute': {
      const column = filter.column ?? filter.param;
      const found = columns.find(({ name }) => name === column);
      if (!found) return null;
      const { type, utc = false } = found;
      if (filter.kind === 'range') return { kind: 'range', bound: filter.bound ?? 'min', column, type, utc };
      const choices = filter.enum_enforced ? filter.values : null;
      return { kind: 'column', column, type, utc, list: filter.multi_value, choices };
    }
    default:
      return filter.kind satisfies never;
  }
}
