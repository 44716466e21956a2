/** Dates and timestamps of Parquet as ISO 8601 (FORMAT.md, section 2). Imports nothing. */

const MICROS_A_SECOND = 1_000_000n;

/** `2024-01-15`, from days since 1970. */
export function dateText(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

/** `2024-01-15T13:45:00.5`, from microseconds since 1970: as many decimals as there are, and no Z. */
export function timestampText(micros: bigint): string {
  let seconds = micros / MICROS_A_SECOND;
  let rest = micros % MICROS_A_SECOND;
  if (rest < 0n) {
    seconds -= 1n;
    rest += MICROS_A_SECOND;
  }
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return rest === 0n ? text : `${text}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}

/** Days since 1970 of a text that `dateText` writes. */
export function daysOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

/** Microseconds since 1970 of a text that `timestampText` writes. */
export function microsOf(text: string): bigint {
  const [seconds = '', decimals = ''] = text.split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(decimals.padEnd(6, '0'));
}

/** Whether a text is a calendar date in the form YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;

/** Whether a text is a date and a time of day in the form YYYY-MM-DDThh:mm:ss, with up to six decimals and perhaps a Z. */
export function isTimestamp(text: string): boolean {
  return canonicalTimestamp(text.replace(/Z$/, '')) !== null;
}

/** A timestamp as `timestampText` writes it: seconds may be left out, a space may stand for T; null for other texts. */
export function canonicalTimestamp(text: string): string | null {
  const date = text.slice(0, 10);
  const clock = text.slice(11);
  if (!/^[T ]$/.test(text.slice(10, 11)) || !isDate(date) || !CLOCK.test(clock)) return null;
  const [seconds = '', decimals = ''] = (clock.length === 5 ? `${clock}:00` : clock).split('.');
  const rest = decimals.replace(/0+$/, '');
  return `${date}T${seconds}${rest === '' ? '' : `.${rest}`}`;
}
