import { UnableError } from '../failure.ts';
import { isDate } from '../format/time-text.ts';

/** The date of a release: `--release-date`, else SOURCE_DATE_EPOCH, else that of the lake's newest file (`newest`). */
export function releaseDate(given: string | null, newest: number): string {
  if (given !== null) {
    if (!isDate(given)) {
      throw new UnableError('release-date', `"${given}" is not a date. Write --release-date as YYYY-MM-DD.`);
    }
    return given;
  }
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch !== undefined && epoch !== '') {
    if (!/^\d{1,12}$/.test(epoch)) {
      throw new UnableError(
        'release-date',
        `SOURCE_DATE_EPOCH is "${epoch}"; it must be a number of seconds since 1970.`,
      );
    }
    return new Date(Number(epoch) * 1000).toISOString().slice(0, 10);
  }
  return new Date(newest).toISOString().slice(0, 10);
}
