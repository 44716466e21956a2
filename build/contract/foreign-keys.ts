import type { DatasetDraft } from './compile-dataset.ts';
import type { Dimension, ForeignKey } from './dataset.ts';
import { type DimensionIndex, findDimension } from './dimension-index.ts';
import type { JoinStatement } from './joins.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';

/**
 * Completes a dataset's joins from the dimensions. Each join compares the dimension's whole primary key. Returns null
 * if a join cannot be completed, and reports a problem unless the dimension's own contract already has one.
 */
export function linkForeignKeys(
  draft: DatasetDraft,
  index: DimensionIndex,
  problems: Problems,
): readonly ForeignKey[] | null {
  const keys = draft.joins.map(join => {
    const target = findDimension(index, join.targetObject, draft.domain, draft.withdrawal !== null);
    if (target.found === 'one') return linkJoin(join, draft, target.dimension, problems);
    if (target.found !== 'failed') problems.doubtAt(join.targetPlace, target.code, target.message);
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
    problems.doubtAt(join.place, code, message);
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
      // The column may be one that could not be read.
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
    problems.warningAt(join.place, 'foreign-key-scope', message);
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

/**
 * The primary-key column that the join's own column stands for: the stated one, the one of the same name, or the last.
 */
function ownTarget(join: JoinStatement, primaryKey: readonly string[]): string {
  const named = join.targetColumns ?? primaryKey;
  return join.targetColumn ?? (named.includes(join.column) ? join.column : named.at(-1)!);
}

/** Rows contain the contract's columns and every join's attributes, so no two may share a name. */
function checkCollisions(keys: readonly ForeignKey[], draft: DatasetDraft, problems: Problems): void {
  const taken = new Map(draft.columns.map(column => [column.name.toLowerCase(), 'a column of the contract']));
  for (const key of keys) {
    for (const attribute of key.attributeColumns) {
      const other = taken.get(attribute.toLowerCase());
      if (other === undefined) taken.set(attribute.toLowerCase(), `added by the join of ${key.column}`);
      else {
        const message = `the join adds ${quote(attribute)}, which is already ${other}: leave it out of attribute_columns, or rename one`;
        problems.doubtAt(key.place, 'attribute-collision', message);
      }
    }
  }
}
