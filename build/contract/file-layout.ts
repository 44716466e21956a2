import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { BaseColumn, Column, DimensionColumn, FileLayout } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';

/** Reads where the table is in a file. Reports columns of years that the contract has no column for. */
export function readFileLayout(
  object: CustomProperties<ObjectProperties>,
  columns: readonly (Column | DimensionColumn)[],
  problems: Problems,
): FileLayout {
  const layout = object.values.file_layout ?? {};
  if (layout.year_columns === undefined) return layout;
  const names = columns.map(({ name }: BaseColumn) => name);
  for (const name of Object.keys(layout.year_columns)) {
    if (names.includes(name)) continue;
    const message = `year_columns reads figures into the column ${quote(name)}, which the contract lacks${suggestion(name, names)}: add or correct it`;
    problems.doubt(object.pathOf('file_layout', 'year_columns', name), 'file-layout', message);
  }
  if (!columns.some(column => column.role === 'year' && column.derivedFrom === null)) {
    const message =
      'year_columns makes a row for each year, and the contract has no column for the year: add an integer with the role year';
    problems.doubt(object.pathOf('file_layout', 'year_columns'), 'file-layout', message);
  }
  return layout;
}
