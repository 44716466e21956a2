/** What random tables are made of. */
/** What a cell says, as a text and as values of other types; `text` is null for a missing value. */
export interface Cell {
  readonly text: string | null;
  readonly number?: number;
  readonly boolean?: boolean;
  /** A date or a timestamp as the API writes it. */
  readonly time?: string;
}

export interface RandomTable {
  /** The file's name. */
  readonly name: string;
  /** Names as the file has them. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly dialect: string;
  readonly write: () => Promise<Buffer | string>;
}

/** Numbers from 0 up to `below`. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export const pick = <Item>(random: Random, list: readonly Item[]): Item => list[random(list.length)]!;

export const digits = (value: number, width = 2) => String(value).padStart(width, '0');

export const dayOf = (random: Random) =>
  `${2019 + random(5)}-${digits(1 + random(12))}-${digits(1 + random(28))}`;

export const HOSTILE = [
  'a "quoted" word',
  'two\nlines',
  'two\r\nlines',
  ' a space before',
  'and after ',
  'a,b;c|d\te',
  "it's",
  '👩‍🚀 emoji',
  'é è ñ',
  '=1+1',
  '{"a":1}',
  "'; DROP TABLE t; --",
  '<b>&amp;</b>',
  '\\n',
  '%s',
  'x'.repeat(3000),
  '日本',
  '"',
  '- a',
  '# b',
  'null',
  'NA',
  'None',
  '-',
  'a: b',
];

export const text = (value: string): Cell => ({ text: value });
export const number = (value: number): Cell => ({ text: String(value), number: value });
