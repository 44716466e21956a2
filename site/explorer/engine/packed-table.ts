/**
 * Rows as a worker sends them to its page: typed arrays, with each text once. A million rows of fifteen
 * columns take about 60 MB, and are passed without a copy.
 */
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import type { ColumnValues } from '../../query/encode.ts';
import { compareText, type Value } from '../../query/order.ts';
import type { Rows } from '../view/rows.ts';

export interface PackedTable {
  readonly columns: readonly PackedColumn[];
  readonly rows: number;
}

export type PackedColumn = TextColumn | NumberColumn;

interface Named {
  readonly name: string;
}

/** `texts[code - 1]`; code 0 is NULL. */
interface TextColumn extends Named {
  readonly kind: 'text';
  readonly codes: Uint16Array | Uint32Array;
  readonly texts: readonly string[];
  /** Added to each text in `cell`: the Z of timestamps in UTC, which isn't sorted by. */
  readonly suffix?: string;
}

interface NumberColumn extends Named {
  readonly kind: 'number';
  /** The published type of the numbers; a boolean is 0 or 1. */
  readonly type: 'integer' | 'number' | 'boolean';
  readonly values: Uint8Array | Int32Array | Float64Array;
  /** 1 for each NULL; null if the column has no NULL. */
  readonly nulls: Uint8Array | null;
}

function readPacked(column: PackedColumn, row: number): Scalar | null {
  if (column.kind === 'text') {
    const code = column.codes[row]!;
    return code === 0 ? null : column.texts[code - 1]! + (column.suffix ?? '');
  }
  if (column.nulls?.[row] === 1) return null;
  const value = column.values[row]!;
  return column.type === 'boolean' ? value === 1 : value;
}

export function openPacked({ columns, rows }: PackedTable): Rows {
  const described = columns.map((column): Rows['columns'][number] => ({
    name: column.name,
    type: column.kind === 'text' ? 'string' : column.type,
  }));
  return { columns: described, rows, cell: (row, column) => readPacked(columns[column]!, row) };
}

/** For transfer. */
export function packedBuffers({ columns }: PackedTable): ArrayBuffer[] {
  const arrays = columns.flatMap((column): ArrayBufferView[] => {
    if (column.kind === 'text') return [column.codes];
    return column.nulls ? [column.values, column.nulls] : [column.values];
  });
  return [...new Set(arrays.map(array => array.buffer as ArrayBuffer))];
}

export function takeRows(table: PackedTable, positions: Uint32Array): PackedTable {
  return { rows: positions.length, columns: table.columns.map(column => takeColumn(column, positions)) };
}

function takeColumn(column: PackedColumn, positions: Uint32Array): PackedColumn {
  if (column.kind === 'text') return { ...column, codes: pick(column.codes, positions) };
  const { values, nulls } = column;
  return { ...column, values: pick(values, positions), nulls: nulls && pick(nulls, positions) };
}

function pick<Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(
  values: Numbers,
  positions: Uint32Array,
): Numbers {
  const taken = new (values.constructor as new (length: number) => Numbers)(positions.length);
  for (let i = 0; i < positions.length; i++) taken[i] = values[positions[i]!]!;
  return taken;
}

/** The positions of the rows, sorted by a column. The sort is stable. */
export function orderRows(table: PackedTable, position: number, descending: boolean): Uint32Array {
  const ranks = rankAscending(table.columns[position]!);
  const order = new Uint32Array(table.rows);
  for (let row = 0; row < order.length; row++) order[row] = row;
  const sign = descending ? -1 : 1;
  return order.sort((a, b) => {
    const difference = sign * (ranks[a]! - ranks[b]!);
    // NULLs are infinities, whose difference is NaN.
    return difference > 0 || difference < 0 ? difference : a - b;
  });
}

/** Numbers that sort like the values. */
function rankAscending(column: PackedColumn): Float64Array {
  if (column.kind === 'text') {
    const { texts, codes } = column;
    const sorted = [...texts.keys()].sort((a, b) => compareText(texts[a]!, texts[b]!));
    const rankOf = new Float64Array(texts.length + 1);
    for (const [rank, index] of sorted.entries()) rankOf[index + 1] = rank + 1;
    return Float64Array.from(codes, code => rankOf[code]!);
  }
  const { values, nulls } = column;
  const ranks = Float64Array.from(values);
  if (nulls) for (let row = 0; row < ranks.length; row++) if (nulls[row] === 1) ranks[row] = -Infinity;
  return ranks;
}

/** Rows that fit before the arrays grow. */
const FIRST_ROWS = 1024;

/** With more texts, codes have four bytes. */
const FEW_TEXTS = 65_535;

interface BuiltColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether integers may exceed 32 bits. */
  readonly wide: boolean;
  /** Set for timestamps in UTC. */
  readonly utc?: true | undefined;
}

export class PackedBuilder {
  rows = 0;
  private readonly builders: readonly ColumnBuilder[];

  constructor(columns: readonly BuiltColumn[]) {
    this.builders = columns.map(createBuilder);
  }

  /** `columns` has the values of every column. Undefined is NULL. */
  append(columns: readonly ColumnValues[], rows: number): void {
    for (const [index, builder] of this.builders.entries()) builder.append(columns[index]!, this.rows, rows);
    this.rows += rows;
  }

  build(): PackedTable {
    const { rows } = this;
    return { rows, columns: this.builders.map(builder => builder.build(rows)) };
  }
}

interface ColumnBuilder {
  append(values: ColumnValues, at: number, count: number): void;
  build(rows: number): PackedColumn;
}

function createBuilder({ name, type, wide, utc }: BuiltColumn): ColumnBuilder {
  switch (type) {
    case 'string':
    case 'date':
    case 'timestamp':
      return buildTexts(name, utc === true);
    case 'boolean':
      return buildNumbers(name, type, new Uint8Array(FIRST_ROWS));
    case 'integer':
      return buildNumbers(name, type, wide ? new Float64Array(FIRST_ROWS) : new Int32Array(FIRST_ROWS));
    case 'number':
      return buildNumbers(name, type, new Float64Array(FIRST_ROWS));
    default:
      return type satisfies never;
  }
}

function buildTexts(name: string, utc: boolean): ColumnBuilder {
  let codes = new Uint32Array(FIRST_ROWS);
  const texts: string[] = [];
  const known = new Map<string, number>();
  const codeOf = (value: NonNullable<Value>): number => {
    // Stored JSON has the Z; values of row groups don't.
    const text = utc ? String(value).replace(/Z$/, '') : String(value);
    const code = known.get(text) ?? texts.push(text);
    known.set(text, code);
    return code;
  };
  return {
    append(values, at, count) {
      codes = grow(codes, at + count);
      // Neighbouring rows often share a text, since rows are sorted by the grain.
      let last: Value = null;
      let lastCode = 0;
      for (let i = 0; i < count; i++) {
        const value = values[i] ?? null;
        if (value !== last) {
          last = value;
          lastCode = value === null ? 0 : codeOf(value);
        }
        codes[at + i] = lastCode;
      }
    },
    build(rows) {
      const used = codes.subarray(0, rows);
      const packed = texts.length <= FEW_TEXTS ? Uint16Array.from(used) : used.slice();
      return { kind: 'text', name, codes: packed, texts, ...(utc ? { suffix: 'Z' } : {}) };
    },
  };
}

function buildNumbers(
  name: string,
  type: NumberColumn['type'],
  initial: NumberColumn['values'],
): ColumnBuilder {
  let kept = initial;
  let nulls: Uint8Array | null = null;
  return {
    append(values, at, count) {
      kept = grow(kept, at + count);
      nulls &&= grow(nulls, at + count);
      for (let i = 0; i < count; i++) {
        const value = values[i] ?? null;
        if (value !== null) kept[at + i] = Number(value);
        else {
          nulls ??= new Uint8Array(kept.length);
          nulls[at + i] = 1;
        }
      }
    },
    build: rows => ({
      kind: 'number',
      name,
      type,
      values: kept.slice(0, rows),
      nulls: nulls?.slice(0, rows) ?? null,
    }),
  };
}

/** The same values, with room for at least so many. */
function grow<Numbers extends Uint8Array | Uint32Array | Int32Array | Float64Array>(
  values: Numbers,
  length: number,
): Numbers {
  if (values.length >= length) return values;
  const room = Math.max(length, values.length * 2);
  const grown = new (values.constructor as new (length: number) => Numbers)(room);
  grown.set(values);
  return grown;
}
