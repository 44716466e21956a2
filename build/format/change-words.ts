/** What a release changed in a dataset, in words. Imports only what the format has. */
import type { ReleaseChanges, SliceChanges } from './changes.ts';
import { NO_YEAR } from './paths.ts';
import { spellYears } from './year-runs.ts';

/** The words of changes, in a language. Counts are written out; names are `counties 2020 to 2022; states 2022`. */
export const CHANGE_WORDS = {
  none: 'No row changed.',
  revised: (rows: number) => `${countRows(rows)} revised`,
  added: (rows: number) => `${countRows(rows)} added`,
  removed: (rows: number) => `${countRows(rows)} removed`,
  kinds: {
    revised: 'Revised',
    added: 'New',
    removed: 'Withdrawn',
    replaced: 'Published anew with another grain',
    forgotten: 'Taken back, so that nobody is told the earlier rows',
  } satisfies Readonly<Record<SliceChanges['change'], string>>,
  renamed: (old: string, now: string) => `The column ${old} is called ${now} since.`,
  dropped: (columns: string) => `Columns that went or became another type: ${columns}.`,
  /** Stands between the first and the last of several years. */
  to: ' to ',
};

/** Sentences, the most important first. */
export function describeChanges(release: ReleaseChanges, words = CHANGE_WORDS): string[] {
  const { added, removed, revised, slices, renamed = {}, dropped = [] } = release;
  const rows = [
    revised > 0 ? words.revised(revised) : '',
    added > 0 ? words.added(added) : '',
    removed > 0 ? words.removed(removed) : '',
  ].filter(Boolean);
  return [
    rows.length === 0 ? words.none : `${rows.join(', ')}.`,
    ...KINDS.flatMap(change => {
      const found = slices.filter(
        one => one.change === change && (change !== 'revised' || one.added + one.removed + one.revised > 0),
      );
      return found.length === 0 ? [] : [`${words.kinds[change]}: ${namesOf(found, words.to)}.`];
    }),
    ...Object.entries(renamed).map(([old, now]) => words.renamed(old, now)),
    ...(dropped.length === 0 ? [] : [words.dropped(dropped.join(', '))]),
  ];
}

const KINDS = Object.keys(CHANGE_WORDS.kinds) as readonly SliceChanges['change'][];

function namesOf(slices: readonly SliceChanges[], to: string): string {
  const levels = [...new Set(slices.map(one => one.detail))];
  return levels
    .map(level => {
      const years = slices.filter(one => one.detail === level && one.year !== NO_YEAR).map(one => one.year);
      return [level, ...(years.length === 0 ? [] : [spellYears(years, to)])].join(' ');
    })
    .join('; ');
}

function countRows(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
