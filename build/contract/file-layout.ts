/** Reads where the rows are in the lake, and how the table lies in its file. */
import type { FileLayout, ObjectProperties } from './custom-profile.ts';
import type { BaseColumn, Column, DimensionColumn } from './dataset.ts';
import { quote, suggestion } from './diagnostic.ts';
import type { Problems } from './problems.ts';
import type { CustomProperties } from './shape.ts';
import type { Path } from './yaml-document.ts';

/** Reports `year_columns` that the contract has no column for. */
export function readFileLayout(
  object: CustomProperties<ObjectProperties>,
  columns: readonly (Column | DimensionColumn)[],
  problems: Problems,
): FileLayout {
  const layout = object.values.file_layout ?? {};
  if (layout.year_columns === undefined) return layout;
  const names = columns.map(({ name }: BaseColumn) => name);
  for (const name of Object.keys(layout.year_columns)) {
    if (names.includes(name)) continue;
    const message = `year_columns reads figures into the column ${quote(name)}, which the contract lacks${suggestion(name, names)}: add or correct it`;
    problems.doubt(object.pathOf('file_layout', 'year_columns', name), 'file-layout', message);
  }
  if (!columns.some(column => column.role === 'year' && column.derivedFrom === null)) {
    const message =
      'year_columns makes a row for each year, and the contract has no column for the year: add an integer with the role year';
    problems.doubt(object.pathOf('file_layout', 'year_columns'), 'file-layout', message);
  }
  return layout;
}

/** Characters with a meaning in DuckDB's globs, other systems' paths or storage URLs. */
const REFUSED = /[\u0000-\u001f\u007f\\?[\]:]/;

/**
 * Reports `path-invalid` unless the template is relative, has no `..`, and has `{detail}` for several levels.
 * Without `{year}`, the rows say their years. `*` matches part of a name.
 */
export function checkPathTemplate(template: string, levels: number, path: Path, problems: Problems): boolean {
  const fail = (what: string) => {
    problems.doubt(path, 'path-invalid', `the path template ${quote(template)} ${what}`);
    return false;
  };
  const segments = template.split('/');
  if (template.startsWith('/')) return fail('is absolute: write it from the root of the lake');
  if (REFUSED.test(template))
    return fail('has a character that a plain path cannot contain: use letters, digits and /');
  if (segments.some(s => s === '' || s === '.' || s === '..')) {
    return fail('has an empty segment, `.` or `..`: name each folder');
  }
  if (template.includes('**')) return fail('has `**`: name each folder; `*` stands for part of a name');
  if (/[{}]/.test(template.replaceAll('{year}', '').replaceAll('{detail}', ''))) {
    return fail('has braces other than {year} and {detail}: remove them');
  }
  if (levels > 1 && !template.includes('{detail}'))
    return fail('has no {detail}: each level needs files of its own');
  return true;
}

export function checkBasename(basename: string, path: Path, problems: Problems): boolean {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(basename)) return true;
  const message = `${quote(basename)} is not the name of a file: use letters, digits, _ and -, without folders`;
  problems.doubt(path, 'path-invalid', message);
  return false;
}
