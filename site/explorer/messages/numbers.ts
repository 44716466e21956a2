/** Numbers and months in the tree's language. */

/** A BCP 47 tag. */
export let locale = globalThis.document?.documentElement.lang || 'en';

export function setLocale(tag: string): void {
  locale = tag;
}

/** Creating a formatter takes longer than formatting a thousand numbers. */
const formatters = new Map<string, Intl.NumberFormat>();

/** Writes a minus sign instead of a hyphen, and no sign if the number rounds to zero. */
export function writeNumber(value: number, options: Intl.NumberFormatOptions): string {
  // Nobody counts the digits of a greater number.
  if (Math.abs(value) >= 1e21) return String(value);
  const key = `${locale} ${JSON.stringify(options)}`;
  const formatter =
    formatters.get(key) ?? new Intl.NumberFormat(locale, { useGrouping: 'always', ...options });
  formatters.set(key, formatter);
  const size = formatter.format(Math.abs(value));
  return value < 0 && /[1-9]/.test(size) ? `−${size}` : size;
}

/** Formats 1234567.5 as 1,234,567.5 in English, with at most `decimals` and no trailing zeros. */
export function formatDecimal(value: number, decimals: number): string {
  return writeNumber(value, { maximumFractionDigits: decimals });
}

/** Formats a count with thousands separators. */
export function formatCount(value: number): string {
  return formatDecimal(value, 0);
}

/** Formats `1 row`, `2 rows`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

const months = new Map<string, string>();

/** January is 0. */
export function nameMonth(month: number, length: 'long' | 'short'): string {
  const key = `${locale} ${length} ${month}`;
  const name =
    months.get(key) ??
    new Intl.DateTimeFormat(locale, { month: length, timeZone: 'UTC' }).format(Date.UTC(2000, month));
  months.set(key, name);
  return name;
}

/** `A, B, and C` */
export function joinWords(words: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(words);
}
