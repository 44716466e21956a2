/** What a release changed in a dataset, in words. Imports only what the format has. */
import type { ReleaseChanges, SliceChanges } from './changes.ts';
import { NO_YEAR } from './paths.ts';
import { spellYears } from './year-runs.ts';

/** Sentences, the most important first. */
export function describeChanges(release: ReleaseChanges): string[] {
  const { added, removed, revised, slices, renamed = {}, dropped = [] } = release;
  const rows = [
    revised > 0 ? `${countRows(revised)} revised` : '',
    added > 0 ? `${countRows(added)} added` : '',
    removed > 0 ? `${countRows(removed)} removed` : '',
  ].filter(Boolean);
  return [
    rows.length === 0 ? 'No row changed.' : `${rows.join(', ')}.`,
    ...KINDS.flatMap(([change, words]) => {
      const found = slices.filter(
        one => one.change === change && (change !== 'revised' || one.added + one.removed + one.revised > 0),
      );
      return found.length === 0 ? [] : [`${words}: ${namesOf(found)}.`];
    }),
    ...Object.entries(renamed).map(([old, now]) => `The column ${old} is called ${now} since.`),
    ...(dropped.length === 0 ? [] : [`Columns that went or became another type: ${dropped.join(', ')}.`]),
  ];
}

const KINDS: readonly (readonly [SliceChanges['change'], string])[] = [
  ['revised', 'Revised'],
  ['added', 'New'],
  ['removed', 'Withdrawn'],
  ['replaced', 'Published anew with another grain'],
  ['forgotten', 'Taken back, so that nobody is told the earlier rows'],
];

/** `counties 2020 to 2022; states 2022` */
function namesOf(slices: readonly SliceChanges[]): string {
  const levels = [...new Set(slices.map(one => one.detail))];
  return levels
    .map(level => {
      const years = slices.filter(one => one.detail === level && one.year !== NO_YEAR).map(one => one.year);
      return [level, ...(years.length === 0 ? [] : [spellYears(years)])].join(' ');
    })
    .join('; ');
}

function countRows(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
