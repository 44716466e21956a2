/** Reads columns of numbers written as text. */
import type { TextForm } from '../contract/dataset.ts';
import { NO_FORM } from '../contract/text-form.ts';
import { literal } from './sql.ts';
import {
  type Answer,
  APOSTROPHE_CLASS,
  type Cell,
  type ColumnReading,
  type Doubt,
  findDoubt,
  isUnread,
  plainReading,
  presentText,
  readCellAggregates,
  readSkeletons,
  SIGN_CLASS,
  type Skeleton,
  SPACE_CLASS,
  type TextColumn,
  type TextRows,
  unreadTexts,
} from './text-cells.ts';

interface NumberColumn extends TextColumn {
  readonly type: 'integer' | 'number';
}

type Marks = Pick<TextForm, 'decimal' | 'group'>;

export async function readNumberColumns(
  rows: TextRows,
  columns: readonly NumberColumn[],
): Promise<ColumnReading[]> {
  const found = new Map<NumberColumn, ColumnReading>();
  const shown: Marks[] = [];
  const looks = await readCellAggregates<number, NumberColumn>(rows.session, rows.from, columns, plainLook);
  for (const [i, column] of columns.entries()) {
    const look = looks[i]!;
    const plain = readPlain(column, look);
    if (plain !== null) {
      found.set(column, plain.reading);
      shown.push(plain.marks);
    }
    const [others = 0] = look.slice(-1);
    if (others > 0) found.set(column, plainReading(plainValue(column), unreadTexts(others)));
  }
  const left = columns.filter(column => !found.has(column));
  const forms = await readSkeletons(rows.session, rows.from, left);
  const open = new Map(left.map((column, i) => [column, forms[i]!]));
  for (const [column, skeletons] of open) {
    if (skeletons !== null && column.hasNumbers !== true) {
      const { unread, others, decimal, group } = readNumbers(skeletons, marksOf(column), {
        isSmall: column.isSmall,
      });
      if (unread === 0 && others.length === 0) shown.push({ decimal, group });
    }
  }
  const file = marksOfFile(shown);
  for (const [column, skeletons] of open) {
    found.set(
      column,
      skeletons === null ? await unreadColumn(rows, column) : await readOpen(rows, column, skeletons, file),
    );
  }
  return columns.map(column => found.get(column)!);
}

/** All columns that show a mark must agree on it. */
function marksOfFile(shown: readonly Marks[]): Marks {
  const only = <Key extends keyof Marks>(key: Key): ReadonlySet<Marks[Key]> =>
    new Set(shown.map(marks => marks[key]).filter(mark => mark !== null));
  const [decimals, groups] = [only('decimal'), only('group')];
  if (decimals.size > 1 || groups.size > 1) return { decimal: null, group: null };
  const [decimal = null] = decimals;
  const [group = null] = groups;
  return { decimal, group: group === decimal ? null : group };
}

function marksOf({ stated, hasNumbers }: NumberColumn): Marks {
  const { decimal = null, group = null } = stated?.form ?? NO_FORM;
  const isOpen = decimal === null && group === null;
  return hasNumbers === true && isOpen ? { decimal: '.', group } : { decimal, group };
}

/** Tell whether a column is plain; the last one counts texts that aren't a number in any style. */
function plainLook(column: NumberColumn): readonly string[] {
  const own = 'own';
  const number = plainNumberText(own);
  const point = `strpos(${own}, '.')`;
  return [
    isUnread(own, numberValue(number, column.type)),
    column.stated === null ? isUnread(own, numberValue(number, 'integer')) : 'false',
    `${point} > 0 AND ${point} = length(${own}) - 3`,
    `${point} > 0 AND ${point} <> length(${own}) - 3`,
    `length(${own}) > ${EXACT_WHOLE_DIGITS} AND (${point} = 0 OR ${point} > ${EXACT_WHOLE_DIGITS})`,
    column.stated === null
      ? `CASE WHEN ${number} IS NULL THEN NOT regexp_full_match(${own}, ${literal(SOME_NUMBER)}) END`
      : 'false',
  ].map(condition => `count_if(${condition})`);
}

/** Most columns have no groups and a decimal point, and need only one look. Null for others. */
function readPlain(
  column: NumberColumn,
  [unread = 0, fractions = 0, threes = 0, points = 0, longs = 0]: readonly number[],
): { reading: ColumnReading; marks: Marks } | null {
  const marks = marksOf(column);
  if (marks.decimal === ',' || marks.group === '.') return null;
  const own = presentText(column);
  const isSettled = marks.decimal === '.' || marks.group !== null || column.isSmall === true || points > 0;
  if (unread > 0 || longs > 0 || (threes > 0 && !isSettled)) return null;
  const isPoint = points > 0 && column.hasNumbers !== true && column.stated?.form.decimal == null;
  return {
    reading: {
      ...plainReading(settledValue(own, null, column.type), null),
      whole: fractions === 0 ? settledValue(own, null, 'integer') : null,
    },
    marks: { decimal: isPoint ? '.' : null, group: null },
  };
}

async function readOpen(
  rows: TextRows,
  column: NumberColumn,
  skeletons: readonly Skeleton[],
  file: Marks,
): Promise<ColumnReading> {
  const { type, stated } = column;
  const own = presentText(column);
  const marks = marksOf(column);
  const isOpen = marks.decimal === null && marks.group === null;
  const kind = { isInteger: stated !== null && type === 'integer', isSmall: column.isSmall };
  let read = readNumbers(skeletons, marks, kind);
  if (read.others.length > 0 && isOpen && (file.decimal !== null || file.group !== null)) {
    const settled = readNumbers(skeletons, file, kind);
    if (settled.unread === 0 && settled.others.length === 0)
      read = { ...settled, decimal: settled.style.decimal };
  }
  const number = numberText(own, read.style);
  const value = numberValue(number, type);
  const base: ColumnReading = {
    ...plainReading(value, null),
    form: { ...NO_FORM, ...drafted(skeletons, read) },
    whole: read.isWhole ? numberValue(number, 'integer') : null,
  };
  if (read.unread > 0 || (type === 'integer' && !read.isWhole))
    return {
      ...base,
      doubt:
        stated === null
          ? unreadTexts(read.unread)
          : await findDoubt(rows, 'unread', column, isUnread(own, value)),
    };
  // Among integers, 1.234 is a group, but not if other columns have decimals after a point.
  const isGrouped = isOpen && kind.isInteger && file.decimal === read.style.group;
  const { style, others } = isGrouped ? readNumbers(skeletons, marks, { isSmall: column.isSmall }) : read;
  if (others.length > 0)
    return { ...base, doubt: await findQuestion(rows, column, [read.style, style, ...others]) };
  const inexact = read.isLong ? await findDoubt(rows, 'inexact', column, isBeyondExact(number)) : null;
  if (inexact !== null) return { ...base, doubt: inexact };
  return {
    ...base,
    value: settledValue(own, read.style, type),
    whole: read.isWhole ? settledValue(own, read.style, 'integer') : null,
  };
}

/** What a contract has to state: nothing if there are no groups and the values show the decimal point. */
function drafted(skeletons: readonly Skeleton[], { style, others }: NumberReading): Marks {
  if (others.length > 0) return { decimal: null, group: null };
  const has = (mark: string) => skeletons.some(({ form }) => form.includes(mark));
  const isGrouped = has(style.group);
  const isPlain = style.decimal === '.' && !isGrouped;
  const threes = skeletons.filter(({ form }) => form.includes('.')).every(({ form }) => /\.9{3}$/.test(form));
  return {
    decimal: has(style.decimal) && (!isPlain || threes) ? style.decimal : null,
    group: isGrouped ? style.group : null,
  };
}

async function findQuestion(
  rows: TextRows,
  column: NumberColumn,
  styles: readonly NumberStyle[],
): Promise<Doubt | null> {
  const ambiguous = `regexp_full_match(${presentText(column)}, ${literal(AMBIGUOUS_NUMBER)})`;
  const doubt = await findDoubt(rows, 'ambiguous', column, ambiguous);
  const first = doubt?.cells[0];
  if (doubt === null || first === undefined) return doubt;
  const answers = [',', '.'].flatMap((mark): Answer[] => {
    const style = styles.find(({ decimal }) => decimal === mark);
    return style === undefined ? [] : [answerOf(first, style)];
  });
  return { ...doubt, answers };
}

function answerOf({ text }: Cell, { decimal, group }: NumberStyle): Answer {
  const isGroup = !text.includes(decimal);
  const [property, mark] = isGroup ? ['group', group] : ['decimal', decimal];
  const number = text.trim().replaceAll(group, '').replace(decimal, '.').replace(/[−–]/, '-');
  return { yaml: `- { property: ${property}, value: ${JSON.stringify(mark)} }`, means: number };
}

async function unreadColumn(rows: TextRows, column: NumberColumn): Promise<ColumnReading> {
  const value = plainValue(column);
  const condition = isUnread(presentText(column), value);
  return plainReading(value, await findDoubt(rows, 'unread', column, condition));
}

function plainValue(column: NumberColumn): string {
  return numberValue(plainNumberText(presentText(column)), column.type);
}

interface NumberStyle {
  readonly decimal: '.' | ',';
  readonly group: NonNullable<TextForm['group']>;
}

const STYLES: readonly NumberStyle[] = [
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
];

/** A double holds all whole numbers of so many digits. */
const EXACT_WHOLE_DIGITS = 15;

const CLASS: Readonly<Record<string, string>> = {
  '.': '\\.',
  ',': ',',
  ' ': SPACE_CLASS,
  "'": APOSTROPHE_CLASS,
};

/** `any` and `first` are the classes of a digit, and of one that isn't zero. */
function patterns({ decimal, group }: NumberStyle, any: string, first: string) {
  const mark = CLASS[decimal]!;
  const between = CLASS[group]!;
  const fraction = `(${mark}${any}+)?`;
  // Programming languages write 5. but no number ends in a comma.
  const plain = decimal === '.' ? `(${any}+${mark}?|${any}*${mark}${any}+)` : `${any}*${mark}?${any}+`;
  const thousands = `${first}${any}{0,2}(${between}${any}{3})+`;
  const lakhs = `${first}${any}?(${between}${any}{2})+${between}${any}{3}`;
  return { plain: `${plain}([eE][-+]?${any}+)?`, grouped: `(${thousands}|${lakhs})${fraction}` };
}

/** With 9 for each digit; null if the form isn't a number in this style. */
function readForm(form: string, style: NumberStyle, isSmall: boolean): string | null {
  const { plain, grouped } = patterns(style, '[9z]', '9');
  const body = form.replace(/^[-+]/, '');
  if (new RegExp(`^${plain.replaceAll(SPACE_CLASS, ' ')}$`).test(body))
    return body.replace(style.decimal, '.');
  if (isSmall) return null;
  const bare = grouped.replaceAll(SPACE_CLASS, ' ').replaceAll(APOSTROPHE_CLASS, "'");
  if (!new RegExp(`^${bare}$`).test(body)) return null;
  return body.replaceAll(style.group, '').replace(style.decimal, '.');
}

function isWhole(number: string, { endsInZeros }: Skeleton): boolean {
  return /^[9z]+\.?$/.test(number) || (endsInZeros && /^[9z]+\.[9z]+$/.test(number));
}

interface NumberReading {
  readonly style: NumberStyle;
  /** Texts that aren't numbers of the column's type. */
  readonly unread: number;
  /**
   * Other styles that also read every text, but with other values; if there are any, the column is ambiguous.
   */
  readonly others: readonly NumberStyle[];
  /** Null if the column shows none. */
  readonly decimal: NumberStyle['decimal'] | null;
  readonly group: NumberStyle['group'] | null;
  /** Whether a number has more whole digits than a double always holds. */
  readonly isLong: boolean;
  readonly isWhole: boolean;
}

/**
 * `known`: marks stated by the contract or shown by the file. Values of integer columns are whole, those of
 * small ones have no groups.
 */
function readNumbers(
  skeletons: readonly Skeleton[],
  known: Pick<TextForm, 'decimal' | 'group'>,
  { isInteger = false, isSmall = false }: { isInteger?: boolean; isSmall?: boolean | undefined },
): NumberReading {
  const allowed = STYLES.filter(
    ({ decimal, group }) =>
      (known.decimal === null || known.decimal === decimal) &&
      (known.group === null || known.group === group),
  );
  const read = allowed.map(style => {
    const numbers = skeletons.map(one => {
      const number = readForm(one.form, style, isSmall);
      return number === null || (isInteger && (!isWhole(number, one) || /e/i.test(number))) ? null : number;
    });
    const unread = skeletons.reduce((sum, { count }, i) => sum + (numbers[i] === null ? count : 0), 0);
    return { style, numbers, unread };
  });
  const best = read.reduce((a, b) => (b.unread < a.unread ? b : a));
  const whole = read.filter(({ unread }) => unread === 0);
  const others = whole.filter(({ numbers }) => numbers.some((number, i) => number !== best.numbers[i]));
  const shared = <Key extends keyof NumberStyle>(key: Key): NumberStyle[Key] | null =>
    whole.length > 0 && whole.every(({ style }) => style[key] === best.style[key]) ? best.style[key] : null;
  return {
    style: best.style,
    unread: best.unread,
    others: others.map(({ style }) => style),
    // Marks that the contract states, or styles that weren't tried, prove nothing about other columns.
    decimal: known.decimal === null && known.group === null ? shared('decimal') : null,
    group: known.decimal === null && known.group === null ? shared('group') : null,
    isLong: best.numbers.some(
      number =>
        number !== null && !/e/i.test(number) && number.replace(/\..*/, '').length > EXACT_WHOLE_DIGITS,
    ),
    isWhole: skeletons.every((one, i) => best.numbers[i] !== null && isWhole(best.numbers[i]!, one)),
  };
}

/** Matches every number of every style, and some other texts. */
const SOME_NUMBER = `${SIGN_CLASS}?[0-9.,'\\x{2019} \\x{00a0}\\x{2007}\\x{2009}\\x{202f}]+([eE][-+]?[0-9]+)?`;

/** Matches forms with two readings. */
const AMBIGUOUS_NUMBER = `${SIGN_CLASS}?[1-9][0-9]{0,2}[.,][0-9]{3}`;

/** SQL of the number in a text of `presentText`, as SQL writes it; NULL if it isn't one. */
function numberText(own: string, style: NumberStyle): string {
  const { plain, grouped } = patterns(style, '[0-9]', '[1-9]');
  const isNumber = `regexp_full_match(${own}, ${literal(`${SIGN_CLASS}?(${plain}|${grouped})`)})`;
  return `CASE WHEN ${isNumber} THEN ${unguarded(own, style)} END`;
}

/** Faster, for columns whose texts are all known to be numbers of the type. */
function settledValue(own: string, style: NumberStyle | null, type: 'integer' | 'number'): string {
  const value = `TRY_CAST(${style === null ? own : unguarded(own, style)} AS DOUBLE)`;
  return type === 'number' ? value : `(${value})::BIGINT`;
}

function unguarded(own: string, { decimal, group }: NumberStyle): string {
  const isOne = group === '.' || group === ',';
  const bare = isOne
    ? `replace(${own}, ${literal(group)}, '')`
    : `regexp_replace(${own}, ${literal(CLASS[group]!)}, '', 'g')`;
  const point = decimal === '.' ? bare : `replace(${bare}, ',', '.')`;
  return `translate(${point}, '\u2212\u2013', '--')`;
}

/** For columns without groups and with a decimal point. */
function plainNumberText(own: string): string {
  return `CASE WHEN regexp_full_match(${own}, '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?') THEN ${own} END`;
}

/** An integer of more than 64 bits is NULL. */
function numberValue(number: string, type: 'integer' | 'number'): string {
  return type === 'number'
    ? `TRY_CAST(${number} AS DOUBLE)`
    : // A cast would round 12.5.
      `CASE WHEN NOT regexp_matches(${number}, '\\.0*[1-9]|[eE]') THEN TRY_CAST(regexp_replace(${number}, '\\..*', '') AS BIGINT) END`;
}

/** True for a number whose whole part a double can't hold exactly. */
function isBeyondExact(number: string): string {
  const whole = `TRY_CAST(regexp_replace(${number}, '\\..*', '') AS HUGEINT)`;
  return `${number} IS NOT NULL AND NOT regexp_matches(${number}, '[eE]') AND coalesce(${whole} NOT BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, length(${number}) > ${EXACT_WHOLE_DIGITS})`;
}
