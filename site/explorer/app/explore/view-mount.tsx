/** Takes over a view that the build has rendered: holds what a page or a frame shows, and renders each change of it. */
import { render, type VNode } from 'preact';
import type { Engine, Progress } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { deriveDataset, readDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { type ParsedState, readAddress } from '../../view/state.ts';
import { root } from '../../view/tree-root.ts';
import { titleView } from '../../view/wording.ts';
import { ErrorNotice, explain, ProgressLine } from '../explanation.tsx';
import { readDocument, requireDocument } from '../tree-documents.ts';
import { type LoadedView, loadView } from './loaded-view.ts';

/** What is shown, and what the reader can do. */
export interface MountedView {
  readonly engine: Engine;
  /** What the address says, or what the reader has chosen since. */
  readonly parsed: ParsedState;
  /** The last view that was read; it stays until the next one is there. */
  readonly loaded: LoadedView | null;
  /** Null while nothing is being read. */
  readonly progress: Progress | null;
  readonly error: string | null;
  show(state: ViewState): void;
  /** Reads the remaining rows of a table. */
  readAll(): void;
  retry(): void;
  cancel(): void;
}

/** What a reader has chosen stays. */
const SETTLED = { free: [], measures: [] };

/** The page's title without that of a view. */
const page = document.title;

/**
 * The section's `data-key` is `domain/topic`, `data-view` the address of the first view. Resolves when the
 * view is there or the page says why not, and what the reader can do instead.
 */
export async function mountView(
  element: HTMLElement,
  content: (view: MountedView) => VNode,
  instead: string,
  engine = openEngine(root),
): Promise<void> {
  const { key = '', view: first = '' } = element.dataset;
  // The address has another view than the one that the build has rendered.
  const isOther = location.search !== '';
  if (isOther) element.dataset['viewing'] = '';
  element.setAttribute('aria-busy', 'true');
  try {
    const documents = await readDataset(key, {
      read: path => requireDocument(path),
      readIfThere: path => readDocument<never>(path).catch(() => null),
    });
    const dataset = deriveDataset(documents);
    const parsed = readAddress(dataset, location.search, first);
    let isMounted = false;
    const update = (part: Partial<MountedView>) => {
      view = { ...view, ...part };
      if (!isMounted) return;
      document.title = `${titleOf(view)} — ${page}`;
      render(content(view), element);
    };
    let control = new AbortController();
    const load = async (isWhole = false) => {
      control.abort();
      control = new AbortController();
      const { signal } = control;
      const put = (part: Partial<MountedView>) => {
        if (!signal.aborted) update(part);
      };
      const asked = view.parsed;
      const onProgress = (progress: Progress) => put({ progress, error: null });
      onProgress({ stage: 'plan', done: 0, total: null });
      try {
        const loaded = await loadView(engine, asked, { isWhole, signal, onProgress });
        const { state, error } = loaded;
        put({ loaded, parsed: { ...asked, ...SETTLED, state }, progress: null, error });
      } catch (error) {
        put({ progress: null, error: explain(error) });
      }
    };
    const start = (next: ParsedState) => {
      update({ parsed: next });
      void load();
    };
    let view: MountedView = {
      engine,
      parsed,
      loaded: null,
      progress: null,
      error: null,
      show: state => start({ ...SETTLED, state, problems: [] }),
      readAll: () => void load(true),
      retry: () => void load(),
      cancel: () => {
        control.abort();
        const isThere = view.loaded?.state === view.parsed.state;
        update({ progress: null, error: isThere ? null : t.explore.cancelled });
      },
    };
    await load();
    // Preact would otherwise try to reuse the elements of the rendered view.
    if (isOther || view.loaded === null) element.replaceChildren();
    element.removeAttribute('data-viewing');
    isMounted = true;
    update({});
    addEventListener('popstate', () => start(readAddress(dataset, location.search, first)));
  } catch (error) {
    const notice = document.createElement('div');
    notice.className = 'explore-failed';
    element.prepend(notice);
    const retry = () => {
      notice.remove();
      void mountView(element, content, instead, engine);
    };
    render(<ErrorNotice message={`${explain(error)} ${instead}`} onRetry={retry} />, notice);
  } finally {
    element.removeAttribute('aria-busy');
  }
}

export function titleOf({ loaded, parsed }: MountedView): string {
  return loaded?.drawn?.drawing.title ?? titleView(loaded?.state ?? parsed.state);
}

/** Null if a drawing is shown. */
export function tableOf(view: MountedView, onSort: (sort: Sort | null) => void): VNode | null {
  const { loaded, progress, readAll } = view;
  const Table = loaded?.Table;
  return Table ? <Table view={loaded} isReading={progress !== null} onEnd={readAll} onSort={onSort} /> : null;
}

/** Problems with the address, progress, and errors. */
export function Status({ parsed: { problems }, progress, error, cancel, retry }: MountedView) {
  return (
    <>
      {problems.length > 0 && (
        <div class="notice warn" role="alert">
          <p>{t.explore.problems}</p>
          <ul>
            {problems.map(({ param, msg }) => (
              <li key={param + msg}>
                <code>{param}</code>: {msg}
              </li>
            ))}
          </ul>
        </div>
      )}
      {progress !== null && (
        <div class="toolbar explore-progress">
          <ProgressLine progress={progress} onCancel={cancel} />
        </div>
      )}
      {error !== null && <ErrorNotice message={error} onRetry={retry} />}
    </>
  );
}
