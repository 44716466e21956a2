/** What a contract says of its own past: that it is withdrawn, and what was wrong in releases that were published. */
import type { Erratum, Withdrawal, WithdrawnSlices } from '../format/documents.ts';
import { isDate } from './calendar-date.ts';
import type { RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';
import { readYearList } from './years.ts';

/** States of a contract's life (ODCS) in which it is no longer served. */
const ENDED = ['deprecated', 'retired'];

/** What a contract says that it withdraws. */
export interface Withdrawn {
  /** All of it; null where it is served. */
  readonly withdrawal: Withdrawal | null;
  /** Years and levels of it; newest first. */
  readonly slices: readonly WithdrawnSlices[];
}

/** `withdrawn`: one withdrawal, or a list. One without years and levels is of the whole contract, which cannot be served then. */
export function readWithdrawn(
  root: CustomProperties<RootProperties>,
  status: string | undefined,
  problems: Problems,
): Withdrawn {
  const stated = root.values.withdrawn;
  const list = stated === undefined ? [] : 'date' in stated ? [stated] : stated;
  let withdrawal: Withdrawal | null = null;
  const slices: WithdrawnSlices[] = [];
  for (const [i, one] of list.entries()) {
    const at = (...inside: Path) => root.pathOf('withdrawn', ...(stated === one ? [] : [i]), ...inside);
    const { date, reason, replacement = null, levels = [] } = one;
    if (!isDate(date)) {
      problems.error(at('date'), 'withdrawn-date', DAY);
      continue;
    }
    if (one.years !== undefined || levels.length > 0) {
      const years = one.years === undefined ? [] : readYearList(one.years, at('years'), problems);
      if (years !== null) slices.push({ date, reason, replacement, years, levels });
    } else if (!ENDED.includes(status ?? '')) {
      const message = `the contract is withdrawn and its status is ${quote(status ?? '')}: make it retired, or remove withdrawn; or name the years or levels of it that are withdrawn, while it is served`;
      problems.error(at(), 'withdrawn-status', message);
    } else if (withdrawal === null) withdrawal = { withdrawn: date, reason, replacement };
    else
      problems.error(
        at(),
        'withdrawn-twice',
        'the whole contract is withdrawn already: remove one of the two',
      );
  }
  return { withdrawal, slices: slices.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)) };
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
