import { resolveAllowedValues } from './allowed-values.ts';
import { isOfType, readColumnTypes } from './column-type.ts';
import type { RawObject, RawProperty } from './contract-profile.ts';
import { COLUMN_SHAPE, type ColumnProperties } from './custom-profile.ts';
import { type CustomProperties, readCustomProperties } from './custom-properties.ts';
import type { BaseColumn, Rule } from './dataset.ts';
import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import { readValueLabels } from './readers-words.ts';
import type { Path } from './yaml-document.ts';

/** What facts and dimensions both read from a column, and the parts of the contract from which they read the rest. */
export interface ReadColumn {
  readonly base: BaseColumn;
  readonly raw: RawProperty;
  readonly custom: CustomProperties<ColumnProperties>;
  readonly path: Path;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/**
 * Reads the columns that have a name and a type. Without a label, a column is labelled by its business name or its
 * name.
 */
export function readBaseColumns(
  object: RawObject,
  owner: Path,
  rules: readonly Rule[],
  problems: Problems,
): readonly ReadColumn[] {
  const lines = new Map<string, number>();
  return (object.properties ?? []).flatMap((raw, index) => {
    const path = [...owner, 'properties', index];
    if (raw === null) return [];
    const custom = readCustomProperties<ColumnProperties>(raw.customProperties, path, COLUMN_SHAPE, problems);
    if (raw.name !== undefined) checkName(raw.name, path, lines, problems);
    const types = readColumnTypes(raw, custom.values.column_role === 'year', path, problems);
    if (raw.name === undefined || types === null) return [];
    // Requests do not filter by listed years or metric values.
    const isFilter = !['year', 'metric'].includes(custom.values.column_role ?? '');
    const validValues = resolveAllowedValues(raw, types.type, rules, path, problems, isFilter);
    const base: BaseColumn = {
      name: raw.name,
      ...types,
      nullable: raw.required !== true,
      label: custom.values.label ?? raw.businessName ?? raw.name,
      shortDescription: custom.values.short_description ?? '',
      description: raw.description ?? '',
      validValues,
      valueLabels: readValueLabels(custom, validValues, problems),
      example: readExample(raw, types.type, path, problems),
      place: problems.placeOf(path),
    };
    return [{ base, raw, custom, path }];
  });
}

function checkName(name: string, path: Path, lines: Map<string, number>, problems: Problems): void {
  const at = [...path, 'name'];
  if (!NAME.test(name)) {
    const rule = 'use 1 to 63 letters, digits and _, beginning with a letter or _';
    problems.error(at, 'column-name', `${quote(name)} cannot be the name of a column: ${rule}`);
  }
  // SQL compares names without regard to case.
  const first = lines.get(name.toLowerCase());
  if (first === undefined) lines.set(name.toLowerCase(), problems.placeOf(at).line);
  else {
    const message = `the column ${quote(name)} already stands on line ${first}: remove or rename one`;
    problems.error(at, 'column-duplicate', message);
  }
}

function readExample(raw: RawProperty, type: BaseColumn['type'], path: Path, problems: Problems) {
  const example = raw.examples?.[0] ?? null;
  if (example === null || isOfType(example, type)) return example;
  const remedy = type === 'string' ? 'write it in quotes' : 'correct it';
  const message = `the example ${quote(example)} is not of type ${type} and is not published: ${remedy}`;
  problems.warning([...path, 'examples', 0], 'example-type', message);
  return null;
}
