/** Moves a state from view to view. */
import type { ExploredDataset } from './dataset.ts';
import { hasMoments, momentOf } from './moment.ts';
import { oneYear, type ViewName, type ViewState } from './question.ts';
import { ofOnePeriod } from './view-questions.ts';
import { VIEW_NAMES, VIEWS } from './view-table.ts';

/** Returns the views that the dataset's levels and columns allow. */
export function possibleViews(dataset: ExploredDataset): readonly ViewName[] {
  return VIEW_NAMES.filter(name => VIEWS[name].isPossible(dataset));
}

export function withView(dataset: ExploredDataset, state: ViewState, view: ViewName): ViewState {
  return { ...state, view, question: VIEWS[view].ask(dataset, state.question) };
}

/** Adapts an address's question to its view: bars and maps show one period. */
export function fitView(dataset: ExploredDataset, state: ViewState): ViewState {
  const { view, question } = state;
  if (!VIEWS[view].isOfOnePeriod) return state;
  const isFit = hasMoments(dataset) ? momentOf(dataset, question) !== null : oneYear(question.years) !== null;
  return isFit ? state : { ...state, question: ofOnePeriod(dataset, question) };
}
