/** The level and the values of axes at which one figure speaks for a dataset: that of its headline and of its first view. */
import type { SliceEntry } from '../../../build/format/manifest.ts';
import type { ExploredDataset } from './dataset.ts';
import type { Pins } from './figure.ts';
import { type Level, deriveJoins, holds, placesAt } from './levels.ts';

/** Chooses the level of the whole, else the level with the fewest places of one kind, with its pins. Null if no one figure can speak for the dataset. */
export function chooseHeadlineLevel(
  dataset: ExploredDataset,
): { readonly level: Level; readonly pins: Pins } | null {
  const { schema, levels, manifest } = dataset;
  const latestOf = ({ name }: Level) =>
    manifest.slices.findLast(slice => slice.detail === name && slice.rows > 0);
  const size = (level: Level) => latestOf(level)?.rows ?? 0;
  const whole = levels.filter(level => level.places.length === 0);
  const joins = deriveJoins(schema);
  const single = levels.filter(level => placesAt(level, joins).length === 1);
  const [fewest] = [...single].sort((a, b) => size(a) - size(b));
  for (const level of whole.length > 0 ? whole : fewest ? [fewest] : []) {
    const slice = latestOf(level);
    const pins = slice ? pinTotals(dataset, slice) : null;
    if (pins !== null) return { level, pins };
  }
  return null;
}

/**
 * Pins each axis to its total, to the value that its contract names for the key figure, to the one value that the
 * contract allows, or to NULL where no row has a value in it. Null if any other axis has values.
 */
export function pinTotals(
  { schema, manifest, yearColumn, timeline }: ExploredDataset,
  slice: SliceEntry,
): Pins | null {
  const columns = new Map(schema.columns.map(column => [column.name, column]));
  const pins = new Map<string, string | null>();
  for (const name of schema.grain) {
    if (name === yearColumn || name === timeline?.column || manifest.place.includes(name)) continue;
    const { total_value, headline_value, valid_values } = columns.get(name) ?? {};
    const only = valid_values?.length === 1 ? String(valid_values[0]) : null;
    const isUsed = holds(slice, manifest.key_columns.indexOf(name));
    const pin = isUsed ? (total_value ?? headline_value ?? only) : null;
    if (isUsed && pin === null) return null;
    pins.set(name, pin);
  }
  return pins;
}
