/** Keeps the title of the document, and so the entry of the browser's history, with the view that it shows. */
import { useEffect, useMemo } from 'preact/hooks';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import { titleView } from '../../view/view-title.ts';

/** The page's own title, which follows that of each view. */
const page = document.title;

export function useViewTitle(dataset: ExploredDataset, state: ViewState): string {
  const title = useMemo(() => titleView(dataset, state), [dataset, state]);
  useEffect(() => {
    document.title = `${title} — ${page}`;
  }, [title]);
  return title;
}
