/**
 * Takes over a view that the build has rendered, in a dataset's page or in a frame of another site, and keeps its state in
 * the address.
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
  /** The address of the view that the page shows at first. */
  readonly first: string;
  /** The rows of that view, or of the address; null if they could not be read. */
  readonly begun: Begun | null;
}

/** What has been read and drawn for the first view. */
export interface Begun {
  readonly shown: Shown;
  readonly drawn: DrawnView | null;
}

/**
 * `data-key` of the section is `domain/topic`, `data-view` the address of its view. Resolves when the view is there, or
 * the page says why it isn't: `failed` says it.
 */
export async function mountView(
  element: HTMLElement,
  root: URL,
  show: (view: MountedView) => VNode,
  failed: (why: string) => string,
): Promise<void> {
  const { key = '', view: first = '' } = element.dataset;
  // What the build has rendered is another view than the one in the address.
  const isOther = location.search !== '';
  if (isOther) element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  const engine = openEngine(root);
  engine.prepare();
  try {
    const dataset = await readDataset(root, key);
    const { state } = readAddress(dataset, location.search, first);
    // The view says itself why rows do not arrive.
    const begun = await readFirst(engine, dataset, root, state).catch(() => null);
    // Another view shares no part with the one that the build has rendered.
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

/** Reads and draws what a state shows, before the page changes. */
async function readFirst(
  engine: Engine,
  dataset: ExploredDataset,
  root: URL,
  state: ViewState,
): Promise<Begun> {
  // Its script and its shapes arrive with the rows.
  loadKind(state.view).catch(() => undefined);
  const shapes = state.view === 'map' ? shapesPath(dataset, state.question.detail) : null;
  if (shapes !== null) readShapes(root, shapes).catch(() => undefined);
  const shown = await readShown(dataset, state, question =>
    engine.first(dataset.key, toParameters(dataset, question), rowsOf(state)),
  );
  return { shown, drawn: await drawView(dataset, shown) };
}

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
