/** Compares two versions of a contract's schema and derives the version number that the changes require. Pure. */

import {
  type ColumnDescriptor,
  type DimensionSchemaDocument,
  FORMAT,
  type SchemaDocument,
} from '../format/documents.ts';
import { spellYears } from '../format/time-text.ts';
import type { Contracts, Dataset, Dimension } from './dataset.ts';
import { dimensionDocument, schemaDocument } from './schema-document.ts';

/** major: programs that read the old version break; minor: something is added; patch: only words differ. */
type ChangeLevel = 'major' | 'minor' | 'patch';

export interface ContractChange {
  readonly level: ChangeLevel;
  readonly text: string;
}

/** Columns of dimensions have no unit. */
type ShapeColumn = Pick<ColumnDescriptor, 'name' | 'type' | 'role' | 'nullable' | 'valid_values'> &
  Partial<Pick<ColumnDescriptor, 'unit' | 'renamed_from'>>;

export interface ContractShape {
  readonly columns: readonly ShapeColumn[];
  /** Columns that joins add to the rows. */
  readonly attributes: readonly string[];
  readonly grain: readonly string[];
  readonly years: readonly number[];
  readonly levels: readonly string[];
  readonly defaultLevel: string | null;
  /** Years of levels that don't have all years; null if unknown. */
  readonly levelYears: ReadonlyMap<string, readonly number[]> | null;
}

const UNPUBLISHED = { format: FORMAT, release: '' };

/** The shape of a tree with everything that the contract promises. */
export function promisedShape(dataset: Dataset, contracts: Contracts): ContractShape {
  const { years, levels, levelYears } = dataset;
  const schema = schemaDocument(UNPUBLISHED, dataset, contracts, { years, levels, levelYears });
  return { ...publishedShape(schema), years, levelYears };
}

const NO_SLICES = { attributes: [], years: [], levels: [], defaultLevel: null } as const;

export function publishedShape(schema: SchemaDocument | DimensionSchemaDocument): ContractShape {
  if ('primary_key' in schema)
    return { ...NO_SLICES, columns: schema.columns, grain: schema.primary_key, levelYears: null };
  return {
    columns: schema.columns,
    attributes: schema.foreign_keys.flatMap(key => key.attribute_columns_added),
    grain: schema.grain,
    years: schema.available_years,
    levels: schema.detail_levels,
    defaultLevel: schema.default_detail,
    levelYears: null,
  };
}

export function promisedDimension(dimension: Dimension): ContractShape {
  const shape = publishedShape(dimensionDocument(UNPUBLISHED, dimension, '', 0));
  // Dimensions' documents don't have earlier names of columns.
  const former = new Map(dimension.columns.map(({ name, renamedFrom }) => [name, renamedFrom]));
  const columns = shape.columns.map(one => {
    const renamed_from = former.get(one.name) ?? null;
    return renamed_from === null ? one : { ...one, renamed_from };
  });
  return { ...shape, columns };
}

/** Breaking changes come first. */
export function contractChanges(before: ContractShape, after: ContractShape): ContractChange[] {
  const old = new Map(before.columns.map(column => [column.name, column]));
  const now = new Map(after.columns.map(column => [column.name, column]));
  // A renaming of an earlier release names a column that is already gone.
  const formerOf = ({ name, renamed_from: from }: ShapeColumn) =>
    from !== undefined && !old.has(name) && !now.has(from) ? old.get(from) : undefined;
  const renamed = new Set(after.columns.map(column => formerOf(column)?.name));
  const changes = [
    ...[...old.keys()]
      .filter(name => !now.has(name) && !renamed.has(name))
      .map(name => major(`column ${name} removed`)),
    ...lost(before.attributes, after.attributes).map(name => major(`joined column ${name} removed`)),
    ...(String(before.grain) === String(after.grain)
      ? []
      : [major(`grain changed from ${before.grain.join(', ')} to ${after.grain.join(', ')}`)]),
    ...after.columns.flatMap(column => {
      const former = formerOf(column);
      if (former !== undefined)
        return [major(`column ${former.name} renamed ${column.name}`), ...columnChanges(former, column)];
      const known = old.get(column.name);
      return known === undefined ? [minor(`column ${column.name} added`)] : columnChanges(known, column);
    }),
    ...lost(after.attributes, before.attributes).map(name => minor(`joined column ${name} added`)),
    ...lists('year', before.years.map(String), after.years.map(String)),
    ...lists('level', before.levels, after.levels),
    ...lostYearsOfLevels(before, after),
    ...(before.defaultLevel === null || before.defaultLevel === after.defaultLevel
      ? []
      : [major(`default level changed from ${before.defaultLevel} to ${after.defaultLevel}`)]),
  ];
  return changes.sort((a, b) => (a.level === b.level ? 0 : a.level < b.level ? -1 : 1));
}

function columnChanges(old: ShapeColumn, now: ShapeColumn): ContractChange[] {
  const { name } = now;
  const changed = (what: string, from: string | null, to: string | null) =>
    from === to ? [] : [major(`${what} of ${name} changed from ${from ?? 'none'} to ${to ?? 'none'}`)];
  return [
    ...changed('type', old.type, now.type),
    ...changed('role', old.role, now.role),
    ...changed('unit', old.unit ?? null, now.unit ?? null),
    ...(old.nullable === now.nullable
      ? []
      : [now.nullable ? major(`${name} may be NULL now`) : minor(`${name} is never NULL now`)]),
    ...valueChanges(old, now),
  ];
}

/** A new list makes earlier requests fail; removing one doesn't. */
function valueChanges(before: ShapeColumn, { name, valid_values }: ShapeColumn): ContractChange[] {
  const [old, now] = [before.valid_values, valid_values].map(values => values?.map(String) ?? null);
  if (!old && !now) return [];
  if (!old) return [major(`values of ${name} are limited now`)];
  if (!now) return [minor(`values of ${name} are no longer limited`)];
  return [
    ...lost(old, now).map(value => major(`value ${value} of ${name} removed`)),
    ...lost(now, old).map(value => minor(`value ${value} of ${name} added`)),
  ];
}

/** Years that a level loses although the dataset keeps them. */
function lostYearsOfLevels(before: ContractShape, after: ContractShape): ContractChange[] {
  const [old, now] = [before.levelYears, after.levelYears];
  if (old === null || now === null) return [];
  return before.levels.flatMap(level => {
    if (!after.levels.includes(level)) return [];
    const kept = now.get(level) ?? after.years;
    const gone = (old.get(level) ?? before.years).filter(
      year => after.years.includes(year) && !kept.includes(year),
    );
    return gone.length === 0 ? [] : [major(`${level} of ${spellYears(gone)} removed`)];
  });
}

function lists(what: string, before: readonly string[], after: readonly string[]): ContractChange[] {
  const removed = lost(before, after);
  const added = lost(after, before);
  const say = (list: readonly string[], word: string) =>
    `${what}${list.length === 1 ? '' : 's'} ${list.join(', ')} ${word}`;
  return [
    ...(removed.length === 0 ? [] : [major(say(removed, 'removed'))]),
    ...(added.length === 0 ? [] : [minor(say(added, 'added'))]),
  ];
}

function lost(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set(after);
  return before.filter(one => !kept.has(one));
}

function major(text: string): ContractChange {
  return { level: 'major', text };
}

function minor(text: string): ContractChange {
  return { level: 'minor', text };
}

/**
 * The lowest version that the changes require after `old`; null if they require none, or if `old` isn't a
 * semantic version. Before 1.0.0, a breaking change raises the minor version.
 */
export function requiredVersion(old: string, changes: readonly ContractChange[]): string | null {
  const [major_, minor_] = parseVersion(old) ?? [];
  if (major_ === undefined || minor_ === undefined) return null;
  const breaks = changes.some(change => change.level === 'major');
  if (breaks && major_ > 0) return `${major_ + 1}.0.0`;
  return breaks || changes.some(change => change.level === 'minor') ? `${major_}.${minor_ + 1}.0` : null;
}

/**
 * Whether the new version is as high as the changes require. If it isn't a semantic version, it only has to
 * differ.
 */
export function isRaised(old: string, now: string, changes: readonly ContractChange[]): boolean {
  if (changes.every(change => change.level === 'patch')) return true;
  const least = parseVersion(requiredVersion(old, changes) ?? '');
  const stated = parseVersion(now);
  if (least === null || stated === null) return old !== now;
  const at = least.findIndex((part, i) => part !== stated[i]);
  return at < 0 || (stated[at] ?? 0) > (least[at] ?? 0);
}

function parseVersion(text: string): number[] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text.trim());
  return match === null ? null : match.slice(1).map(Number);
}
