/** Takes over the view that the build has rendered into a dataset's page. */
import { render } from 'preact';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { drawView } from '../../panel/dataset-view.tsx';
import { besideQuestions } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { toParameters, type ViewState } from '../../view/question.ts';
import { readAddress } from '../../view/state.ts';
import { ErrorNotice, explain } from '../explanation.tsx';
import { readDataset } from './dataset-reading.ts';
import { type Begun, Panel, ROWS_OF, rowsOf } from './panel.tsx';

/** `data-key` of the section is `domain/topic`, `data-view` the address of its view. */
export function mountExplore(element: HTMLElement, root: URL): void {
  const { key = '', view: first = '' } = element.dataset;
  // What the build has rendered is another view than the one in the address.
  if (location.search !== '') element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  start(element, root, key, first)
    .catch((error: unknown) => {
      const notice = document.createElement('div');
      notice.className = 'explore-failed';
      element.prepend(notice);
      render(
        <ErrorNotice
          message={t.explore.failed(explain(error))}
          onRetry={() => {
            notice.remove();
            mountExplore(element, root);
          }}
        />,
        notice,
      );
    })
    .finally(() => element.removeAttribute('aria-busy'));
}

async function start(element: HTMLElement, root: URL, key: string, first: string): Promise<void> {
  const dataset = await readDataset(root, key);
  const engine = openEngine(root);
  const { state } = readAddress(dataset, location.search, first);
  // The panel says itself why rows do not arrive.
  const begun = await readFirst(engine, dataset, state).catch(() => null);
  // Another view shares no part with the one that the build has rendered.
  if (location.search !== '' || begun === null) element.replaceChildren();
  element.removeAttribute('data-viewing');
  render(<Panel dataset={dataset} engine={engine} root={root} first={first} begun={begun} />, element);
}

/** Reads and draws what a state shows, before the page changes. */
export async function readFirst(engine: Engine, dataset: ExploredDataset, state: ViewState): Promise<Begun> {
  const limit = rowsOf(state);
  const ask = (question: ViewState['question'], most: number) =>
    engine.first(dataset.key, toParameters(dataset, question), most);
  const [{ table, total }, beside] = await Promise.all([
    ask(state.question, limit),
    Promise.all(
      besideQuestions(dataset, state).map(async one => ({
        ...one,
        rows: (await ask(one.question, ROWS_OF.figure)).table,
      })),
    ),
  ]);
  const complete = total === table.rows || table.rows < limit;
  const shown = { state, rows: table, beside, complete, total };
  return { shown, drawn: await drawView(dataset, shown) };
}
