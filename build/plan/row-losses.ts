/** Rows that published slices have lost since the release before. Pure. */
import { isRaised } from '../contract/contract-difference.ts';
import type { Dataset, Dimension } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { isWithin } from '../format/changes.ts';
import type { Erratum } from '../format/document-schemas.ts';
import type { DatasetManifest } from '../format/manifest-schemas.ts';
import { NO_YEAR } from '../format/paths.ts';
import { groupDigits } from '../format/shown-text.ts';
import { REMOVAL } from './silent-withdrawals.ts';
import type { SliceName } from './slice-losses.ts';

/** Percentage of a slice's rows that may go without a word, unless the contract says otherwise. */
const ROW_LOSS_LIMIT = 10;

/** How many slices a line names. */
const SHOWN = 8;

export interface CountedSlice extends SliceName {
  readonly rows: number;
}

export interface LossInput {
  readonly dataset: Dataset;
  /** The dataset's slices in this release. */
  readonly slices: readonly CountedSlice[];
  readonly before: Pick<DatasetManifest, 'version'> & { readonly slices: readonly CountedSlice[] };
  /** Name of the release before. */
  readonly release: string;
  /** Errata that the release before does not have. */
  readonly newErrata: readonly Erratum[];
  /** Date of this release. */
  readonly date: string;
}

interface ThinSlice extends SliceName {
  readonly old: number;
  readonly now: number;
}

/**
 * A diagnostic for a dataset with slices that have fewer rows than before. An error if a slice lost more than the
 * contract's `row_loss_limit`, and neither a new erratum nor a raised major version says that rows go. Slices that are
 * gone are the subject of `silentWithdrawals`.
 */
export function rowLosses({ dataset, slices, before, ...input }: LossInput): Diagnostic[] {
  const rowsNow = new Map(slices.map(slice => [nameOf(slice), slice.rows]));
  const compared = before.slices.flatMap((slice): ThinSlice[] => {
    const now = rowsNow.get(nameOf(slice));
    return now === undefined ? [] : [{ ...slice, old: slice.rows, now }];
  });
  const thin = compared.filter(({ old, now }) => now < old);
  if (thin.length === 0) return [];
  const limit = dataset.rowLossLimit ?? ROW_LOSS_LIMIT;
  const raised = isRaised(before.version, dataset.version, REMOVAL);
  const isDeclared = (slice: SliceName) => raised || input.newErrata.some(one => isWithin(one, slice));
  const refused = thin.filter(slice => share(slice) > limit && !isDeclared(slice));
  const told = [...(refused.length > 0 ? refused : thin)].sort((a, b) => share(b) - share(a));
  const gained = compared.filter(({ old, now }) => now > old);
  const head = `${dataset.key}: ${told.length === 1 ? 'a slice has' : `${told.length} slices have`} fewer rows than in release ${input.release}. ${listed(told, dataset)}.${moved(gained, dataset)}`;
  const base = { code: 'rows-lost', file: dataset.source.file };
  if (refused.length === 0) return [{ ...base, severity: 'warning', message: head }];
  const message = `${head} Deliver the missing rows. If they are to go, say so in the contract, under customProperties: ${erratumWords(dataset, refused, input.date)}. Or raise the limit there, which is ${limit} % of a slice's rows: { property: row_loss_limit, value: ${Math.ceil(Math.max(...refused.map(share)))} }`;
  return [{ ...base, severity: 'error', message }];
}

/** A warning for a dimension with fewer rows than before. A row that a dataset still refers to is an error elsewhere. */
export function placeLoss(
  { name, source }: Dimension,
  old: number,
  now: number,
  release: string,
): Diagnostic[] {
  if (now >= old) return [];
  const message = `The dimension ${name} has ${groupDigits(now)} rows, and ${groupDigits(old)} in release ${release}.`;
  return [{ severity: 'warning', code: 'rows-lost', file: source.file, message }];
}

function nameOf({ year, detail }: SliceName): string {
  return `${year}/${detail}`;
}

/** Percentage of the rows that are gone. */
function share({ old, now }: ThinSlice): number {
  return (100 * (old - now)) / old;
}

function listed(slices: readonly ThinSlice[], { levels }: Dataset): string {
  const more = slices.length > SHOWN ? `, and ${slices.length - SHOWN} more` : '';
  const words = slices.slice(0, SHOWN).map(slice => {
    const { year, detail, old, now } = slice;
    const name = [year === NO_YEAR ? '' : year, year !== NO_YEAR && levels.length === 1 ? '' : detail];
    const percent = now < old ? ` (−${share(slice).toFixed(1)} %)` : '';
    return `${name.filter(Boolean).join(' ')}: ${groupDigits(old)} → ${groupDigits(now)}${percent}`;
  });
  return words.join(', ') + more;
}

function moved(gained: readonly ThinSlice[], dataset: Dataset): string {
  return gained.length === 0 ? '' : ` Others have more, so rows may have moved: ${listed(gained, dataset)}.`;
}

function erratumWords({ errata, levels }: Dataset, slices: readonly SliceName[], date: string): string {
  const years = [...new Set(slices.map(({ year }) => year))].filter(year => year !== NO_YEAR);
  const named = [...new Set(slices.map(({ detail }) => detail))];
  const where = [
    ...(years.length === 0 ? [] : [`years: [${years.sort((a, b) => a - b).join(', ')}]`]),
    ...(levels.length === 1 ? [] : [`levels: [${named.join(', ')}]`]),
  ].map(part => `, ${part}`);
  const entry = `{ date: ${date}, wrong: "…", corrected: "…"${where.join('')} }`;
  return errata.length > 0
    ? `add to the list of the property errata - ${entry}`
    : `add - { property: errata, value: [${entry}] }`;
}
