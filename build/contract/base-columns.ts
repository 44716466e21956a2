import { resolveAllowedValues } from './allowed-values.ts';
import { isOfType, readColumnTypes } from './column-type.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import { COLUMN_SHAPE, type ColumnProperties, type ObjectProperties } from './custom-profile.ts';
import { type CustomProperties, readCustomProperties } from './custom-properties.ts';
import type { BaseColumn, Rule } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { readValueLabels } from './readers-words.ts';
import { readTextForm } from './text-form.ts';
import type { Path } from './yaml-document.ts';

/** What facts and dimensions both read from a column, and the parts of the contract from which they read the rest. */
export interface ReadColumn {
  readonly base: BaseColumn;
  readonly raw: RawProperty;
  readonly custom: CustomProperties<ColumnProperties>;
  readonly path: Path;
  /** Whether the contract does not state the column's role. */
  readonly guessed: boolean;
}

/**
 * A name that a header of CSV, a key of JSON and a column of Parquet can all hold: no control character, no line or
 * paragraph separator, no half of a surrogate pair, no byte order mark, and no space at either end.
 */
const NAME = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029\ufeff]+(?<!\s)$/u;

/** Bytes of UTF-8. */
const LONGEST_NAME = 255;

/** Decides a column's role if the contract does not state it. */
export type RoleGuess = (column: RawProperty, type: BaseColumn['type']) => string | undefined;

/**
 * Reads the columns that have a name and a type. Without a label, a column is labelled by its business name or its
 * name.
 */
export function readBaseColumns(
  object: RawObject,
  owner: Path,
  rules: readonly Rule[],
  table: CustomProperties<ObjectProperties>,
  problems: Problems,
  guessRole: RoleGuess = () => undefined,
): readonly ReadColumn[] {
  const lines = new Map<string, number>();
  return (object.properties ?? []).flatMap((raw, index) => {
    const path = [...owner, 'properties', index];
    if (raw === null) return [];
    const stated = readCustomProperties<ColumnProperties>(raw.customProperties, path, COLUMN_SHAPE, problems);
    const isNamed = raw.name !== undefined && checkName(raw.name, path, lines, problems);
    const types = readColumnTypes(raw, stated.values.column_role === 'year', path, problems);
    if (raw.name === undefined || !isNamed || types === null) return [];
    const guess = stated.states('column_role') && problems.native ? undefined : guessRole(raw, types.type);
    const custom = guess === undefined ? stated : withRole(stated, guess);
    const guessed = custom !== stated;
    // A row without a time would belong to no slice.
    const isTime = ['year', 'time'].includes(custom.values.column_role ?? '');
    // Requests do not filter by listed years or metric values.
    const isFilter = !['year', 'metric'].includes(custom.values.column_role ?? '');
    const validValues = resolveAllowedValues(raw, types.type, rules, path, problems, isFilter);
    const nullable = isTime ? raw.required === false && !guessed : raw.required !== true;
    const base: BaseColumn = {
      name: raw.name,
      ...types,
      nullable,
      missingValues: readMissingValues(custom, nullable && raw.primaryKey !== true, problems),
      form: readTextForm(raw, types.type, custom, table, path, problems),
      label: custom.values.label ?? raw.businessName ?? raw.name,
      shortDescription: custom.values.short_description ?? '',
      description: raw.description ?? '',
      validValues,
      valueLabels: readValueLabels(custom, validValues, problems),
      renamedFrom: custom.values.renamed_from ?? null,
      example: readExample(raw, types.type, path, problems),
      place: problems.placeOf(path),
    };
    return [{ base, raw, custom, path, guessed }];
  });
}

/** A required column and a key lack no value. */
function readMissingValues(
  custom: CustomProperties<ColumnProperties>,
  mayLack: boolean,
  problems: Problems,
): BaseColumn['missingValues'] {
  const stated = custom.values.missing_values ?? [];
  if (stated.length === 0 || mayLack) return stated;
  const message =
    'the column has missing_values, which are read as NULL, but each of its rows needs a value: remove missing_values, or `required: true`';
  problems.doubt(custom.pathOf('missing_values'), 'missing-values', message);
  return [];
}

function withRole(
  stated: CustomProperties<ColumnProperties>,
  role: string,
): CustomProperties<ColumnProperties> {
  return { ...stated, values: { ...stated.values, column_role: role } };
}

/** Whether a column can have the name. The columns of a contract for another tool are left out if they cannot. */
function checkName(name: string, path: Path, lines: Map<string, number>, problems: Problems): boolean {
  const at = [...path, 'name'];
  const fits = NAME.test(name) && Buffer.byteLength(name) <= LONGEST_NAME;
  if (!fits) {
    const rule = `use 1 to ${LONGEST_NAME} bytes without control characters, line breaks and outer spaces`;
    problems.doubt(at, 'column-name', `${quote(name)} cannot be the name of a column: ${rule}`);
  }
  // SQL compares names without regard to case.
  const first = lines.get(name.toLowerCase());
  if (first === undefined) lines.set(name.toLowerCase(), problems.placeOf(at).line);
  else {
    const message = `the column ${quote(name)} already stands on line ${first}: remove or rename one`;
    problems.doubt(at, 'column-duplicate', message);
  }
  return problems.native || (fits && first === undefined);
}

function readExample(raw: RawProperty, type: BaseColumn['type'], path: Path, problems: Problems) {
  const example = raw.examples?.[0] ?? null;
  if (example === null || isOfType(example, type)) return example;
  const remedy = type === 'string' ? 'write it in quotes' : 'correct it';
  const message = `the example ${quote(example)} is not of type ${type} and is not published: ${remedy}`;
  problems.warning([...path, 'examples', 0], 'example-type', message);
  return null;
}
