/** The explorer of a dataset's page: form, table, charts, map, export. */
import '../../style/explore.css';
import '../../style/panel.css';
import { render } from 'preact';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { explain } from '../explanation.ts';
import { readDataset } from './documents.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Panel } from './panel.tsx';

/** Fills the page's empty section, or says why it cannot. `key` is `domain/topic`. */
export function mountExplore(element: HTMLElement, root: URL, key: string): void {
  element.hidden = false;
  // A reader who pressed the button gets the focus in the form.
  const held = element.contains(document.activeElement);
  element.setAttribute('aria-busy', 'true');
  readDataset(root, key)
    .then(dataset => {
      element.replaceChildren();
      showPanel(element, dataset, openEngine(root), root);
      if (held) element.querySelector<HTMLElement>('select, input')?.focus();
    })
    .catch((error: unknown) => {
      const reason = explain(error);
      render(
        <ErrorNotice
          message={`This page could not load the data. ${reason} You can still download the files below.`}
          onRetry={() => {
            render(null, element);
            mountExplore(element, root, key);
          }}
        />,
        element,
      );
    })
    .finally(() => element.removeAttribute('aria-busy'));
}

/** Shows the panel for documents that are already read, with any engine. */
function showPanel(element: HTMLElement, dataset: ExploredDataset, engine: Engine, root: URL): void {
  render(<Panel dataset={dataset} engine={engine} root={root} />, element);
}
