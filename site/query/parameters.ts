/** The parameters of a route that gives rows: its schema document's filters, and those of every table. */
import type { FilterDescriptor } from '../../build/format/documents.ts';
import { FILTER_KINDS } from '../../build/format/filter-kinds.ts';
import { GRAMMAR, PLAIN_RULES, type Rule } from '../../build/format/grammar.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import type { ValueKind } from './value.ts';

export type Parameter =
  /** A parameter that isn't a column. A table's levels and its columns of figures are choices. */
  { readonly kind: 'rule'; readonly rule: TableRule } | FilterParameter;

export type TableRule = Exclude<Rule, { kind: 'level' | 'measure' }>;

export type FilterParameter =
  | ColumnParameter
  /** Whole keys of places. The level decides which columns a key has. */
  | { readonly kind: 'place' };

export interface ColumnParameter extends ValueKind {
  readonly kind: 'column';
  readonly column: string;
  /** Whether it takes a comma-separated list. */
  readonly list: boolean;
}

export type Parameters = ReadonlyMap<string, Parameter>;

export function deriveParameters(
  filters: readonly FilterDescriptor[],
  columns: readonly RowColumn[],
): Parameters {
  const parameters = new Map<string, Parameter>();
  for (const filter of filters) {
    const parameter = deriveParameter(filter, columns);
    if (parameter) parameters.set(filter.param, parameter);
  }
  const compared = filters.filter(({ kind }) => kind !== 'range').map(({ param, column }) => column ?? param);
  const own = columns.filter(({ name, from }) => from === null && !compared.includes(name));
  const choices = own.map(({ name }) => name);
  for (const rule of PLAIN_RULES) {
    if (rule.kind !== 'measure') parameters.set(rule.name, { kind: 'rule', rule });
    // A dimension has no filters, and no figures.
    else if (filters.length > 0)
      parameters.set(rule.name, { kind: 'rule', rule: { ...rule, kind: 'choice', choices } });
  }
  return parameters;
}

/** Null if the rows have no such column, or the kind is unknown. */
function deriveParameter(filter: FilterDescriptor, columns: readonly RowColumn[]): Parameter | null {
  // A newer tree may have other kinds.
  if (!Object.hasOwn(FILTER_KINDS, filter.kind)) return null;
  const { asks } = FILTER_KINDS[filter.kind];
  switch (asks) {
    case 'rule': {
      const rule = GRAMMAR.find(({ name }) => name === filter.param);
      if (!rule || rule.kind === 'measure') return null;
      const own =
        rule.kind === 'level' ? ({ ...rule, kind: 'choice', choices: filter.values ?? [] } as const) : rule;
      return { kind: 'rule', rule: own };
    }
    case 'place':
      return { kind: 'place' };
    default: {
      const column = filter.column ?? filter.param;
      const found = columns.find(({ name }) => name === column);
      if (!found) return null;
      const { type, utc = false } = found;
      const bound = asks === 'end' ? (filter.bound ?? 'min') : asks;
      const choices = filter.enum_enforced ? filter.values : null;
      return { kind: 'column', column, type, utc, bound, list: filter.multi_value, choices };
    }
  }
}
