/** Keeps the state of the page in its URL, and the title of the document with the view that it shows. */

import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import { formatState, type ParsedState, readAddress } from '../../view/state.ts';
import { titleView } from '../../view/wording.ts';

interface UrlState extends ParsedState {
  /** Shows another state and adds it to the browser's history. */
  show(state: ViewState): void;
  /** Replaces the present state. */
  correct(state: ViewState): void;
}

/** `first` is the address of the view that the page shows where its own has none. */
export function useUrlState(dataset: ExploredDataset, first: string): UrlState {
  const [parsed, setParsed] = useState<ParsedState>(() => readState(dataset, first));
  useEffect(() => {
    const follow = () => setParsed(readState(dataset, first));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, [dataset]);
  const show = (state: ViewState) => {
    history.pushState(null, '', formatQuery(formatState(dataset, state)) + location.hash);
    setParsed({ state, problems: [], untouched: false });
  };
  const correct = (state: ViewState) => setParsed({ ...parsed, state, untouched: false });
  return { ...parsed, show, correct };
}

function readState(dataset: ExploredDataset, first: string): ParsedState {
  return readAddress(dataset, location.search, first);
}

/** The page's own title, which follows that of each view. */
const page = document.title;

export function useViewTitle(dataset: ExploredDataset, state: ViewState): string {
  const title = useMemo(() => titleView(dataset, state), [dataset, state]);
  // Before the effects of the view: a drawing names the years that it has.
  useLayoutEffect(() => nameDocument(title), [title]);
  return title;
}

export function nameDocument(title: string): void {
  document.title = `${title} — ${page}`;
}
