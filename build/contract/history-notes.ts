/** Reads what a contract says about its past: withdrawals, and errors in earlier releases. */
import type { Erratum, Withdrawal, WithdrawnSlices } from '../format/documents.ts';
import { isDate } from '../format/time-text.ts';
import type { RootProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';
import { readYearList } from './years.ts';

/** ODCS statuses in which a contract is no longer published. */
const ENDED = ['deprecated', 'retired'];

/** The withdrawals of a contract. */
export interface Withdrawn {
  /** Of the whole contract; null if it is still published. */
  readonly withdrawal: Withdrawal | null;
  /** Of some years and levels; newest first. */
  readonly slices: readonly WithdrawnSlices[];
}

/** Reads `withdrawn`: one withdrawal or a list. A withdrawal without years and levels concerns the whole contract. */
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
      problems.doubt(at('date'), 'withdrawn-date', DAY);
      continue;
    }
    if (one.years !== undefined || levels.length > 0) {
      const years = one.years === undefined ? [] : readYearList(one.years, at('years'), problems);
      if (years !== null) slices.push({ date, reason, replacement, years, levels, ...forgetting(one) });
    } else if (!ENDED.includes(status ?? '')) {
      const message = `the contract is withdrawn, but its status is ${quote(status ?? '')}: set the status to retired or remove withdrawn; to withdraw a part of a published contract, name its years or levels`;
      problems.doubt(at(), 'withdrawn-status', message);
    } else if (withdrawal === null) withdrawal = { withdrawn: date, reason, replacement };
    else
      problems.doubt(at(), 'withdrawn-twice', 'the whole contract is withdrawn twice: remove one of the two');
  }
  return { withdrawal, slices: slices.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)) };
}

const DAY = 'this is not a date: write a calendar date as YYYY-MM-DD';

interface Known {
  /** Null if the lake names them. */
  readonly levels: readonly string[] | null;
  readonly columns: readonly string[];
}

/** Reads `errata`, newest first. An unknown level or column is only a warning: an earlier release may have had it. */
export function readErrata(
  root: CustomProperties<RootProperties>,
  { levels, columns }: Known,
  problems: Problems,
): Erratum[] {
  const errata = (root.values.errata ?? []).map((stated, i): Erratum => {
    if (!isDate(stated.date)) problems.doubt(root.pathOf('errata', i, 'date'), 'erratum-date', DAY);
    const look = (key: 'levels' | 'columns', noun: string, known: readonly string[] | null) => {
      for (const [j, name] of (stated[key] ?? []).entries()) {
        if (known === null || known.includes(name)) continue;
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
      ...forgetting(stated),
    };
  });
  return errata.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

/** A note that forgets nothing does not say so, so that it reads as it did before. */
function forgetting({ forget }: { readonly forget?: boolean }): { readonly forget?: true } {
  return forget === true ? { forget } : {};
}
