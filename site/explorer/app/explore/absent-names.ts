/**
 * Looks up the names of chosen places that a dataset has no rows of. Loads apart, since few addresses need
 * it.
 */
import { splitPlaceKey } from '../../../query/request.ts';
import { type Engine, MOST_FIRST_ROWS } from '../../engine/engine.ts';
import { textOf } from '../../view/chosen-places.ts';
import { deriveJoins, type ExploredDataset, placesAt } from '../../view/dataset.ts';
import { type LevelPlace, levelOf } from '../../view/question.ts';
import { columnAt } from '../../view/rows.ts';

export async function findNames(
  engine: Engine,
  dataset: ExploredDataset,
  places: readonly LevelPlace[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const { schema } = dataset;
  const names = new Map<string, string>();
  for (const detail of new Set(places.map(place => place.detail))) {
    const level = levelOf(dataset, detail);
    const [join, ...others] = placesAt(level, deriveJoins(schema));
    const key = schema.foreign_keys.find(one => one.target_object === join?.dimension);
    const nameColumn = key?.attribute_columns_added[0];
    if (!join || !key || nameColumn === undefined || others.length > 0) continue;
    const asked = `${schema.main_topic}/_dimensions/${join.dimension}`;
    const { table } = await engine.first(asked, [], MOST_FIRST_ROWS, { signal });
    const at = key.target_columns.map(column => columnAt(table, column));
    const nameAt = columnAt(table, nameColumn);
    const wanted = new Map(
      places
        .filter(place => place.detail === detail)
        .map(place => {
          const codes = splitPlaceKey(place.key) ?? [];
          const own = join.columns.map(column => codes[level.places.indexOf(column)] ?? null);
          return [JSON.stringify(own), textOf(place)];
        }),
    );
    for (let row = 0; row < table.rows && nameAt >= 0; row++) {
      const codes = at.map(column => (column < 0 ? null : String(table.cell(row, column))));
      const place = wanted.get(JSON.stringify(codes));
      const name = table.cell(row, nameAt);
      if (place !== undefined && name !== null) names.set(place, String(name));
    }
  }
  return names;
}
