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
  /** What the entry says of places in the file. */
  readonly places: readonly FooterPlace[];
}

export interface FooterPlace {
  /** Where it is said: the first byte of the entry, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly place: number;
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

/** Beyond any field of a footer. */
const FIELDS = 1000;

/** Of a footer. */
const NUM_ROWS = 3;
const ROW_GROUPS = 4;
/** Of a row group: fields by the path of their numbers. */
const GROUP_ROWS = pathOf(3);
const GROUP_START = pathOf(5);
const GROUP_BYTES = pathOf(6);
/** Of `columns`, then `meta_data`: the data page, the index page, the dictionary page. */
const PAGES = new Set([pathOf(1, 3, 9), pathOf(1, 3, 10), pathOf(1, 3, 11)]);
/** What stands outside of row groups, or at a place that no longer counts: bloom filters, page indexes. */
const ELSEWHERE = new Set([pathOf(1, 3, 14), pathOf(1, 4), pathOf(1, 6)]);

/** A path as one number: a footer has tens of thousands of them. */
function pathOf(...fields: readonly number[]): number {
  return fields.reduce((path, field) => path * FIELDS + field, 0);
}

/** Throws where the footer is not one that can be taken apart. */
export function parseFooter(bytes: Buffer): Footer {
  const reader = new Reader(bytes);
  const groups: FooterGroup[] = [];
  let head: Buffer | null = null;
  let tail: Buffer | null = null;
  let before = 0;
  for (;;) {
    const at = reader.position;
    const type = reader.header(before);
    if (type === TYPE.stop) break;
    const { field } = reader;
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
  const first = reader.position;
  let [start, bytes, rows]: (number | undefined)[] = [];
  const places: FooterPlace[] = [];
  reader.struct(0, (path, value, from, to) => {
    if (path === GROUP_START || PAGES.has(path))
      places.push({ from: from - first, to: to - first, place: value });
    if (path === GROUP_START) start = value;
    else if (path === GROUP_BYTES) bytes = value;
    else if (path === GROUP_ROWS) rows = value;
    else if (ELSEWHERE.has(path))
      throw new Error('The file has more than row groups: indexes, or bloom filters.');
  });
  if (start === undefined || bytes === undefined || rows === undefined)
    throw new Error('The footer does not say where its row groups are.');
  return { entry: reader.bytes.subarray(first, reader.position), start, bytes, rows, places };
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
    for (const { from, to, place } of start === group.start ? [] : group.places) {
      writer.copy(group.entry.subarray(copied, from));
      writer.integer(place + start - group.start);
      copied = to;
    }
    writer.copy(group.entry.subarray(copied));
  }
  writer.copy(tail);
  return writer.written();
}

/** Called with each integer of 16 bits or more: its path, its value, and where its bytes are. */
type OnInteger = (path: number, value: number, from: number, to: number) => void;

class Reader {
  readonly bytes: Buffer;
  position = 0;
  /** Of the header that was read last. */
  field = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw new Error('The footer ends too soon.');
    return byte;
  }

  #pass(bytes: number): void {
    this.position += bytes;
    if (!(this.position <= this.bytes.length)) throw new Error('The footer ends too soon.');
  }

  /** Unsigned; exact as far as 2^53. */
  varint(): number {
    let byte = this.byte();
    let value = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = this.byte();
      value += (byte & 127) * scale;
    }
    return value;
  }

  integer(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads `field` of a struct, and returns the type of its value. */
  header(before: number): number {
    const byte = this.byte();
    if (byte === TYPE.stop) return TYPE.stop;
    this.field = byte >> 4 === 0 ? this.integer() : before + (byte >> 4);
    if (!(this.field > 0 && this.field < FIELDS))
      throw new Error(`The footer has a field ${this.field}, which Parquet's footers do not have.`);
    return byte & 15;
  }

  list(): { type: number; length: number } {
    const byte = this.byte();
    return { type: byte & 15, length: byte >> 4 === 15 ? this.varint() : byte >> 4 };
  }

  struct(path: number, onInteger: OnInteger | null): void {
    for (let before = 0; ; ) {
      const type = this.header(before);
      if (type === TYPE.stop) return;
      before = this.field;
      this.#value(type, path * FIELDS + before, onInteger);
    }
  }

  skip(type: number): void {
    this.#value(type, 0, null);
  }

  #value(type: number, path: number, onInteger: OnInteger | null): void {
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
