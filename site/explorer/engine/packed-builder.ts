/** Collects batches of rows in a packed table. */
import type { ColumnType } from '../../../build/format/documents.ts';
import type { ColumnValues } from '../../query/encode.ts';
import type { PackedColumn, PackedTable } from './packed-table.ts';

/** The initial room, in rows. */
const FIRST_ROWS = 1024;

/** Up to this many texts have codes of two bytes. */
const FEW_TEXTS = 65_535;

interface BuiltColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether integers may exceed 32 bits. */
  readonly wide: boolean;
  /** Present, and true, on timestamps in UTC. */
  readonly utc?: true | undefined;
}

export class PackedBuilder {
  rows = 0;
  private readonly builders: readonly ColumnBuilder[];

  constructor(columns: readonly BuiltColumn[]) {
    this.builders = columns.map(createBuilder);
  }

  /** Adds rows, as values of every column. Undefined is NULL. */
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
      return new TextBuilder(name, utc === true);
    case 'boolean':
      return new BooleanBuilder(name);
    case 'integer':
      return new NumberBuilder(name, type, wide ? new Float64Array(FIRST_ROWS) : new Int32Array(FIRST_ROWS));
    case 'number':
      return new NumberBuilder(name, type, new Float64Array(FIRST_ROWS));
    default:
      return type satisfies never;
  }
}

class TextBuilder implements ColumnBuilder {
  private readonly name: string;
  private codes = new Uint32Array(FIRST_ROWS);
  private readonly texts: string[] = [];
  private readonly known = new Map<string, number>();
  private readonly utc: boolean;

  constructor(name: string, utc: boolean) {
    this.name = name;
    this.utc = utc;
  }

  append(values: ColumnValues, at: number, count: number): void {
    const codes = grow(this.codes, at + count);
    this.codes = codes;
    // Neighbouring rows often share a text, since the grain orders them.
    let last: unknown = null;
    let lastCode = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? null;
      if (value !== last) {
        last = value;
        lastCode = value === null ? 0 : this.codeOf(this.textOf(value));
      }
      codes[at + i] = lastCode;
    }
  }

  /** Stored JSON has the Z, and values of row groups have none. */
  private textOf(value: unknown): string {
    return this.utc ? String(value).replace(/Z$/, '') : String(value);
  }

  private codeOf(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const code = this.texts.push(text);
    this.known.set(text, code);
    return code;
  }

  build(rows: number): PackedColumn {
    const { name, texts } = this;
    const used = this.codes.subarray(0, rows);
    const codes = texts.length <= FEW_TEXTS ? Uint16Array.from(used) : used.slice();
    return { kind: 'text', name, codes, texts, ...(this.utc ? { suffix: 'Z' } : {}) };
  }
}

class NumberBuilder implements ColumnBuilder {
  private readonly name: string;
  private readonly type: 'integer' | 'number';
  private values: Int32Array | Float64Array;
  private nulls: Uint8Array | null = null;

  constructor(name: string, type: 'integer' | 'number', values: Int32Array | Float64Array) {
    this.name = name;
    this.type = type;
    this.values = values;
  }

  append(values: ColumnValues, at: number, count: number): void {
    const kept = grow(this.values, at + count);
    this.values = kept;
    let nulls = this.nulls && grow(this.nulls, at + count);
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? null;
      if (value === null) {
        nulls ??= new Uint8Array(kept.length);
        nulls[at + i] = 1;
      } else kept[at + i] = Number(value);
    }
    this.nulls = nulls;
  }

  build(rows: number): PackedColumn {
    const { name, type, values, nulls } = this;
    return {
      kind: 'number',
      name,
      type,
      values: values.slice(0, rows),
      nulls: nulls?.slice(0, rows) ?? null,
    };
  }
}

class BooleanBuilder implements ColumnBuilder {
  private readonly name: string;
  private values = new Uint8Array(FIRST_ROWS);

  constructor(name: string) {
    this.name = name;
  }

  append(values: ColumnValues, at: number, count: number): void {
    const kept = grow(this.values, at + count);
    this.values = kept;
    for (let i = 0; i < count; i++) {
      const value = values[i] ?? null;
      kept[at + i] = value === null ? 2 : value === true ? 1 : 0;
    }
  }

  build(rows: number): PackedColumn {
    return { kind: 'boolean', name: this.name, values: this.values.slice(0, rows) };
  }
}

/** Returns the same values with room for at least so many. */
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
