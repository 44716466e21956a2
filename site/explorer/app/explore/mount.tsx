/** Takes over the view that the build has rendered, in a dataset's page or a frame. */
import { render, type VNode } from 'preact';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { deriveDataset, type ExploredDataset, readDataset } from '../../view/dataset.ts';
import { type ParsedState, readAddress } from '../../view/state.ts';
import { root } from '../../view/tree-root.ts';
import { ErrorNotice, explain } from '../explanation.tsx';
import { readDocument, requireDocument } from '../tree-documents.ts';
import { type LoadedView, loadView } from './loaded-view.ts';

export interface MountedView {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  /** The address of the page's first view. */
  readonly first: string;
  /** What the page's address says. */
  readonly parsed: ParsedState;
  /** Its view; null if the rows can't be read. */
  readonly begun: LoadedView | null;
}

/**
 * The section's `data-key` is `domain/topic`, `data-view` the address of the first view. Resolves when the
 * view is there or the page says why not, in the words of `failed`.
 */
export async function mountView(
  element: HTMLElement,
  show: (view: MountedView) => VNode,
  failed: (why: string) => string,
): Promise<void> {
  const { key = '', view: first = '' } = element.dataset;
  // The address has another view than the one that the build has rendered.
  const isOther = location.search !== '';
  if (isOther) element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  const engine = openEngine(root);
  try {
    const documents = await readDataset(key, {
      read: requireDocument,
      readIfThere: path => readDocument<never>(path).catch(() => null),
    });
    const dataset = deriveDataset(documents);
    const parsed = readAddress(dataset, location.search, first);
    // If this fails, the view reads the rows again and says why they don't arrive.
    const begun = await loadView(engine, parsed).catch(() => null);
    // Preact would otherwise try to reuse the elements of the rendered view.
    if (isOther || begun === null) element.replaceChildren();
    element.removeAttribute('data-viewing');
    const { state } = begun ?? parsed;
    render(show({ dataset, engine, first, parsed: { ...parsed, state }, begun }), element);
  } catch (error) {
    void engine.close();
    const notice = document.createElement('div');
    notice.className = 'explore-failed';
    element.prepend(notice);
    const retry = () => {
      notice.remove();
      void mountView(element, show, failed);
    };
    render(<ErrorNotice message={failed(explain(error))} onRetry={retry} />, notice);
  } finally {
    element.removeAttribute('aria-busy');
  }
}
