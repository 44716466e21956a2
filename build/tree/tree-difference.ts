/** The difference between two releases, as data and in words. Pure. */

import type { ContractChange } from '../contract/contract-difference.ts';
import type { TreeRelease } from '../format/changes.ts';
import type { Erratum, TreeExtract, Withdrawal, WithdrawnSlices } from '../format/documents.ts';
import { extractNotice } from '../format/envelope.ts';
import { countOf, oneLine } from '../format/shown-text.ts';
import { spellYears } from '../format/time-text.ts';

export interface TreeDifference {
  readonly old: TreeRelease;
  readonly new: TreeRelease;
  /** Only datasets that changed, sorted by key. */
  readonly datasets: readonly ContractDifference[];
  readonly dimensions: readonly ContractDifference[];
  /** Number of unchanged datasets and dimensions. */
  readonly unchanged: number;
  /** Present if a tree is an extract. Datasets that it lacks aren't compared. */
  readonly extracts?: { readonly old: TreeExtract | null; readonly new: TreeExtract | null };
}

export interface ContractDifference {
  /** `domain/topic`, or `domain/_dimensions/name`. */
  readonly key: string;
  readonly title: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Present on an added dataset if the earlier tree is an extract without it. */
  readonly beyond?: true;
  readonly version: { readonly old: string | null; readonly new: string | null };
  readonly contract: readonly ContractChange[];
  readonly rows: RowCounts;
  /** Sorted by year and level. A dimension has one entry, with neither. */
  readonly slices: readonly SliceDifference[];
  /** The later tree's notice about a dataset that it no longer contains. */
  readonly withdrawal?: Withdrawal;
  /** Years and levels that the later tree withdraws and the earlier one doesn't. */
  readonly withdrawnSlices?: readonly WithdrawnSlices[];
  readonly errata?: readonly Erratum[];
}

export interface SliceDifference {
  readonly year: number | null;
  readonly detail: string | null;
  readonly change: 'added' | 'removed' | 'revised';
  readonly rows: RowCounts;
  /** Numbers of revised rows by column; null if rows weren't compared. */
  readonly columns: Readonly<Record<string, number>> | null;
}

interface RowCounts {
  readonly old: number;
  readonly new: number;
  /** Null if rows couldn't be compared, because their key changed or a file was missing. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly revised: number | null;
}

export function sumRows(slices: readonly SliceDifference[], old: number, now: number): RowCounts {
  const sum = (name: 'added' | 'removed' | 'revised') =>
    slices.reduce<number | null>((total, { rows }) => {
      const count = rows[name];
      return total === null || count === null ? null : total + count;
    }, 0);
  return { old, new: now, added: sum('added'), removed: sum('removed'), revised: sum('revised') };
}

/** A line for each dataset and dimension, followed by its changes and slices. */
export function differenceLines(difference: TreeDifference, mostSlices = 12): string[] {
  const changed = [...difference.datasets, ...difference.dimensions];
  const { old = null, new: now = null } = difference.extracts ?? {};
  const extracts = [
    ...(old === null ? [] : [`The previous release is an extract: ${old.only.split(',').join(', ')}.`]),
    ...(now === null ? [] : [extractNotice(now)]),
  ];
  if (changed.length === 0) return [...extracts, 'Nothing changed.'];
  const lines = changed.flatMap(one => [
    headLine(one),
    ...(one.withdrawnSlices ?? []).map(withdrawnSlicesLine),
    ...(one.withdrawal === undefined ? [] : [withdrawalLine(one.withdrawal)]),
    ...(one.errata ?? []).map(erratumLine),
    ...one.contract.map(({ level, text }) => `  ${level}: ${oneLine(text)}`),
    ...(one.change === 'changed' ? sliceLines(one.slices, mostSlices) : []),
  ]);
  return [...extracts, ...lines];
}

function headLine({ key, change, version, rows, beyond }: ContractDifference): string {
  switch (change) {
    case 'added':
      return `${key} ${version.new ?? ''}: ${beyond ? 'not in the previous extract' : 'new'}, ${countOf(rows.new, 'row')}`;
    case 'removed':
      return `${key} ${version.old ?? ''}: withdrawn, ${countOf(rows.old, 'row')}`;
    case 'changed': {
      const from = version.old === null || version.old === version.new ? '' : `${version.old} → `;
      const words = rowWords(rows);
      return `${key} ${from}${version.new ?? ''}: ${words === '' ? 'no row changed' : words}`;
    }
    default:
      return change satisfies never;
  }
}

function withdrawalLine({ withdrawn, reason, replacement }: Withdrawal): string {
  const instead = replacement === null ? '' : ` Use ${replacement} instead.`;
  return `  since ${withdrawn}: ${oneLine(reason)}${instead}`;
}

function withdrawnSlicesLine({ date, reason, replacement, years, levels }: WithdrawnSlices): string {
  const instead = replacement === null ? '' : ` Use ${replacement} instead.`;
  const what = [...(years.length === 0 ? [] : [spellYears(years)]), ...levels].join(', ');
  return `  withdrawn on ${date} (${what}): ${oneLine(reason)}${instead}`;
}

/** Indented, for the lines beneath its dataset. */
export function erratumLine({ date, wrong, corrected, years, levels, columns }: Erratum): string {
  const where = [...years, ...levels, ...columns].join(', ');
  return `  erratum of ${date}${where === '' ? '' : ` (${where})`}: ${oneLine(wrong)} ${oneLine(corrected)}`;
}

/** The first slices, and all others with fewer rows than before, so that every loss is shown. */
function sliceLines(slices: readonly SliceDifference[], most: number): string[] {
  const shown = slices.filter(({ rows }, i) => i < most || rows.new < rows.old);
  const more = slices.length - shown.length;
  return [...shown.map(sliceLine), ...(more > 0 ? [`  and ${more} more slices`] : [])];
}

function sliceLine({ year, detail, change, rows, columns }: SliceDifference): string {
  const name = year === null ? '  rows' : `  ${year} ${detail ?? ''}`;
  const what = change === 'revised' ? '' : change === 'added' ? ' (new)' : ' (withdrawn)';
  const named = Object.entries(columns ?? {}).map(([column, count]) => `${column} ${count}`);
  const inColumns = named.length === 0 ? '' : `, in ${named.join(', ')}`;
  const fewer = change === 'revised' && rows.new < rows.old ? ` (${rows.old} rows became ${rows.new})` : '';
  const words = rowWords(rows) || 'same rows';
  return `${name}${what}: ${words}${words.includes('became') ? '' : fewer}${inColumns}`;
}

function rowWords({ old, new: now, added, removed, revised }: RowCounts): string {
  if (added === null || removed === null || revised === null) {
    return old === now ? `${countOf(now, 'row')}, some changed` : `${old} rows became ${now}`;
  }
  return [
    ...(added === 0 ? [] : [`${countOf(added, 'row')} added`]),
    ...(removed === 0 ? [] : [`${countOf(removed, 'row')} removed`]),
    ...(revised === 0 ? [] : [`${countOf(revised, 'row')} revised`]),
  ].join(', ');
}
