/** What a contract's path template says of the name of a file. Pure. */
import type { Dataset } from '../contract/dataset.ts';

/** Of which slice a name is; `detail` is absent where the template has no level. */
export interface SliceName {
  readonly year: number;
  readonly detail?: string | undefined;
}

/** Levels of which a name may be alike. */
export interface AmbiguousName {
  readonly either: readonly string[];
}

/**
 * Reads names by a dataset's template; null of one that does not fit it. A name that fits a level is of that level, even if
 * it would fit a shorter one within it: beside `city` and `city_district`, `city_district_0` is of the second.
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
    if (longest === undefined) return { year: Number(match.groups?.year), detail: match.groups?.detail };
    if (fitting.some(({ level }) => !longest.level.includes(level)))
      return { either: fitting.map(({ level }) => level) };
    return { year: Number(longest.pattern.exec(path)?.groups?.year), detail: longest.level };
  };
}

/**
 * A template as a pattern: `{year}` and `{detail}` are captured, and mean the same wherever they stand again; `*`
 * stands for any part of a name. Neither `*` nor a level begins a name with a dot or `_`: those are writers' own.
 */
export function templatePattern(template: string): RegExp {
  const source = template
    .split(/(\{year\}|\{detail\}|\*)/)
    .map((part, i, parts) => {
      const again = parts.indexOf(part) < i;
      if (part === '{year}') return again ? '\\k<year>' : yearPattern(parts, i);
      const own = /(^|\/)$/.test(parts.slice(0, i).join('')) ? '(?![._])' : '';
      if (part === '{detail}') return again ? '\\k<detail>' : `(?<detail>${own}[^/]+?)`;
      if (part === '*') return `${own}[^/]*`;
      return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** Beside `*`, which would take in some of a year's digits, a year is all digits that follow each other. */
function yearPattern(parts: readonly string[], i: number): string {
  const before = parts[i - 1] === '' && parts[i - 2] === '*' ? '(?<!\\d)' : '';
  const after = parts[i + 1] === '' && parts[i + 2] === '*' ? '(?!\\d)' : '';
  return `${before}(?<year>\\d{1,4})${after}`;
}
