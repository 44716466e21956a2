/** The initial pins of a question: each axis has one value, so that no row counts twice. */
import type { DatasetManifest } from '../../../build/format/manifest.ts';
import { compareValues } from '../../query/order.ts';
import type { ExploredDataset, Field } from './dataset.ts';

/**
 * Returns the total of an axis, or the value of its key figure, if the level can have it in the year; else the first
 * possible value of those with the most rows: a rare one says little.
 */
export function derivePin(
  { manifest }: ExploredDataset,
  field: Field,
  detail: string,
  year: number | null,
): string | null {
  const possible = field.choices.filter(
    ({ value, years }) =>
      (year === null || years.length === 0 || years.includes(year)) &&
      mayHave(manifest, detail, year, field, value),
  );
  const [first] = possible;
  if (first === undefined) return field.total ?? field.choices[0]?.value ?? null;
  const wanted = field.total ?? field.headline;
  const common = possible.reduce((most, one) => (one.rows > most.rows ? one : most), first);
  return (possible.find(({ value }) => value === wanted) ?? common).value;
}

/** Returns a pin for each axis, in the shape of a question's `filters`. */
export function derivePins(
  dataset: ExploredDataset,
  detail: string,
  year: number | null,
): ReadonlyMap<string, readonly string[]> {
  const pins = new Map<string, readonly string[]>();
  for (const field of dataset.fields) {
    if (field.kind !== 'axis') continue;
    const pin = derivePin(dataset, field, detail, year);
    if (pin !== null) pins.set(field.param, [pin]);
  }
  return pins;
}

/** Whether the row groups' bounds allow the value; unknown means yes. */
function mayHave(
  manifest: DatasetManifest,
  detail: string,
  year: number | null,
  { column, type }: Field,
  text: string,
): boolean {
  const key = manifest.key_columns.indexOf(column);
  if (key < 0 || type === 'boolean') return true;
  const value = type === 'string' ? text : Number(text);
  return manifest.slices
    .filter(slice => slice.detail === detail && (year === null || slice.year === year))
    .some(slice =>
      (slice.files.parquet[0]?.row_groups ?? []).some(({ min, max }) => {
        const [least, greatest] = [min[key] ?? null, max[key] ?? null];
        if (least === null || greatest === null) return false;
        return compareValues(least, value) <= 0 && compareValues(value, greatest) <= 0;
      }),
    );
}
