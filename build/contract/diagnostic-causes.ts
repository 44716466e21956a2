/** Formats diagnostics for people: one line for each cause, however many files it affects. Pure. */
import { spellYears } from '../format/year-runs.ts';
import { type Diagnostic, formatDiagnostic, formatPlace } from './diagnostic.ts';

/** How many places a line names after the first. */
const NAMED = 3;

/**
 * Formats one line for each cause, in the order of its first diagnostic. Warnings with the same text share a cause. So
 * do errors with the same text in files of a lake, which one job wrote. Every other error gets its own line, because
 * each place needs its own correction.
 */
export function formatCauses(diagnostics: readonly Diagnostic[]): string[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const [i, one] of diagnostics.entries()) {
    const isAlone = one.severity === 'error' && !one.code.startsWith('lake-');
    const key = isAlone ? String(i) : JSON.stringify([one.severity, one.code, causeText(one)]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].map(group => `${formatDiagnostic(group[0])}${others(group)}`);
}

/** The message without the year, so that the files of several years share a cause. */
function causeText({ message, slice }: Diagnostic): string {
  return slice === undefined ? message : message.replaceAll(String(slice.year), 'year');
}

function others(group: readonly [Diagnostic, ...Diagnostic[]]): string {
  const [, ...more] = group;
  if (more.length === 0) return '';
  const slices = group.flatMap(({ slice }) => slice ?? []);
  const files = new Set(group.map(({ file }) => file)).size;
  if (slices.length === group.length) return ` In ${files} files: ${spellSlices(slices)}.`;
  const years = yearsOfNames(group);
  if (years !== null) return ` In ${files} files: ${spellYears(years)}.`;
  const named = more.slice(0, NAMED).map(formatPlace).join(', ');
  const rest = more.length > NAMED ? `, and ${more.length - NAMED} more, which --json lists` : '';
  return ` The same at ${named}${rest}.`;
}

/** The years of files whose names differ in nothing else, ascending; null for any others. */
function yearsOfNames(group: readonly Diagnostic[]): number[] | null {
  const found = group.map(({ file, line }) => (line === undefined ? YEAR.exec(file) : null));
  const rest = new Set(found.map(match => (match === null ? null : match.input.replace(YEAR, ''))));
  const years = new Set(found.flatMap(match => (match === null ? [] : Number(match[0]))));
  if (rest.size !== 1 || rest.has(null) || years.size !== group.length) return null;
  return [...years].sort((a, b) => a - b);
}

const YEAR = /(?<!\d)(?:1[5-9]|20|21)\d{2}(?!\d)/;

/** `2000 to 2024 (counties, states), 2010 (tracts)` */
function spellSlices(slices: readonly NonNullable<Diagnostic['slice']>[]): string {
  const yearsOf = new Map<string, Set<number>>();
  for (const { year, detail } of slices) yearsOf.set(detail, (yearsOf.get(detail) ?? new Set()).add(year));
  const levelsOf = new Map<string, string[]>();
  for (const [detail, years] of yearsOf) {
    const spelled = spellYears([...years].sort((a, b) => a - b));
    levelsOf.set(spelled, [...(levelsOf.get(spelled) ?? []), detail]);
  }
  return [...levelsOf].map(([years, levels]) => `${years} (${levels.join(', ')})`).join(', ');
}
