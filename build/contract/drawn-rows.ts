import type { DatasetDraft } from './compile-dataset.ts';
import type { Dimension } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/** A dimension that is drawn from a dataset's rows has columns of that dataset only, of the same types. */
export function checkDrawnRows(
  { rowsOf, columns }: Dimension,
  { datasets, complete }: { readonly datasets: readonly DatasetDraft[]; readonly complete: boolean },
  owner: Path,
  problems: Problems,
): void {
  if (rowsOf === null) return;
  const fail = (message: string) =>
    problems.error([...owner, 'customProperties'], 'rows-of', `rows_of names ${quote(rowsOf)}, ${message}`);
  const dataset = datasets.find(({ key }) => key === rowsOf);
  if (dataset === undefined) {
    // It may be one that could not be compiled.
    if (!complete) return;
    const keys = datasets.map(({ key }) => key);
    fail(`but no contract describes that dataset${suggestion(rowsOf, keys)}: name it as domain/topic`);
    return;
  }
  for (const { name, type } of columns) {
    const own = dataset.columns.find(column => column.name === name);
    if (own === undefined && dataset.complete)
      fail(`which has no column ${quote(name)}: remove the column, or add it there`);
    else if (own !== undefined && own.type !== type)
      fail(`where ${quote(name)} is of type ${own.type}, not ${type}: give both the same type`);
  }
}
