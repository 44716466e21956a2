import { checkName } from './contract-name.ts';
import type { ObjectProperties } from './custom-profile.ts';
import type { CustomProperties } from './custom-properties.ts';
import type { ForeignKey, LevelKeys } from './dataset.ts';
import { suggestion } from './nearest-name.ts';
import type { Problems } from './problems.ts';
import { quote, quoteList } from './quoting.ts';
import type { Path } from './yaml-document.ts';
import { readLevelYears } from './years.ts';

export interface Levels {
  readonly levels: readonly string[];
  readonly defaultLevel: string;
}

/** A dataset's detail levels; null and a problem where they are not stated. Without a default it is the first. */
export function readLevels(object: CustomProperties<ObjectProperties>, owner: Path, problems: Problems) {
  const { detail_levels: levels, default_detail } = object.values;
  if (levels === undefined) {
    if (!object.states('detail_levels')) {
      const message =
        'the contract does not say its levels: add the custom property detail_levels, as [states]';
      problems.error(owner, 'levels-missing', message);
    }
    return null;
  }
  for (const [i, level] of levels.entries()) {
    checkName(level, 'detail level', object.pathOf('detail_levels', i), problems);
  }
  const defaultLevel = default_detail ?? levels[0]!;
  checkLevel(defaultLevel, levels, object.pathOf('default_detail'), problems);
  return { levels, defaultLevel } satisfies Levels;
}

function checkLevel(level: string, levels: readonly string[], path: Path, problems: Problems): boolean {
  if (levels.includes(level)) return true;
  const message = `there is no level ${quote(level)}${suggestion(level, levels)}: the levels are ${quoteList(levels)}`;
  problems.error(path, 'level-unknown', message);
  return false;
}

/** `level_years`: the years of each level that is not promised in all. */
export function readYearsOfLevels(
  object: CustomProperties<ObjectProperties>,
  levels: readonly string[],
  years: readonly number[],
  problems: Problems,
): ReadonlyMap<string, readonly number[]> {
  const result = new Map<string, readonly number[]>();
  for (const [level, value] of Object.entries(object.values.level_years ?? {})) {
    const path = object.pathOf('level_years', level);
    if (!checkLevel(level, levels, path, problems)) continue;
    const promised = readLevelYears(value, years, path, problems);
    if (promised !== null && promised.length < years.length) result.set(level, promised);
  }
  return result;
}

/** `level_keys`: the place columns that rows of a level have, where the names do not tell. */
export function readKeysOfLevels(
  object: CustomProperties<ObjectProperties>,
  levels: readonly string[],
  placeColumns: readonly string[],
  complete: boolean,
  problems: Problems,
): ReadonlyMap<string, readonly string[]> {
  // Where levels or columns have problems of their own, none of these would be true for sure.
  if (!complete) return new Map();
  const result = new Map<string, readonly string[]>();
  for (const [level, columns] of Object.entries(object.values.level_keys ?? {})) {
    if (!checkLevel(level, levels, object.pathOf('level_keys', level), problems)) continue;
    for (const [i, column] of columns.entries()) {
      if (placeColumns.includes(column)) continue;
      const message = `${quote(column)} is not a place column${suggestion(column, placeColumns)}: a level's keys are among ${quoteList(placeColumns) || 'none'}`;
      problems.error(object.pathOf('level_keys', level, i), 'level-keys', message);
    }
    result.set(level, columns);
  }
  return result;
}

/** What `deriveLevelKeys` reads of a dataset. */
export interface LevelKeysInput {
  readonly levels: readonly string[];
  readonly placeColumns: readonly string[];
  readonly columns: readonly { readonly name: string; readonly role: string; readonly nullable: boolean }[];
  readonly foreignKeys: readonly Pick<ForeignKey, 'column' | 'columns' | 'targetObject'>[];
}

/**
 * Which nullable place columns a level's rows have. A level has those of the join whose dimension, or whose role's
 * noun, it is named after (schools: district_code and school_code); a level named after none (states) has none.
 * Columns that are required stand in every row and are in neither list. `stated` wins.
 */
export function deriveLevelKeys(
  dataset: LevelKeysInput,
  stated: ReadonlyMap<string, readonly string[]> = new Map(),
): ReadonlyMap<string, LevelKeys> {
  const byName = new Map(dataset.columns.map(column => [column.name, column]));
  const nullable = dataset.placeColumns.filter(name => byName.get(name)?.nullable === true);
  const ownKey = (level: string) =>
    dataset.foreignKeys.find(
      key => key.targetObject === level && dataset.placeColumns.includes(key.column),
    ) ??
    dataset.foreignKeys.find(key => {
      const noun = byName.get(key.column)?.role.replace(/^fk_/, '') ?? '';
      return dataset.placeColumns.includes(key.column) && singular(noun) === singular(level);
    });
  return new Map(
    dataset.levels.map(level => {
      const own = stated.get(level) ?? ownKey(level)?.columns ?? [];
      const present = nullable.filter(name => own.includes(name));
      return [level, { present, absent: nullable.filter(name => !own.includes(name)) }];
    }),
  );
}

/** counties → county, schools → school */
function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}
