/** Says which of a reader's choices a view does not show. */
import { t } from '../messages/messages.ts';
import { chosenPlaces, isListed, isSamePlace, namePlace } from './chosen-places.ts';
import type { ExploredDataset } from './dataset.ts';
import { levelTitle } from './levels.ts';
import { isOpen, oneYear, type ViewState } from './question.ts';
import { VIEWS } from './view-table.ts';
import { nameUnit } from './timeline.ts';
import { describePeriod, listNames } from './wording.ts';

/** Returns what the step from one state to another gave up, in sentences. */
export function describeLosses(dataset: ExploredDataset, before: ViewState, after: ViewState): string[] {
  const { view } = after;
  const losses: string[] = [];
  const kept = chosenPlaces(after);
  const lost = chosenPlaces(before).filter(place => !kept.some(one => isSamePlace(one, place)));
  if (lost.length > 0)
    losses.push(t.lost.places(t.view.shows[view], listNames(lost.map(place => namePlace(dataset, place)))));
  const [was, is] = [before, after].map(
    ({ question }) => describePeriod(dataset, question) ?? oneYear(question.years),
  );
  if (typeof was !== typeof is && is != null) {
    const unit = nameUnit(typeof is === 'string' ? dataset.timeline : null);
    losses.push(t.lost.periods(t.view.shows[view], unit, String(is)));
  }
  for (const field of dataset.fields) {
    const { param, label, kind, choices } = field;
    const [only] = after.question.filters.get(param) ?? [];
    if (kind !== 'axis' || !isOpen(before.question, field) || isOpen(after.question, field)) continue;
    const name = choices.find(({ value }) => value === only)?.label ?? only ?? '';
    losses.push(t.lost.values(t.view.shows[view], label, name));
  }
  return losses;
}

/** Says which chosen places have no rows at all; null if none. */
export function describeAbsent(dataset: ExploredDataset, state: ViewState): string | null {
  const absent = chosenPlaces(state).filter(place => !isListed(dataset, place));
  if (absent.length === 0) return null;
  return t.lost.absent(listNames(absent.map(place => namePlace(dataset, place))));
}

/** Says which chosen places the present view leaves out; null if none. */
export function describeLeftOut(
  dataset: ExploredDataset,
  { view, question, beside }: ViewState,
): string | null {
  if (beside.length === 0 || VIEWS[view].hasBeside) return null;
  const level = levelTitle(dataset, question.detail);
  const names = listNames(beside.map(place => namePlace(dataset, place)));
  return t.lost.beside(t.view.shows[view], level, names);
}
