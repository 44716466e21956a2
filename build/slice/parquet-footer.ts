/**
 * A Parquet file's footer as far as it says where things are: FileMetaData of parquet.thrift in Thrift's compact
 * protocol. Everything else is bytes that are taken over as they are, whatever it says.
 * Sources: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift,
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */

/** A row group's entry in a footer. */
export interface FooterGroup {
  readonly entry: Buffer;
  /** Where its bytes begin in the file, and how many they are. */
  readonly start: number;
  readonly bytes: number;
  readonly rows: number;
}

export interface Footer {
  readonly groups: readonly FooterGroup[];
  /** The fields before the count of rows, which row groups follow. */
  readonly head: Buffer;
  /** The fields after the row groups. */
  readonly tail: Buffer;
}

/** Types of the compact protocol. */
const TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
};

/** Fields by the path of their numbers. */
const NUM_ROWS = 3;
const ROW_GROUPS = 4;
const GROUP_ROWS = '3';
const GROUP_START = '5';
const GROUP_BYTES = '6';
/** Of `columns`, then `meta_data`: the data page, the index page, the dictionary page. */
const PAGES = new Set(['1.3.9', '1.3.10', '1.3.11']);
/** What stands outside of row groups, or at a place that no longer counts: bloom filters, page indexes. */
const ELSEWHERE = new Set(['1.3.14', '1.4', '1.6']);

/** Throws where the footer is not one that can be taken apart. */
export function parseFooter(bytes: Buffer): Footer {
  const reader = new Reader(bytes);
  const groups: FooterGroup[] = [];
  let head: Buffer | null = null;
  let tail: Buffer | null = null;
  let before = 0;
  for (;;) {
    const at = reader.position;
    const header = reader.header(before);
    if (header === null) break;
    const { field, type } = header;
    if (field === ROW_GROUPS && before === NUM_ROWS) {
      for (let left = reader.list().length; left > 0; left--) groups.push(parseGroup(reader));
      tail = bytes.subarray(reader.position);
    } else {
      if (field === NUM_ROWS && type === TYPE.i64) head = bytes.subarray(0, at);
      reader.skip(type);
    }
    before = field;
  }
  if (head === null || tail === null)
    throw new Error('The footer has no row groups, or they do not follow their count.');
  if (reader.position !== bytes.length) throw new Error('The footer does not end where it should.');
  return { groups, head, tail };
}

function parseGroup(reader: Reader): FooterGroup {
  const from = reader.position;
  const found = new Map<string, number>();
  reader.struct('', (path, value) => {
    if (ELSEWHERE.has(path)) throw new Error('The file has more than row groups: indexes, or bloom filters.');
    found.set(path, value);
  });
  const [start, bytes, rows] = [GROUP_START, GROUP_BYTES, GROUP_ROWS].map(path => found.get(path));
  if (start === undefined || bytes === undefined || rows === undefined)
    throw new Error('The footer does not say where its row groups are.');
  return { entry: reader.bytes.subarray(from, reader.position), start, bytes, rows };
}

/** A footer of these row groups, each where it is now; the rest is as in `like`. */
export function renderFooter(
  { head, tail }: Pick<Footer, 'head' | 'tail'>,
  groups: readonly { readonly group: FooterGroup; readonly start: number }[],
): Buffer {
  const writer = new Writer(
    head.length + tail.length + groups.reduce((sum, { group }) => sum + 2 * group.entry.length, 64),
  );
  writer.copy(head);
  // Both fields follow the one before them: their headers hold a difference of one.
  writer.byte((1 << 4) | TYPE.i64);
  writer.integer(groups.reduce((sum, { group }) => sum + group.rows, 0));
  writer.byte((1 << 4) | TYPE.list);
  writer.list(TYPE.struct, groups.length);
  for (const { group, start } of groups) {
    let copied = 0;
    const reader = new Reader(group.entry);
    reader.struct('', (path, value, from, to) => {
      if (path !== GROUP_START && !PAGES.has(path)) return;
      writer.copy(group.entry.subarray(copied, from));
      writer.integer(value + start - group.start);
      copied = to;
    });
    writer.copy(group.entry.subarray(copied));
  }
  writer.copy(tail);
  return writer.written();
}

/** Called with each integer of 16 bits or more: its path, its value, and where its bytes are. */
type OnInteger = (path: string, value: number, from: number, to: number) => void;

class Reader {
  readonly bytes: Buffer;
  position = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    this.#pass(1);
    return this.bytes[this.position - 1] ?? 0;
  }

  #pass(bytes: number): void {
    this.position += bytes;
    if (!(this.position <= this.bytes.length)) throw new Error('The footer ends too soon.');
  }

  /** Unsigned; exact as far as 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  integer(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** The next field of a struct; null at its end. */
  header(before: number): { field: number; type: number } | null {
    const byte = this.byte();
    const type = byte & 15;
    if (type === TYPE.stop) return null;
    return { field: byte >> 4 === 0 ? this.integer() : before + (byte >> 4), type };
  }

  list(): { type: number; length: number } {
    const byte = this.byte();
    return { type: byte & 15, length: byte >> 4 === 15 ? this.varint() : byte >> 4 };
  }

  struct(path: string, onInteger: OnInteger | null): void {
    for (let field = 0; ; ) {
      const header = this.header(field);
      if (header === null) return;
      field = header.field;
      this.#value(
        header.type,
        onInteger === null ? '' : path === '' ? String(field) : `${path}.${field}`,
        onInteger,
      );
    }
  }

  skip(type: number): void {
    this.#value(type, '', null);
  }

  #value(type: number, path: string, onInteger: OnInteger | null): void {
    const from = this.position;
    switch (type) {
      case TYPE.true:
      case TYPE.false:
        return;
      case TYPE.byte:
        this.#pass(1);
        return;
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64: {
        const value = this.integer();
        onInteger?.(path, value, from, this.position);
        return;
      }
      case TYPE.double:
        this.#pass(8);
        return;
      case TYPE.binary:
        this.#pass(this.varint());
        return;
      case TYPE.list:
      case TYPE.set: {
        const { type: item, length } = this.list();
        // The truth values of a list take a byte each.
        const kind = item === TYPE.true || item === TYPE.false ? TYPE.byte : item;
        for (let i = 0; i < length; i++) this.#value(kind, path, onInteger);
        return;
      }
      case TYPE.struct:
        this.struct(path, onInteger);
        return;
      default:
        throw new Error(`The footer has a value of the type ${type}, which Parquet's footers do not have.`);
    }
  }
}

class Writer {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  copy(bytes: Buffer): void {
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  integer(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  list(type: number, length: number): void {
    this.byte((Math.min(length, 15) << 4) | type);
    if (length >= 15) this.varint(length);
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
