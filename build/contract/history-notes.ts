/** What a contract says of its own past: that it is withdrawn, and what was wrong in releases that were published. */
import type { Erratum, Withdrawal } from '../format/documents.ts';
import { isDate } from './calendar-date.ts';
import type { RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

/** States of a contract's life (ODCS) in which it is no longer served. */
const ENDED = ['deprecated', 'retired'];

/** Null where the contract is not withdrawn; what is served cannot be. */
export function readWithdrawal(
  root: CustomProperties<RootProperties>,
  status: string | undefined,
  problems: Problems,
): Withdrawal | null {
  const stated = root.values.withdrawn;
  if (stated === undefined) return null;
  if (!ENDED.includes(status ?? '')) {
    const message = `the contract is withdrawn and its status is ${quote(status ?? '')}: make it retired, or remove withdrawn`;
    problems.error(root.pathOf('withdrawn'), 'withdrawn-status', message);
    return null;
  }
  if (!isDate(stated.date)) {
    problems.error(root.pathOf('withdrawn', 'date'), 'withdrawn-date', DAY);
    return null;
  }
  return { withdrawn: stated.date, reason: stated.reason, replacement: stated.replacement ?? null };
}

const DAY = 'there is no such day: write a day of the calendar as YYYY-MM-DD';

interface Known {
  readonly levels: readonly string[];
  readonly columns: readonly string[];
}

/** Newest first. A level or column that is gone by now may be meant, so one that is not known is a warning. */
export function readErrata(
  root: CustomProperties<RootProperties>,
  { levels, columns }: Known,
  problems: Problems,
): Erratum[] {
  const errata = (root.values.errata ?? []).map((stated, i): Erratum => {
    if (!isDate(stated.date)) problems.error(root.pathOf('errata', i, 'date'), 'erratum-date', DAY);
    const look = (key: 'levels' | 'columns', noun: string, known: readonly string[]) => {
      for (const [j, name] of (stated[key] ?? []).entries()) {
        if (known.includes(name)) continue;
        const message = `the contract has no ${noun} ${quote(name)}${suggestion(name, known)}: correct the name, unless an earlier release had it`;
        problems.warning(root.pathOf('errata', i, key, j), 'erratum-unknown', message);
      }
    };
    look('levels', 'level', levels);
    look('columns', 'column', columns);
    const { date, wrong, corrected, releases = [], years = [] } = stated;
    return {
      date,
      wrong,
      corrected,
      releases,
      years,
      levels: stated.levels ?? [],
      columns: stated.columns ?? [],
    };
  });
  return errata.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}
