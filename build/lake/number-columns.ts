/** Reads columns of numbers: by their own texts, and by what the other columns of the file show. */
import type { TextForm } from '../contract/dataset.ts';
import { NO_FORM } from '../contract/text-form.ts';
import {
  AMBIGUOUS_NUMBER,
  EXACT_WHOLE_DIGITS,
  isBeyondExact,
  type NumberReading,
  type NumberStyle,
  numberText,
  numberValue,
  plainNumberText,
  readNumbers,
  SOME_NUMBER,
  settledValue,
} from './number-texts.ts';
import { literal } from './sql.ts';
import { readCellAggregates, readSkeletons } from './text-cells.ts';
import type { Answer, Cell, ColumnReading, Doubt, TextColumn, TextRows } from './text-reading.ts';
import { findDoubt, isUnread, plainReading, unreadTexts } from './text-reading.ts';
import { presentText, type Skeleton } from './text-skeletons.ts';

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

/** A file writes its numbers in one way: what all columns that show a mark agree on, or nothing. */
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

/** Aggregates of a column that tell whether it is plain; the last one counts texts that are a number in no style. */
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

/** Most columns are written without groups and with a decimal point, and need one look. Null for another. */
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
  if (read.others.length > 0)
    return { ...base, doubt: await findQuestion(rows, column, [read.style, ...read.others]) };
  const inexact = read.isLong ? await findDoubt(rows, 'inexact', column, isBeyondExact(number)) : null;
  if (inexact !== null) return { ...base, doubt: inexact };
  return {
    ...base,
    value: settledValue(own, read.style, type),
    whole: read.isWhole ? settledValue(own, read.style, 'integer') : null,
  };
}

/** What a contract needs to say: nothing of a column without groups and with a point that shows itself. */
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
  const number = text.trim().replaceAll(group, '').replace(decimal, '.').replace('\u2212', '-');
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
