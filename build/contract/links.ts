/** Links the joins of datasets to the dimensions that they name. */
import type { DatasetDraft } from './compile-dataset.ts';
import type { Dimension, ForeignKey } from './dataset.ts';
import { quote, quoteList, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { JoinStatement } from './table-keys.ts';
import type { Path } from './yaml-document.ts';

/**
 * Completes a dataset's joins. Each join compares the dimension's whole primary key. Returns null if a join
 * can't be completed, with a problem unless the dimension's own contract has one.
 */
export function linkForeignKeys(
  draft: DatasetDraft,
  index: DimensionIndex,
  problems: Problems,
): readonly ForeignKey[] | null {
  const keys = draft.joins.map(join => {
    const target = findDimension(index, join.targetObject, draft.domain, draft.withdrawal !== null);
    if (target.found === 'one') return linkJoin(join, draft, target.dimension, problems);
    if (target.found !== 'failed') problems.doubt(join.targetPlace, target.code, target.message);
    return null;
  });
  const linked = keys.filter(key => key !== null);
  checkCollisions(linked, draft, problems);
  return linked.length === keys.length && !problems.failed ? linked : null;
}

function linkJoin(
  join: JoinStatement,
  draft: DatasetDraft,
  dimension: Dimension,
  problems: Problems,
): ForeignKey | null {
  const { primaryKey } = dimension;
  const fail = (code: string, message: string) => {
    problems.doubt(join.place, code, message);
    return null;
  };
  const named = [...(join.targetColumns ?? []), ...(join.targetColumn === null ? [] : [join.targetColumn])];
  const foreign = named.find(name => !primaryKey.includes(name));
  if (foreign !== undefined) {
    const message = `${quote(foreign)} is not in the primary key of ${dimension.key}${suggestion(foreign, primaryKey)}, which is ${quoteList(primaryKey)}: name one of its columns`;
    return fail('foreign-key-target', message);
  }
  const own = ownTarget(join, primaryKey);
  const columns = primaryKey.map(name => (name === own ? join.column : name));
  for (const [i, target] of primaryKey.entries()) {
    const local = draft.columns.find(column => column.name === columns[i]);
    const type = dimension.columns.find(column => column.name === target)?.type;
    if (local === undefined) {
      // The missing column may be one that couldn't be read.
      if (!draft.complete) return null;
      const message = `the join to ${dimension.key} needs the dimension's whole primary key, but the dataset has no column ${quote(target)}: add it`;
      return fail('foreign-key-target', message);
    }
    if (local.type !== type) {
      const message = `${quote(local.name)} is of type ${local.type}, but ${dimension.key}.${target} is of type ${type}: give both the same type`;
      return fail('foreign-key-type', message);
    }
  }
  const unknown = join.attributeColumns?.find(name => !dimension.attributeColumns.includes(name));
  if (unknown !== undefined) {
    const message = `${dimension.key} has no attribute ${quote(unknown)}${suggestion(unknown, dimension.attributeColumns)}: its attributes are ${quoteList(dimension.attributeColumns) || 'none'}`;
    return fail('attribute-unknown', message);
  }
  if (join.scope !== null && join.scope !== dimension.scope) {
    const message = `the scope of ${dimension.key} is ${dimension.scope}, not ${join.scope}: the build ignores the foreign key's scope; correct it`;
    problems.warning(join.place, 'foreign-key-scope', message);
  }
  return {
    column: join.column,
    columns,
    targetObject: join.targetObject,
    targetColumns: primaryKey,
    attributeColumns: join.attributeColumns ?? dimension.attributeColumns,
    scope: dimension.scope,
    dimension: dimension.key,
    place: join.place,
  };
}

/** The stated column, the one of the same name, or the last. */
function ownTarget(join: JoinStatement, primaryKey: readonly string[]): string {
  const named = join.targetColumns ?? primaryKey;
  return join.targetColumn ?? (named.includes(join.column) ? join.column : named.at(-1)!);
}

/** Rows hold the contract's columns and every join's attributes, so names must differ. */
function checkCollisions(keys: readonly ForeignKey[], draft: DatasetDraft, problems: Problems): void {
  const taken = new Map(draft.columns.map(column => [column.name.toLowerCase(), 'a column of the contract']));
  for (const key of keys) {
    for (const attribute of key.attributeColumns) {
      const other = taken.get(attribute.toLowerCase());
      if (other === undefined) taken.set(attribute.toLowerCase(), `added by the join of ${key.column}`);
      else {
        const message = `the join adds ${quote(attribute)}, which is already ${other}: leave it out of attribute_columns, or rename one`;
        problems.doubt(key.place, 'attribute-collision', message);
      }
    }
  }
}

export interface DimensionIndex {
  readonly compiled: readonly { readonly dimension: Dimension; readonly status: string }[];
  /** Dimensions whose own contracts have errors. Joining one isn't a second problem. */
  readonly failed: ReadonlySet<string>;
}

type FoundDimension =
  | { readonly found: 'one'; readonly dimension: Dimension }
  | { readonly found: 'failed' }
  | { readonly found: 'none' | 'several'; readonly code: string; readonly message: string };

/**
 * Finds a dimension by name: the domain's own, then a global one, then the only one of that name. A withdrawn
 * dataset may join a withdrawn dimension.
 */
function findDimension(
  index: DimensionIndex,
  name: string,
  domain: string,
  withdrawn = false,
): FoundDimension {
  const named = index.compiled.filter(entry => entry.dimension.name === name);
  const own = named.filter(({ dimension }) => dimension.scope === 'domain' && dimension.domain === domain);
  const global = named.filter(({ dimension }) => dimension.scope === 'global');
  const candidates = [own, global, named].find(list => list.length > 0) ?? [];
  // First, because the dimension with errors might be the domain's own.
  if (own.length === 0 && index.failed.has(name)) return { found: 'failed' };
  const [only, another] = candidates;
  if (only === undefined) {
    const names = index.compiled.map(({ dimension }) => dimension.name);
    const message = `there is no dimension ${quote(name)}${suggestion(name, names)}: correct the name, or add its contract`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  if (another !== undefined) {
    const domains = quoteList(candidates.map(({ dimension }) => dimension.domain));
    const message = `the domains ${domains} each have a dimension ${quote(name)}: make one global, or add a dimension of this domain`;
    return { found: 'several', code: 'dimension-ambiguous', message };
  }
  if (only.status !== 'active' && !(withdrawn && only.dimension.withdrawal !== null)) {
    const message = `the dimension ${quote(name)} is not published because its status is ${quote(only.status)}: make it active`;
    return { found: 'none', code: 'dimension-unknown', message };
  }
  return { found: 'one', dimension: only.dimension };
}

/** A dimension drawn from a dataset may only have columns of that dataset, with the same types. */
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
    // The dataset may be one that couldn't be compiled.
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
