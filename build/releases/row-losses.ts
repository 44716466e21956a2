/** Finds rows that published slices and dimensions have lost since the release before. */
import { isRaised } from '../contract/contract-difference.ts';
import type { Dataset } from '../contract/dataset.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ascending } from '../contract/years-and-levels.ts';
import { isWithin, newStatements } from '../format/changes.ts';
import type { ErrataDocument, Erratum } from '../format/documents.ts';
import type { DatasetManifest } from '../format/manifest.ts';
import { errataPath, NO_YEAR } from '../format/paths.ts';
import { groupDigits, someOf } from '../format/shown-text.ts';
import { sliceName } from '../lake/lake-files.ts';
import type { MadePieces } from '../plan/pieces.ts';
import type { TreePlan } from '../plan/plan.ts';
import { readDocument } from '../tree/tree-source.ts';
import { REMOVAL, type SliceName } from './withdrawals.ts';

/** Percentage of a slice's rows that may go without a declaration, unless the contract has another limit. */
const ROW_LOSS_LIMIT = 10;

/** The most slices that a message lists. */
const SHOWN = 8;

export interface CountedSlice extends SliceName {
  readonly rows: number;
}

interface LossInput {
  readonly dataset: Dataset;
  /** The dataset's slices in this release. */
  readonly slices: readonly CountedSlice[];
  readonly before: Pick<DatasetManifest, 'version'> & { readonly slices: readonly CountedSlice[] };
  /** Name of the release before. */
  readonly release: string;
  /** Errata that the release before doesn't have. */
  readonly newErrata: readonly Erratum[];
  /** Date of this release. */
  readonly date: string;
}

interface ThinSlice extends SliceName {
  readonly old: number;
  readonly now: number;
}

/** Diagnostics of the rows that slices and dimensions have lost since the release before. */
export async function findLosses(
  { before, date, datasets, dimensions }: TreePlan,
  made: MadePieces,
): Promise<Diagnostic[]> {
  if (before === null) return [];
  const { release } = before.manifest;
  const found: Diagnostic[] = [];
  for (const { dataset, slices: all } of datasets) {
    const manifest = before.datasets.get(dataset.key);
    if (manifest === undefined) continue;
    const slices = all.map(slice => ({ ...slice, rows: made.slice(slice).parquet.rows }));
    const { domain, topic, errata } = dataset;
    const published =
      errata.length === 0
        ? null
        : await readDocument<ErrataDocument>(before.source, errataPath(domain, topic));
    const newErrata = newStatements(errata, published?.errata);
    found.push(...rowLosses({ dataset, slices, before: manifest, release, newErrata, date }));
  }
  for (const { dimension, domains } of dimensions) {
    const { name, source } = dimension;
    const { rows } = made.dimension(dimension).parquet;
    const old = before.dimensions.get(`${domains[0]}/_dimensions/${name}`)?.rows ?? 0;
    if (rows >= old) continue;
    // If a dataset still refers to a missing row, a check fails.
    const message = `The dimension ${name} has ${groupDigits(rows)} rows, and ${groupDigits(old)} in release ${release}.`;
    found.push({ severity: 'warning', code: 'rows-lost', file: source.file, message });
  }
  return found;
}

/**
 * A diagnostic if slices of a dataset have fewer rows than before: an error if a slice lost more than the contract's
 * `row_loss_limit` and neither a new erratum nor a raised major version declares it. `silentWithdrawals` reports missing
 * slices.
 */
export function rowLosses({ dataset, slices, before, ...input }: LossInput): Diagnostic[] {
  const rowsNow = new Map(slices.map(slice => [sliceName(slice), slice.rows]));
  const compared = before.slices.flatMap((slice): ThinSlice[] => {
    const now = rowsNow.get(sliceName(slice));
    return now === undefined ? [] : [{ ...slice, old: slice.rows, now }];
  });
  const thin = compared.filter(({ old, now }) => now < old);
  if (thin.length === 0) return [];
  const limit = dataset.rowLossLimit ?? ROW_LOSS_LIMIT;
  const raised = isRaised(before.version, dataset.version, REMOVAL);
  const isDeclared = (slice: SliceName) => raised || input.newErrata.some(one => isWithin(one, slice));
  const refused = thin.filter(slice => share(slice) > limit && !isDeclared(slice));
  const shown = [...(refused.length > 0 ? refused : thin)].sort((a, b) => share(b) - share(a));
  const gained = compared.filter(({ old, now }) => now > old);
  const head = `${dataset.key}: ${shown.length === 1 ? 'a slice has' : `${shown.length} slices have`} fewer rows than in release ${input.release}. ${listed(shown, dataset)}.${moved(gained, dataset)}`;
  const base = { code: 'rows-lost', file: dataset.source.file };
  if (refused.length === 0) return [{ ...base, severity: 'warning', message: head }];
  const message = `${head} Deliver the missing rows. If they should go, declare it in the contract, under customProperties: ${erratumWords(dataset, refused, input.date)}. Or raise the limit there, which is ${limit} % of a slice's rows: { property: row_loss_limit, value: ${Math.ceil(Math.max(...refused.map(share)))} }`;
  return [{ ...base, severity: 'error', message }];
}

/** Percentage of the rows that are lost. */
function share({ old, now }: ThinSlice): number {
  return (100 * (old - now)) / old;
}

function listed(slices: readonly ThinSlice[], { levels }: Dataset): string {
  const words = slices.map(slice => {
    const { year, detail, old, now } = slice;
    const name = [year === NO_YEAR ? '' : year, year !== NO_YEAR && levels.length === 1 ? '' : detail];
    const percent = now < old ? ` (−${share(slice).toFixed(1)} %)` : '';
    return `${name.filter(Boolean).join(' ')}: ${groupDigits(old)} → ${groupDigits(now)}${percent}`;
  });
  return someOf(words, SHOWN);
}

function moved(gained: readonly ThinSlice[], dataset: Dataset): string {
  return gained.length === 0 ? '' : ` Others have more, so rows may have moved: ${listed(gained, dataset)}.`;
}

function erratumWords(dataset: Dataset, slices: readonly SliceName[], date: string): string {
  const entry = erratumYaml(dataset, slices, date);
  return dataset.errata.length > 0
    ? `add to the list of the property errata - ${entry}`
    : `add - { property: errata, value: [${entry}] }`;
}

/** An erratum of these slices, as YAML on one line. */
export function erratumYaml(
  { levels }: Dataset,
  slices: readonly SliceName[],
  date: string,
  ...more: readonly string[]
): string {
  const years = ascending(slices.map(({ year }) => year)).filter(year => year !== NO_YEAR);
  const named = [...new Set(slices.map(({ detail }) => detail))];
  const parts = [
    ...[`date: ${date}`, 'wrong: "…"', 'corrected: "…"'],
    ...(years.length === 0 ? [] : [`years: [${years.join(', ')}]`]),
    ...(levels.length === 1 ? [] : [`levels: [${named.join(', ')}]`]),
    ...more,
  ];
  return `{ ${parts.join(', ')} }`;
}
