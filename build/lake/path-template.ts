/** Reads the year and the level from file names by a contract's path template. Pure. */
import type { Dataset } from '../contract/dataset.ts';

/** The slice that a file name gives. `year` is null and `detail` absent if the template has none. */
export interface SliceName {
  readonly year: number | null;
  readonly detail?: string | undefined;
}

/** Levels that a name fits equally. */
export interface AmbiguousName {
  readonly either: readonly string[];
}

/**
 * Returns a reader of names; it returns null for a name that does not fit the template. The longest fitting level wins:
 * of `city` and `city_district`, the name `city_district_0` belongs to the second.
 */
export function sliceReader({
  pathTemplate,
  levels,
}: Pick<Dataset, 'pathTemplate' | 'levels'>): (path: string) => SliceName | AmbiguousName | null {
  const any = templatePattern(pathTemplate);
  const ofLevel = (pathTemplate.includes('{detail}') ? levels : [])
    .map(level => ({ level, pattern: templatePattern(pathTemplate.replaceAll('{detail}', level)) }))
    .sort((a, b) => b.level.length - a.level.length);
  return path => {
    const match = any.exec(path);
    if (match === null) return null;
    const fitting = ofLevel.filter(({ pattern }) => pattern.test(path));
    const [longest] = fitting;
    if (longest === undefined) return { year: yearOf(match), detail: match.groups?.detail };
    if (fitting.some(({ level }) => !longest.level.includes(level)))
      return { either: fitting.map(({ level }) => level) };
    return { year: yearOf(longest.pattern.exec(path)), detail: longest.level };
  };
}

function yearOf(match: RegExpExecArray | null): number | null {
  const year = match?.groups?.year;
  return year === undefined ? null : Number(year);
}

/**
 * Turns a template into a pattern. It captures `{year}` and `{detail}`, which have the same value wherever they repeat;
 * `*` matches any text within a name. No name may begin with a dot or `_` there: programs use those for their own files.
 */
export function templatePattern(template: string): RegExp {
  const source = template
    .split(/(\{year\}|\{detail\}|\*)/)
    .map((token, i, tokens) => {
      const again = tokens.indexOf(token) < i;
      if (token === '{year}') return again ? '\\k<year>' : yearPattern(tokens, i);
      const own = /(^|\/)$/.test(tokens.slice(0, i).join('')) ? '(?![._])' : '';
      if (token === '{detail}') return again ? '\\k<detail>' : `(?<detail>${own}[^/]+?)`;
      if (token === '*') return `${own}[^/]*`;
      return token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** Next to `*`, which could swallow digits, a year takes the whole run of digits. */
function yearPattern(tokens: readonly string[], i: number): string {
  const before = tokens[i - 1] === '' && tokens[i - 2] === '*' ? '(?<!\\d)' : '';
  const after = tokens[i + 1] === '' && tokens[i + 2] === '*' ? '(?!\\d)' : '';
  return `${before}(?<year>\\d{1,4})${after}`;
}
