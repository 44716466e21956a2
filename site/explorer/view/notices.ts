/** The notices beside a view: warnings about adding or comparing its rows, and choices that it doesn't show. */
import { t } from '../messages/messages.ts';
import { nameValue } from './choices.ts';
import { chosenPlaces, isListed, isSamePlace, namePlace } from './chosen-places.ts';
import { type Field, levelTitle } from './dataset.ts';
import { isOpen, type LevelPlace, oneYear, type Question, type ViewState } from './question.ts';
import { nameUnit, YEARS } from './timeline.ts';
import { VIEWS } from './views.ts';
import { describePeriod, listNames } from './wording.ts';

/** Sentences: chosen places that aren't shown, then warnings, if rows overlap. */
export function composeNotices(state: ViewState): string[] {
  const { dataset, view, years, detail, beside } = state;
  const labels = new Map<string, string[]>();
  for (const field of dataset.fields) {
    const warning = field.kind === 'axis' && isOpen(state, field) ? describeAxis(state, field) : null;
    if (warning !== null) labels.set(warning, [...(labels.get(warning) ?? []), field.label]);
  }
  const nameAll = (places: readonly LevelPlace[]) =>
    listNames(places.map(place => namePlace(dataset, place)));
  const absent = chosenPlaces(state).filter(place => !isListed(dataset, place));
  const isLeftOut = beside.length > 0 && !VIEWS[view].isCompared;
  const { pooledYears } = dataset.comparability;
  // A chart has this among its own notes.
  const isPooled = view !== 'chart' && pooledYears !== null && oneYear(years) === null;
  return [
    ...(absent.length > 0 ? [t.lost.absent(nameAll(absent))] : []),
    ...(isLeftOut ? [t.lost.beside(t.view.shows[view], levelTitle(dataset, detail), nameAll(beside))] : []),
    ...[...labels].map(([warning, fields]) => `${fields.join(', ')}: ${warning}`),
    ...(isPooled ? [t.notices.pooling(pooledYears)] : []),
  ];
}

/** The warning without the axis's name: axes with the same warning share one notice. */
function describeAxis({ filters }: Question, field: Field): string | null {
  const { param, choices, total, overlap } = field;
  const values = filters.get(param) ?? choices.map(choice => choice.value);
  if (values.length < 2) return null;
  if (total !== null && values.includes(total)) {
    return t.notices.total(nameValue(field, total));
  }
  const categories = new Set(values.map(value => overlap?.categoryOf.get(value) ?? value));
  if (overlap && categories.size > 1) {
    return t.notices.overlap(overlap.label.toLowerCase());
  }
  if (overlap) return null;
  return total === null ? t.notices.noTotal : t.notices.several;
}

/** Sentences about the choices that a change of the view dropped. */
export function describeLosses(before: ViewState, after: ViewState): string[] {
  const { dataset, view } = after;
  const losses: string[] = [];
  const kept = chosenPlaces(after);
  const lost = chosenPlaces(before).filter(place => !kept.some(one => isSamePlace(one, place)));
  if (lost.length > 0)
    losses.push(t.lost.places(t.view.shows[view], listNames(lost.map(place => namePlace(dataset, place)))));
  const period = describePeriod(after);
  if (describePeriod(before) === null && period !== null)
    losses.push(t.lost.periods(t.view.shows[view], nameUnit(dataset.timeline ?? YEARS), period));
  for (const field of dataset.fields) {
    const { param, label, kind } = field;
    const [only] = after.filters.get(param) ?? [];
    if (kind !== 'axis' || !isOpen(before, field) || isOpen(after, field)) continue;
    losses.push(t.lost.values(t.view.shows[view], label, nameValue(field, only ?? '')));
  }
  return losses;
}
