/** Names a view by what it shows, for headings, the browser's tab and its history. */
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import { chosenPlaces, namePlace } from './chosen-places.ts';
import type { ExploredDataset, Field } from './dataset.ts';
import { formatCount, spellName } from './format.ts';
import { levelTitle } from './levels.ts';
import { isOpen, levelOf, type ViewState, within } from './question.ts';
import { chosenChoices } from './search.ts';
import { describePeriod, listNames } from './wording.ts';

/** Such as `Attendance rate in District 601 by grade, 2004 to 2025`; `drawn` are the first and the last year of lines. */
export function titleView(
  dataset: ExploredDataset,
  state: ViewState,
  drawn: readonly [number, number] | null = null,
): string {
  const metric = dataset.metrics.find(({ column }) => column.name === state.metric);
  const subject = (state.view === 'table' ? undefined : metric?.column.label) ?? dataset.schema.title;
  const places = namePlaces(dataset, state);
  const axes = dataset.fields.filter(({ kind }) => kind === 'axis');
  const groups = axes
    .filter(field => isOpen(state.question, field) && field.choices.length > 0)
    .map(({ label }) => inSentence(label));
  return [
    [
      places === '' ? subject : t.title.in(subject, places),
      ...(groups.length === 0 ? [] : [t.title.by(joinWords(groups))]),
    ].join(' '),
    ...namePins(dataset, state),
    ...nameYears(dataset, state, drawn),
  ].join(', ');
}

/** Empty if the level is the whole of an area without a name. */
function namePlaces(dataset: ExploredDataset, state: ViewState): string {
  const { question } = state;
  const chosen = chosenPlaces(state).map(place => namePlace(dataset, place));
  const isWhole = levelOf(dataset, question.detail).places.length === 0;
  const narrowed = dataset.fields
    .filter(({ kind, param }) => kind === 'place' && question.filters.has(param))
    .map(field => listNames(chosenChoices(field, question.filters).map(({ label }) => label)));
  const own =
    question.places.length > 0
      ? []
      : !isWhole
        ? [narrowed.reduce(t.title.in, t.title.all(spellName(question.detail)))]
        : dataset.schema.area === undefined
          ? []
          : [levelTitle(dataset, question.detail)];
  const names = [...own, ...chosen];
  let length = 0;
  const first = names.filter((name, i) => {
    length += name.length;
    return i === 0 || (i < MOST_NAMED && length <= MOST_LETTERS);
  });
  const more = names.length - first.length;
  return more === 0 ? listNames(names) : t.words.andMore(listNames(first), formatCount(more));
}

/** Places that a title names: a legend names all of them. */
const MOST_NAMED = 2;

/** Letters of places, so that a title has two lines beside its chart. */
const MOST_LETTERS = 60;

/** The values of the axes that are pinned to anything but a total. */
export function namePins({ fields }: ExploredDataset, state: ViewState): string[] {
  return fields.filter(({ kind }) => kind === 'axis').flatMap(field => namePin(state, field));
}

/** The one value of an axis; none for its total. */
function namePin({ question }: ViewState, field: Field): string[] {
  const values = question.filters.get(field.param);
  if (values?.length !== 1 || values[0] === field.total) return [];
  return chosenChoices(field, question.filters).map(({ label }) => label);
}

/** The years that the level has within the chosen ones, unless the drawn ones are known. */
function nameYears(
  dataset: ExploredDataset,
  { question }: ViewState,
  drawn: readonly [number, number] | null,
): string[] {
  const period = describePeriod(dataset, question);
  if (period !== null) return [period];
  const { detail, years } = question;
  const known = drawn ?? levelOf(dataset, detail).years.filter(year => within(year, years));
  const [first, last] = [known[0], known.at(-1)];
  if (dataset.timeline === null || first === undefined || last === undefined) return [];
  return [first === last ? String(first) : t.words.fromTo(String(first), String(last))];
}

/** A label after other words: `Grade` becomes `grade`, and `ICE office` stays. */
function inSentence(label: string): string {
  return /^\p{Lu}\p{Ll}/u.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label;
}
