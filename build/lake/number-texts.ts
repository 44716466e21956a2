/** Numbers as text: which character is the decimal mark and which one groups thousands, and the SQL that reads them. */
import type { TextForm } from '../contract/dataset.ts';
import { literal } from './sql.ts';
import { APOSTROPHE_CLASS, SIGN_CLASS, type Skeleton, SPACE_CLASS } from './text-skeletons.ts';

export interface NumberStyle {
  readonly decimal: '.' | ',';
  readonly group: NonNullable<TextForm['group']>;
}

/** Every way in which offices write numbers. One without grouped numbers may be any of its decimal mark. */
const STYLES: readonly NumberStyle[] = [
  { decimal: '.', group: ',' },
  { decimal: '.', group: ' ' },
  { decimal: '.', group: "'" },
  { decimal: ',', group: '.' },
  { decimal: ',', group: ' ' },
  { decimal: ',', group: "'" },
];

export const PLAIN: NumberStyle = { decimal: '.', group: ',' };

/** Digits of the whole numbers that a double always holds. */
export const EXACT_WHOLE_DIGITS = 15;

const CLASS: Readonly<Record<string, string>> = {
  '.': '\\.',
  ',': ',',
  ' ': SPACE_CLASS,
  "'": APOSTROPHE_CLASS,
};

/** Patterns of a number under a style. `any` and `first` are the classes of a digit, and of one that isn't zero. */
function patterns({ decimal, group }: NumberStyle, any: string, first: string) {
  const mark = CLASS[decimal]!;
  const between = CLASS[group]!;
  const fraction = `(${mark}${any}+)?`;
  // 5. is written in programs' languages; a comma ends no number.
  const plain = decimal === '.' ? `(${any}+${mark}?|${any}*${mark}${any}+)` : `${any}*${mark}?${any}+`;
  const thousands = `${first}${any}{0,2}(${between}${any}{3})+`;
  const lakhs = `${first}${any}?(${between}${any}{2})+${between}${any}{3}`;
  return { plain: `${plain}([eE][-+]?${any}+)?`, grouped: `(${thousands}|${lakhs})${fraction}` };
}

/** The number that a form is under a style, with 9 for each digit; null if it is none. */
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

/** Whether a form that a style reads is a whole number. */
function isWhole(number: string, { endsInZeros }: Skeleton): boolean {
  return /^[9z]+\.?$/.test(number) || (endsInZeros && /^[9z]+\.[9z]+$/.test(number));
}

export interface NumberReading {
  readonly style: NumberStyle;
  /** Texts that are no number of the column's type. */
  readonly unread: number;
  /** Styles that read every text, in other ways than the first; not empty for a column that is ambiguous. */
  readonly others: readonly NumberStyle[];
  /** The decimal mark and the group that the column shows; null if it shows none. */
  readonly decimal: NumberStyle['decimal'] | null;
  readonly group: NumberStyle['group'] | null;
  /** Whether a number has more whole digits than a double always holds. */
  readonly isLong: boolean;
  readonly isWhole: boolean;
}

/**
 * Reads a column by its forms. `known` is what the contract, or the rest of the file, says of the two marks. The values
 * of an integer column are whole, those of a small one have no groups.
 */
export function readNumbers(
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
    // What the contract says is no evidence about other columns; neither is a style that was not tried.
    decimal: known.decimal === null && known.group === null ? shared('decimal') : null,
    group: known.decimal === null && known.group === null ? shared('group') : null,
    isLong: best.numbers.some(
      number =>
        number !== null && !/e/i.test(number) && number.replace(/\..*/, '').length > EXACT_WHOLE_DIGITS,
    ),
    isWhole: skeletons.every((one, i) => best.numbers[i] !== null && isWhole(best.numbers[i]!, one)),
  };
}

/** What every number of every style is, and some other texts. */
export const SOME_NUMBER = `${SIGN_CLASS}?[0-9.,'\\x{2019} \\x{00a0}\\x{2007}\\x{2009}\\x{202f}]+([eE][-+]?[0-9]+)?`;

/** Whether a form can be read in two ways, so that it shows what is open. */
export const AMBIGUOUS_NUMBER = `${SIGN_CLASS}?[1-9][0-9]{0,2}[.,][0-9]{3}`;

/** SQL of the number in a text of `presentText`, as SQL writes it: NULL for a text that is none. */
export function numberText(own: string, style: NumberStyle): string {
  const { plain, grouped } = patterns(style, '[0-9]', '[1-9]');
  const isNumber = `regexp_full_match(${own}, ${literal(`${SIGN_CLASS}?(${plain}|${grouped})`)})`;
  return `CASE WHEN ${isNumber} THEN ${unguarded(own, style)} END`;
}

/** The value of a column whose texts are all numbers of the type: faster, because it looks at each text once. */
export function settledValue(own: string, style: NumberStyle | null, type: 'integer' | 'number'): string {
  const value = `TRY_CAST(${style === null ? own : unguarded(own, style)} AS DOUBLE)`;
  return type === 'number' ? value : `(${value})::BIGINT`;
}

function unguarded(own: string, { decimal, group }: NumberStyle): string {
  const isOne = group === '.' || group === ',';
  const bare = isOne
    ? `replace(${own}, ${literal(group)}, '')`
    : `regexp_replace(${own}, ${literal(CLASS[group]!)}, '', 'g')`;
  const point = decimal === '.' ? bare : `replace(${bare}, ',', '.')`;
  return `replace(${point}, '\u2212', '-')`;
}

/** The same for a column without groups, and with a decimal point: most columns. */
export function plainNumberText(own: string): string {
  return `CASE WHEN regexp_full_match(${own}, '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?') THEN ${own} END`;
}

/** SQL of a value from the text of its number. An integer of more than 64 bits is NULL. */
export function numberValue(number: string, type: 'integer' | 'number'): string {
  return type === 'number'
    ? `TRY_CAST(${number} AS DOUBLE)`
    : // A cast alone would round 12.5.
      `CASE WHEN NOT regexp_matches(${number}, '\\.0*[1-9]|[eE]') THEN TRY_CAST(regexp_replace(${number}, '\\..*', '') AS BIGINT) END`;
}

/** SQL that is true for a whole number that a double cannot hold exactly, or one with such a whole part. */
export function isBeyondExact(number: string): string {
  const whole = `TRY_CAST(regexp_replace(${number}, '\\..*', '') AS HUGEINT)`;
  return `${number} IS NOT NULL AND NOT regexp_matches(${number}, '[eE]') AND coalesce(${whole} NOT BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, length(${number}) > ${EXACT_WHOLE_DIGITS})`;
}
