import type { Problems } from './problems.ts';
import { quote } from './quoting.ts';
import type { Path } from './yaml-document.ts';

/** Characters with a meaning in DuckDB's globs, in paths of other systems or in storage URLs. */
const REFUSED = /[\u0000-\u001f\u007f\\?[\]:]/;

/**
 * Whether a template names only files inside the lake: relative, without `..`, and for several levels with `{detail}`.
 * Without `{year}`, the rows of a file say their years. `*` may stand for part of a segment. Reports `path-invalid`
 * otherwise.
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

/** Whether a dimension's `physical_basename` is a plain file name. Reports `path-invalid` otherwise. */
export function checkBasename(basename: string, path: Path, problems: Problems): boolean {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(basename)) return true;
  const message = `${quote(basename)} is not the name of a file: use letters, digits, _ and -, without folders`;
  problems.doubt(path, 'path-invalid', message);
  return false;
}
