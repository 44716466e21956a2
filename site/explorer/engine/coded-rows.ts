/**
 * Rows in memory: each column's distinct values, and each row's index among them, as the edge's executor decodes
 * them. A worker passes the indexes to its page without a copy.
 */
import type { ColumnType } from '../../../build/format/documents.ts';
import type { Codes } from '../../edge/rows/dictionary.ts';
import { compareValues, type Value } from '../../query/order.ts';
import type { Rows } from '../view/rows.ts';

export interface CodedRows {
  readonly columns: readonly CodedColumn[];
  readonly rows: number;
}

interface NamedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Set for timestamps in UTC. Their values lack the Z, which isn't sorted by. */
  readonly utc?: true | undefined;
}

export interface CodedColumn extends NamedColumn {
  readonly codes: Codes;
  readonly values: readonly Value[];
}

export function openRows({ columns, rows }: CodedRows): Rows {
  const shown = columns.map(({ values, utc }) =>
    utc ? values.map(value => (value === null ? null : `${value}Z`)) : values,
  );
  return { columns, rows, cell: (row, column) => shown[column]![columns[column]!.codes[row]!]! };
}

/** For transfer. */
export function buffersOf({ columns }: CodedRows): ArrayBuffer[] {
  return columns.map(({ codes }) => codes.buffer as ArrayBuffer);
}

/** The rows, sorted by a column. The sort is stable; NULLs are first ascending and last descending. */
export function sortRows({ columns, rows }: CodedRows, position: number, descending: boolean): CodedRows {
  const { codes, values } = columns[position]!;
  const ranks = new Float64Array(values.length);
  const sorted = [...values.keys()].sort((a, b) => compareValues(values[a]!, values[b]!));
  for (const [rank, code] of sorted.entries()) ranks[code] = descending ? -rank : rank;
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  order.sort((a, b) => ranks[codes[a]!]! - ranks[codes[b]!]! || a - b);
  return {
    rows,
    columns: columns.map(column => ({
      ...column,
      codes: column.codes.map((_, row) => column.codes[order[row]!]!),
    })),
  };
}

export class RowsBuilder {
  private readonly columns: readonly (NamedColumn & { readonly builder: ColumnBuilder })[];
  private rows = 0;

  constructor(columns: readonly NamedColumn[]) {
    this.columns = columns.map(({ name, type, utc }) => ({ name, type, utc, builder: new ColumnBuilder() }));
  }

  /** `columns` has the values of every column. */
  append(columns: readonly (readonly Value[])[], rows: number): void {
    for (const [i, { builder }] of this.columns.entries()) builder.append(columns[i]!, this.rows, rows);
    this.rows += rows;
  }

  build(): CodedRows {
    const { rows } = this;
    return {
      rows,
      columns: this.columns.map(({ builder, ...column }) => ({ ...column, ...builder.build(rows) })),
    };
  }
}

/** Rows that fit before the array grows. */
const FIRST_ROWS = 1024;

/** Doubling would take three times the memory of a large column while it grows. */
const GROWTH = 1.5;

/** More values need codes of four bytes. */
const FEW_VALUES = 1 << 16;

class ColumnBuilder {
  private codes: Codes = new Uint16Array(FIRST_ROWS);
  private readonly known = new Map<Value, number>();

  append(values: readonly Value[], at: number, count: number): void {
    if (this.codes.length < at + count)
      this.resize(Math.max(at + count, Math.ceil(this.codes.length * GROWTH)));
    let last: Value | undefined;
    let code = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? null;
      // Neighbouring rows often share a value, since rows are sorted by the grain.
      if (value !== last) {
        last = value;
        code = this.known.get(value) ?? this.known.size;
        if (code === this.known.size) this.known.set(value, code);
        if (code === FEW_VALUES && this.codes instanceof Uint16Array)
          this.codes = Uint32Array.from(this.codes);
      }
      this.codes[at + i] = code;
    }
  }

  private resize(rows: number): void {
    const resized = this.codes instanceof Uint16Array ? new Uint16Array(rows) : new Uint32Array(rows);
    resized.set(this.codes.subarray(0, rows));
    this.codes = resized;
  }

  /** Ends the builder. */
  build(rows: number): Pick<CodedColumn, 'codes' | 'values'> {
    this.resize(rows);
    return { codes: this.codes, values: [...this.known.keys()] };
  }
}
