/** Titles, summaries and sources of what is shown, in words. */
import type { ExploredDataset, Field, Metric } from './dataset.ts';
import { formatCount, formatNumber, spellName, titleName } from './format.ts';
import { isOpen, oneYear, type Question } from './question.ts';
import { chosenChoices } from './search.ts';
import type { Bar, Series } from './series.ts';

/** A figure's name with its unit: `Mean score (score)` would say it twice. */
export function metricTitle({ column: { label, unit } }: Metric): string {
  const word = unit === 'proportion' ? 'percent' : unit === 'currency' ? 'dollars' : unit;
  const silent = word === null || word === 'count' || label.toLowerCase().includes(word.toLowerCase());
  return silent ? label : `${label} (${word})`;
}

/** What the rows are limited to, as `Counties · 2024 · Season: all`. */
export function describeQuestion(dataset: ExploredDataset, question: Question): string {
  const parts = [titleName(question.detail), describeYears(question)];
  for (const field of dataset.fields) {
    if (!question.filters.has(field.param)) {
      if (field.kind === 'axis' && isOpen(question, field)) parts.push(`${field.label}: any`);
      continue;
    }
    const names = nameChoices(dataset, question, field);
    const rest = names.length > 3 ? ` and ${formatCount(names.length - 3)} more` : '';
    const separator = names.some(name => name.includes(',')) ? '; ' : ', ';
    parts.push(`${field.label}: ${names.slice(0, 3).join(separator)}${rest}`);
  }
  return parts.join(' · ');
}

/** One code can be that of a place in each of several larger ones: all that are asked for have their names. */
function nameChoices({ fields }: ExploredDataset, { filters }: Question, field: Field): string[] {
  return chosenChoices(field, filters).map(({ label, keys }) => {
    const larger = Object.entries(keys).flatMap(([param, part]) => {
      if (filters.get(param)?.length === 1) return [];
      const found = fields.find(one => one.param === param);
      return [found?.choices.find(choice => choice.value === part)?.label ?? part];
    });
    return [label, ...larger].join(', ');
  });
}

function describeYears({ years }: Question): string {
  const year = oneYear(years);
  if (year !== null) return String(year);
  if (years.min === null && years.max === null) return 'all years';
  if (years.max === null) return `from ${years.min}`;
  return years.min === null ? `up to ${years.max}` : `${years.min}–${years.max}`;
}

export function describeSource({ schema, manifest }: ExploredDataset): string {
  const source = schema.source === null ? '' : `Source: ${schema.source.replace(/\.$/, '')}. `;
  return `${source}${schema.title}, version ${schema.version}, release ${manifest.release}.`;
}

/**
 * What a line chart shows, for those who do not see it. Never a difference between years; what stands before a break
 * (`breaks` are the last years before one) is said apart from what follows it.
 */
export function describeSeries(
  metric: Metric,
  series: readonly Series[],
  breaks: readonly number[] = [],
): string {
  const say = (value: number) => formatNumber(value, metric.column.unit);
  const lines = series.slice(0, 4).map(({ label, points }) => {
    const known = points.flatMap(point => (point.value === null ? [] : [{ ...point, value: point.value }]));
    const name = label === '' ? metric.column.label : label;
    const ends = [-Infinity, ...breaks, Infinity];
    const said = ends.slice(1).flatMap((to, i) => {
      const era = known.filter(({ year }) => year > (ends[i] ?? 0) && year <= to);
      const outer = era.length > 1 ? [era[0]!, era.at(-1)!] : era;
      return outer.length === 0 ? [] : [outer.map(one => `${say(one.value)} in ${one.year}`).join(', ')];
    });
    return `${name}: ${said.join('; ') || 'no figure is published'}.`;
  });
  const rest = series.length - lines.length;
  return [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ');
}

export function describeBars(metric: Metric, bars: readonly Bar[]): string {
  const known = bars.flatMap(bar => (bar.value === null ? [] : [{ ...bar, value: bar.value }]));
  if (known.length === 0) return 'No figure is published.';
  const sorted = [...known].sort((a, b) => b.value - a.value);
  const [most, least] = [sorted[0]!, sorted.at(-1)!];
  const say = (value: number) => formatNumber(value, metric.column.unit);
  const missing = bars.length - known.length;
  const none = missing === 0 ? '' : ` ${formatCount(missing)} have no published figure.`;
  if (most === least) return `${most.label || metric.column.label}: ${say(most.value)}.${none}`;
  return `Greatest: ${most.label}, ${say(most.value)}. Least: ${least.label}, ${say(least.value)}.${none}`;
}

/** Why a cell of the column is empty; never that it is zero. */
export function describeNull(dataset: ExploredDataset, column: string): string {
  const own = dataset.schema.columns.find(({ name }) => name === column);
  if (own?.null_meaning) return own.null_meaning;
  if (own?.role === 'metric' && dataset.schema.null_semantics.suppressed_to_null)
    return 'The figure is not published.';
  return 'There is no value.';
}

/** Level names as a choice reads them. */
export function levelTitle(name: string): string {
  return titleName(spellName(name));
}

/** A text of so many characters at most, cut in its middle: names of places often differ at their ends. */
export function shortenText(text: string, room: number): string {
  const letters = [...text];
  if (letters.length <= room) return text;
  const end = Math.floor((room - 1) / 3);
  return `${letters.slice(0, Math.max(1, room - 1 - end)).join('')}…${end > 0 ? letters.slice(-end).join('') : ''}`;
}

/** Texts of so many characters at most, in their order: different texts stay different, as far as the room goes. */
export function shortenApart(texts: readonly string[], room: number): string[] {
  const short = texts.map(text => shortenText(text, room));
  const groups = new Map<string, Set<string>>();
  for (const [i, text] of texts.entries())
    groups.set(short[i]!, (groups.get(short[i]!) ?? new Set()).add(text));
  const apart = new Map<string, string>();
  for (const group of groups.values()) {
    if (group.size < 2) continue;
    // What they begin with alike is left out, so that the room is for what tells them apart.
    const alike = countAlike([...group]);
    const members = [...group];
    const rests = shortenApart(
      members.map(text => text.slice(alike)),
      Math.max(2, room - 1),
    );
    for (const [i, text] of members.entries()) apart.set(text, `…${rests[i]}`);
  }
  return texts.map((text, i) => apart.get(text) ?? short[i]!);
}

/** Characters that all begin with, back to the beginning of the word in which they part. */
function countAlike([first = '', ...others]: readonly string[]): number {
  let alike = 0;
  while (alike < first.length && others.every(text => text[alike] === first[alike])) alike++;
  if (/[\ud800-\udbff]/.test(first[alike - 1] ?? '')) alike--;
  const word = first.lastIndexOf(' ', alike - 1) + 1;
  return word > 0 && alike - word < LONGEST_WORD ? word : alike;
}

const LONGEST_WORD = 12;

/** A contract's summary, and what the release holds of it where that is less. */
export function coveredSummary(words: { readonly summary: string; readonly coverage_note?: string }): string {
  return [words.summary, words.coverage_note ?? ''].filter(Boolean).join(' ');
}
