/**
 * Takes over the view that the build has rendered, in a dataset's page or a frame, and keeps its state in the
 * address.
 */
import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import type { Engine } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { type DrawnView, drawView, loadKind, readShown, type Shown } from '../../panel/pictures.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { toParameters, type ViewState } from '../../view/question.ts';
import { formatState, type ParsedState, readAddress } from '../../view/state.ts';
import { shapesPath } from '../../view/views.ts';
import { titleView } from '../../view/wording.ts';
import { ErrorNotice, explain } from '../explanation.tsx';
import { rowsOf } from './answer.ts';
import { readDataset, readShapes } from './dataset-reading.ts';

export interface MountedView {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly root: URL;
  /** The address of the page's first view. */
  readonly first: string;
  /** The rows of the first state; null if they can't be read. */
  readonly begun: Begun | null;
}

/** The first state's rows and drawing. */
export interface Begun {
  readonly shown: Shown;
  readonly drawn: DrawnView | null;
}

/**
 * The section's `data-key` is `domain/topic`, `data-view` the address of the first view. Resolves when the
 * view is there or the page says why not, in the words of `failed`.
 */
export async function mountView(
  element: HTMLElement,
  root: URL,
  show: (view: MountedView) => VNode,
  failed: (why: string) => string,
): Promise<void> {
  const { key = '', view: first = '' } = element.dataset;
  // The address has another view than the one that the build has rendered.
  const isOther = location.search !== '';
  if (isOther) element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  const engine = openEngine(root);
  engine.prepare();
  try {
    const dataset = await readDataset(root, key);
    const { state } = readAddress(dataset, location.search, first);
    // If this fails, the view reads the rows again and says why they don't arrive.
    const begun = await readFirst(engine, dataset, root, state).catch(() => null);
    // Preact would otherwise try to reuse the elements of the rendered view.
    if (isOther || begun === null) element.replaceChildren();
    element.removeAttribute('data-viewing');
    render(show({ dataset, engine, root, first, begun }), element);
  } catch (error) {
    void engine.close();
    const notice = document.createElement('div');
    notice.className = 'explore-failed';
    element.prepend(notice);
    const retry = () => {
      notice.remove();
      void mountView(element, root, show, failed);
    };
    render(<ErrorNotice message={failed(explain(error))} onRetry={retry} />, notice);
  } finally {
    element.removeAttribute('aria-busy');
  }
}

/** Reads and draws a state before the page changes. */
async function readFirst(
  engine: Engine,
  dataset: ExploredDataset,
  root: URL,
  state: ViewState,
): Promise<Begun> {
  // The drawing's script and shapes load while the rows are read.
  loadKind(state.view).catch(() => undefined);
  const shapes = state.view === 'map' ? shapesPath(dataset, state.question.detail) : null;
  if (shapes !== null) readShapes(root, shapes).catch(() => undefined);
  const shown = await readShown(dataset, state, question =>
    engine.first(dataset.key, toParameters(dataset, question), rowsOf(state)),
  );
  return { shown, drawn: await drawView(dataset, shown) };
}

interface UrlState extends ParsedState {
  /** Shows another state, and adds it to the browser's history. */
  show(state: ViewState): void;
  /** Replaces the state. */
  correct(state: ViewState): void;
}

/** `first` is used if the page's address sets nothing. */
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

/** The page's title without that of a view. */
const page = document.title;

export function useViewTitle(dataset: ExploredDataset, state: ViewState): string {
  const title = useMemo(() => titleView(dataset, state), [dataset, state]);
  // Before the view's effects: a drawing's title may have the years that are drawn.
  useLayoutEffect(() => nameDocument(title), [title]);
  return title;
}

export function nameDocument(title: string): void {
  document.title = `${title} — ${page}`;
}
