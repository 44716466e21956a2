import { isName } from '../format/paths.ts';
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

/** The level of rows whose contract and files name none. */
const ONLY_LEVEL = 'all';

/**
 * Reads a dataset's detail levels. The first is the default unless stated. Without a statement, the list is empty: the
 * lake's files name the levels. Returns null, with a problem, if a stated list cannot be read.
 */
export function readLevels(
  object: CustomProperties<ObjectProperties>,
  table: string | null,
  problems: Problems,
): Levels | null {
  const { detail_levels: levels, default_detail } = object.values;
  if (levels === undefined) {
    if (object.states('detail_levels') && problems.native) return null;
    const only = default_detail !== undefined && isName(default_detail) ? default_detail : ONLY_LEVEL;
    problems.guess(table, `one level, ${only}, unless the lake’s files name others`);
    return { levels: [], defaultLevel: only };
  }
  const fitting = levels.map((level, i) =>
    checkName(level, 'detail level', object.pathOf('detail_levels', i), problems),
  );
  // Words of another tool are no levels.
  if (!problems.native && fitting.includes(false)) return { levels: [], defaultLevel: ONLY_LEVEL };
  const defaultLevel = default_detail ?? levels[0]!;
  const isKnown = checkLevel(defaultLevel, levels, object.pathOf('default_detail'), problems);
  return { levels, defaultLevel: isKnown || problems.native ? defaultLevel : levels[0]! };
}

function checkLevel(level: string, levels: readonly string[], path: Path, problems: Problems): boolean {
  // Levels that the lake names are not known yet.
  if (levels.length === 0 || levels.includes(level)) return true;
  const message = `there is no level ${quote(level)}${suggestion(level, levels)}: the levels are ${quoteList(levels)}`;
  problems.doubt(path, 'level-unknown', message);
  return false;
}

/** Reads `level_years`: the years of each level that the contract does not promise for all years. */
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

/** Reads `level_keys`: the place columns of a level's rows, for levels whose names do not tell them. */
export function readKeysOfLevels(
  object: CustomProperties<ObjectProperties>,
  levels: readonly string[],
  placeColumns: readonly string[],
  complete: boolean,
  problems: Problems,
): ReadonlyMap<string, readonly string[]> {
  // Problems of levels or columns would cause misleading follow-up problems here.
  if (!complete) return new Map();
  const result = new Map<string, readonly string[]>();
  for (const [level, columns] of Object.entries(object.values.level_keys ?? {})) {
    if (!checkLevel(level, levels, object.pathOf('level_keys', level), problems)) continue;
    for (const [i, column] of columns.entries()) {
      if (placeColumns.includes(column)) continue;
      const message = `${quote(column)} is not a place column${suggestion(column, placeColumns)}: a level's keys are among ${quoteList(placeColumns) || 'none'}`;
      problems.doubt(object.pathOf('level_keys', level, i), 'level-keys', message);
    }
    result.set(level, columns);
  }
  return result;
}

/** What `deriveLevelKeys` reads from a dataset. */
interface LevelKeysInput {
  readonly levels: readonly string[];
  readonly placeColumns: readonly string[];
  readonly columns: readonly { readonly name: string; readonly role: string; readonly nullable: boolean }[];
  readonly foreignKeys: readonly Pick<ForeignKey, 'column' | 'columns' | 'targetObject'>[];
}

/**
 * Derives the nullable place columns that a level's rows fill. A level fills those of the join whose dimension, or
 * whose role's noun, has the level's name (schools: district_code and school_code). A level without such a join
 * (states) fills none. Required columns are in neither list, because every row fills them. `stated` takes precedence.
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
