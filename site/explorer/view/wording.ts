/** Writes titles, summaries and sources. */
import { isEnd } from '../../query/condition.ts';
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import { chosenChoices } from './choices.ts';
import { chosenPlaces, namePlace } from './chosen-places.ts';
import { niceTicks } from './curve.tsx';
import { type ExploredDataset, hasNamedLevels, levelName, levelTitle, type Metric } from './dataset.ts';
import { formatCount, formatNumber, formatTick, formatYears, spellUnit } from './format.ts';
import { momentOf, withoutMoment } from './moment.ts';
import { isOpen, levelOf, type Question, type ViewState, within } from './question.ts';

/** `Attendance rate in District 601 by grade, Staffed: yes, 2004 to 2025`. `drawn`: the first and the last year of drawn lines. */
export function titleView(state: ViewState, drawn: readonly [number, number] | null = null): string {
  const { schema, metrics, fields } = state.dataset;
  const metric = metrics.find(({ column }) => column.name === state.metric);
  const subject = state.view === 'table' || metric === undefined ? schema.title : metricName(metric);
  const places = namePlaces(state);
  const groups = fields
    .filter(field => field.kind === 'axis' && isOpen(state, field) && field.choices.length > 0)
    .map(({ label }) => inSentence(label));
  return [
    [
      places === '' ? subject : t.title.in(subject, places),
      ...(groups.length === 0 ? [] : [t.title.by(joinWords(groups))]),
    ].join(' '),
    ...namePins(state),
    ...nameFilters(state),
    ...nameYears(state, drawn),
  ].join(', ');
}

/** Empty if the level is the whole and the area has no name. */
function namePlaces(state: ViewState): string {
  const { dataset, detail, filters } = state;
  const chosen = chosenPlaces(state).map(place => namePlace(dataset, place));
  const isWhole = levelOf(state).places.length === 0;
  const narrowed = dataset.fields
    .filter(({ kind, param }) => kind === 'place' && filters.has(param))
    .map(field => listNames(chosenChoices(field, filters).map(({ label }) => label)));
  const own =
    state.places.length > 0
      ? []
      : !isWhole && hasNamedLevels(dataset)
        ? [narrowed.reduce(t.title.in, t.title.all(levelName(dataset, detail)))]
        : dataset.schema.area === undefined
          ? []
          : [levelTitle(dataset, detail)];
  const names = [...own, ...chosen];
  let length = 0;
  const first = names.filter((name, i) => {
    length += name.length;
    return i === 0 || (i < MOST_IN_TITLE && length <= MOST_LETTERS);
  });
  const more = names.length - first.length;
  if (more > 0) return t.words.andMore(listNames(first), formatCount(more));
  return names.some(name => name.includes(',')) ? listNames(names) : joinWords(names);
}

/** The most places in a title; the legend names all. */
const MOST_IN_TITLE = 2;

/** The most letters of places: the title then fits two lines. */
const MOST_LETTERS = 60;

/** The values of axes that are pinned, except totals. */
export function namePins({ dataset, filters }: Question): string[] {
  return dataset.fields.flatMap(field => {
    const values = filters.get(field.param);
    if (field.kind !== 'axis' || values?.length !== 1 || values[0] === field.total) return [];
    return chosenChoices(field, filters).map(({ label }) => label);
  });
}

/** The drawn years if they are known, else the level's years within the chosen ones. */
function nameYears(question: Question, drawn: readonly [number, number] | null): string[] {
  const period = describePeriod(question);
  if (period !== null) return [period];
  const { dataset, years } = question;
  const known = drawn ?? levelOf(question).years.filter(year => within(year, years));
  const [first, last] = [known[0], known.at(-1)];
  if (dataset.timeline === null || first === undefined || last === undefined) return [];
  return [first === last ? String(first) : t.words.fromTo(String(first), String(last))];
}

/** A label within a sentence: `Grade` becomes `grade`, but `ICE office` and `Country Name` stay. */
function inSentence(label: string): string {
  return /^\p{Lu}\p{Ll}[^\p{Lu}]*$/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;
}

/** Names a figure with the unit that its numbers don't show, unless the name contains it. */
export function metricName({ column: { label, unit } }: Metric): string {
  const word = spellUnit(unit);
  return word === null || label.toLowerCase().includes(word.toLowerCase()) ? label : `${label} (${word})`;
}

/** Filters on columns that only describe a row, and ranges: `Staffed: yes`, `Rate: from 10%`. */
function nameFilters(question: Question): string[] {
  const { dataset, filters } = question;
  const marks = dataset.fields.flatMap(field => {
    if (field.kind !== 'mark' || !filters.has(field.param)) return [];
    return [`${field.label}: ${listNames(chosenChoices(field, filters).map(({ label }) => label))}`];
  });
  // The period is named separately.
  return [...marks, ...describeRanges(withoutMoment(question))];
}

/** The ends of ranges that the question asks for: `Rate: from 10%`. */
export function describeRanges({ dataset: { table, schema }, filters }: Question): string[] {
  return [...table.parameters].flatMap(([param, parameter]) => {
    const [value] = filters.get(param) ?? [];
    if (parameter.kind !== 'column' || value === undefined || !isEnd(parameter.bound)) return [];
    const described = schema.columns.find(({ name }) => name === parameter.column);
    const isNumber = parameter.type === 'number' || parameter.type === 'integer';
    const end = isNumber ? formatNumber(Number(value), described?.unit ?? null) : value;
    const words = parameter.bound === 'min' ? t.words.from(end) : t.words.upTo(end);
    return [`${described?.label || parameter.column}: ${words}`];
  });
}

const MOST_NAMED = 3;

/** Lists the first names, and counts the others. */
export function listNames(names: readonly string[]): string {
  const separator = names.some(name => name.includes(',')) ? '; ' : ', ';
  const named = names.slice(0, MOST_NAMED).join(separator);
  const rest = names.length - MOST_NAMED;
  return rest > 0 ? t.words.andMore(named, formatCount(rest)) : named;
}

/** The single year or shorter period of a question; null if there are several. */
export function describePeriod(question: Question): string | null {
  const { timeline } = question.dataset;
  const at = momentOf(question);
  return at === null || timeline === null ? null : timeline.label(at);
}

/** Why a question has no rows. */
export function describeNoRows(question: Question): string {
  const { years } = levelOf(question);
  const isOtherYear = years.length > 0 && !years.some(year => within(year, question.years));
  return isOtherYear ? t.drawing.rowsOnlyOf(formatYears(years)) : t.drawing.noRows;
}

export function describeSource({ schema, manifest }: ExploredDataset): string {
  return [
    ...(schema.source === null ? [] : [t.words.source(schema.source.replace(/\.$/, ''))]),
    t.words.version(schema.title, schema.version, manifest.release),
    ...(manifest.license ? [t.words.licence(manifest.license)] : []),
  ].join(' ');
}

/** Says where the axis of these values begins if that isn't zero and a reader may expect zero; else null. */
export function describeStart(
  ends: readonly number[],
  unit: string | null,
  ticks: readonly number[] = niceTicks(Math.min(...ends), Math.max(...ends)),
): string | null {
  const [start = 0] = ticks;
  if (ends.length === 0 || (unit !== 'count' && unit !== 'proportion')) return null;
  return start > 0 ? t.words.start(formatTick(start, unit, ticks)) : null;
}

/** What NULL means in the column, in the contract's words. */
export function describeNull({ schema }: ExploredDataset, column: string): string {
  const own = schema.columns.find(({ name }) => name === column);
  if (own?.null_meaning) return t.words.nullMeans(own.null_meaning.replace(/\.?$/, '.'));
  return own?.role === 'metric' ? t.words.nullFigure : t.words.nullValue;
}

/** Breaks a text between words into rows of at most so many characters; breaks a longer word. */
export function wrapText(text: string, room: number): string[] {
  const most = Math.max(4, room);
  const rows: string[] = [];
  for (let word of text.split(/\s+/).filter(Boolean)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) {
      rows[rows.length - 1] = `${last} ${word}`;
      continue;
    }
    for (; word.length > most; word = word.slice(most)) rows.push(word.slice(0, most));
    rows.push(word);
  }
  return rows;
}

/** A dataset's summary, with the note of a partial release. */
export function coveredSummary(words: { readonly summary: string; readonly coverage_note?: string }): string {
  return [words.summary, words.coverage_note ?? ''].filter(Boolean).join(' ');
}
