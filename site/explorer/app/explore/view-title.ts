/** Keeps the title of the document, and so the entry of the browser's history, with the view that it shows. */
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import { titleView } from '../../view/wording.ts';

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
