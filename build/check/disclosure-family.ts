/**
 * The ways in which a dataset's counts may add up, as data: where all parts but one of a published total are
 * published, the one that is withheld is their difference. Pure.
 */
import type { Contracts, Dataset } from '../contract/dataset.ts';

/** Rows that share `keys` (and year, and level) are one family: a total and its parts. */
export type DisclosureFamily =
  /** The axis's total, and its other values. */
  | {
      readonly kind: 'axis';
      readonly column: string;
      readonly total: string;
      readonly keys: readonly string[];
    }
  /** The axis's total, and those values that share an attribute, within which alone they exclude one another. */
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
  /** A place, and the places of a finer level within it. */
  | {
      readonly kind: 'level';
      readonly parent: string;
      readonly child: string;
      readonly keys: readonly string[];
    };

/** Counts that can be withheld: what is worth looking for. None where NULL does not mean withheld. */
export function disclosureMetrics(dataset: Dataset): string[] {
  if (dataset.nullSemantics.suppressed_to_null === false) return [];
  return dataset.columns
    .filter(
      ({ role, unit, type, nullable }) =>
        role === 'metric' && unit === 'count' && type === 'integer' && nullable,
    )
    .map(column => column.name);
}

/** Every way, in grain order, then by levels; whether one really adds up only the rows can say. */
export function deriveFamilies(dataset: Dataset, contracts: Contracts): DisclosureFamily[] {
  return [...axisFamilies(dataset, contracts), ...levelFamilies(dataset)];
}

/** The grain without the year, which is the slice's, and without some more. */
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

/** What a dimension's `semantics.exclusive_within` names, where the axis alone is the dimension's key. */
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

/** Levels whose rows have the place keys of another level, and more: states, districts, schools. */
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

/** The family in words; `part` is the attribute's value. */
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
