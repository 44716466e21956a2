/**
 * The ways in which a dataset's counts may add up, as data. If a total and all its parts but one are published, the
 * withheld part can be derived by subtraction. Pure.
 */
import type { Contracts, Dataset } from '../contract/dataset.ts';

/** Rows that share `keys`, year and level form one family: a total and its parts. */
export type DisclosureFamily =
  /** The axis's total and its other values. */
  | {
      readonly kind: 'axis';
      readonly column: string;
      readonly total: string;
      readonly keys: readonly string[];
    }
  /** The axis's total and the values that share an attribute. Only values within one attribute exclude one another. */
  | {
      readonly kind: 'attribute';
      readonly column: string;
      readonly total: string;
      /** Key of the dimension in `Contracts.dimensions`. */
      readonly dimension: string;
      /** The dimension's column that `column` refers to. */
      readonly target: string;
      readonly attribute: string;
      readonly keys: readonly string[];
    }
  /** A place and the places of a finer level within it. */
  | {
      readonly kind: 'level';
      readonly parent: string;
      readonly child: string;
      readonly keys: readonly string[];
    };

/**
 * The metrics that may contain withheld counts: integers whose unit is a count, or that have none where the contract
 * says that NULL means withheld. Empty if it says that NULL does not.
 */
export function disclosureMetrics(dataset: Dataset): string[] {
  const { suppressed_to_null: withholds } = dataset.nullSemantics;
  if (withholds === false) return [];
  return dataset.columns
    .filter(
      ({ role, unit, type, nullable }) =>
        role === 'metric' &&
        type === 'integer' &&
        nullable &&
        (unit === 'count' || (unit === null && withholds === true)),
    )
    .map(column => column.name);
}

/** Derives every family, first along axes in grain order, then along levels. Only the rows show which ones add up. */
export function deriveFamilies(dataset: Dataset, contracts: Contracts): DisclosureFamily[] {
  return [...axisFamilies(dataset, contracts), ...levelFamilies(dataset)];
}

/** The grain without the year, which the slice fixes, and without the given names. */
function keysWithout(dataset: Dataset, names: readonly string[]): string[] {
  const year = dataset.columns.find(column => column.role === 'year')?.name;
  return dataset.grain.filter(name => name !== year && !names.includes(name));
}

function axisFamilies(dataset: Dataset, contracts: Contracts): DisclosureFamily[] {
  return dataset.grain.flatMap((column): DisclosureFamily[] => {
    const total = dataset.columns.find(candidate => candidate.name === column)?.totalValue ?? null;
    if (total === null) return [];
    const keys = keysWithout(dataset, [column]);
    const exclusive = exclusiveAttribute(dataset, column, contracts);
    if (exclusive === null) return [{ kind: 'axis', column, total, keys }];
    return [{ kind: 'attribute', column, total, ...exclusive, keys }];
  });
}

/** The attribute that a dimension's `semantics.exclusive_within` names, if the axis alone is the dimension's key. */
function exclusiveAttribute(dataset: Dataset, column: string, contracts: Contracts) {
  const key = dataset.foreignKeys.find(one => one.columns.length === 1 && one.column === column);
  const dimension = key === undefined ? undefined : contracts.dimensions.get(key.dimension);
  const target = key?.targetColumns[0];
  const semantics = dimension?.semantics;
  if (dimension === undefined || target === undefined) return null;
  if (typeof semantics !== 'object' || semantics === null || !('exclusive_within' in semantics)) return null;
  const attribute = semantics.exclusive_within;
  if (typeof attribute !== 'string' || !dimension.columns.some(one => one.name === attribute)) return null;
  return { dimension: dimension.key, target, attribute };
}

/** Pairs of levels, such as states and districts, in which the child's rows have the parent's place keys and more. */
function levelFamilies(dataset: Dataset): DisclosureFamily[] {
  const levels = [...dataset.levelKeys];
  return levels.flatMap(([parent, { present: outer }]) =>
    levels
      .filter(
        ([, { present }]) => present.length > outer.length && outer.every(name => present.includes(name)),
      )
      .map(([child, { present, absent }]): DisclosureFamily => {
        const added = present.filter(name => !outer.includes(name));
        return { kind: 'level', parent, child, keys: keysWithout(dataset, [...added, ...absent]) };
      }),
  );
}

/** Describes the family in words; `part` is the attribute's value. */
export function describeFamily(family: DisclosureFamily, part: string | null): string {
  switch (family.kind) {
    case 'axis':
      return family.column;
    case 'attribute':
      return `${family.column} within ${family.attribute} ${part ?? ''}`.trim();
    case 'level':
      return `${family.parent} to ${family.child}`;
    default:
      return family satisfies never;
  }
}
