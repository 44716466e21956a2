/** The exploring part of a dataset's page: form, table, charts, map, export. */
import '../../style/explore.css';
import { render } from 'preact';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { readDataset } from './documents.ts';
import { Panel } from './panel.tsx';

/** Fills the page's empty section. `root`: of the tree; `key`: `domain/topic`. Says so where the data cannot be read. */
export function mountExplore(element: HTMLElement, root: URL, key: string): void {
  element.hidden = false;
  // Whoever has come by the button stays where the form will be.
  const held = element.contains(document.activeElement);
  element.setAttribute('aria-busy', 'true');
  readDataset(root, key)
    .then(dataset => {
      element.replaceChildren();
      showPanel(element, dataset, openEngine(root), root);
      if (held) element.querySelector<HTMLElement>('select, input')?.focus();
    })
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      render(
        <p class="notice warn" role="alert">
          The data cannot be explored here: {reason} The files below are complete.
        </p>,
        element,
      );
    })
    .finally(() => element.removeAttribute('aria-busy'));
}

/** The same of documents that are read already, and whatever engine answers. */
export function showPanel(element: HTMLElement, dataset: ExploredDataset, engine: Engine, root: URL): void {
  render(<Panel dataset={dataset} engine={engine} root={root} />, element);
}
