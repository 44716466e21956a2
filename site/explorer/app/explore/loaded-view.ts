/** Loads what a state shows: its rows, shapes and drawing. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskOptions, Engine, Progress } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import { type DrawnView, drawView, loadKind, readShown, type Shown } from '../../panel/pictures.ts';
import { type Question, settleState, toParameters, type ViewState } from '../../view/question.ts';
import { MOST_FIRST_ROWS } from '../../view/rows.ts';
import type { ParsedState } from '../../view/state.ts';
import { mapOf } from '../../view/views.ts';
import { explain } from '../explanation.tsx';
import { readDocument } from '../tree-documents.ts';

/** Rows that a table reads first; a chart draws MOST_FIRST_ROWS. */
const TABLE_ROWS = 500;

export interface LoadedView extends Omit<Shown, 'failure'> {
  /** Null for a table. */
  readonly drawn: DrawnView | null;
  /** Why a part is missing; null if none is. */
  readonly error: string | null;
}

interface LoadOptions extends AskOptions {
  /** Whether a table reads all rows. */
  readonly isWhole?: boolean;
}

/**
 * The state has other pins if the explorer's own have no rows. Rejects if the rows can't be
 * read.
 */
export async function loadView(
  engine: Engine,
  { state, free }: Pick<ParsedState, 'state' | 'free'>,
  options: LoadOptions = {},
): Promise<LoadedView> {
  // The drawing's script, and its shapes load while the rows are read.
  const script = inTime(loadKind(state.view));
  const path = (state.view === 'map' && mapOf(state)?.shapes) || null;
  const outlines = Promise.allSettled([path === null ? null : readShapes(path)]);
  script.catch(() => undefined);
  const { failure, ...shown } = await readRows(engine, state, options);
  if (free.length > 0 && shown.complete && shown.rows.rows === 0) {
    const read = async (question: Question) => {
      const limit = MOST_FIRST_ROWS;
      return (await engine.ask(question.dataset.key, toParameters(question), { ...options, limit })).table;
    };
    const found = await settleState(state, free, read);
    if (found) return loadView(engine, { state: found, free: [] }, options);
  }
  await script;
  const [shapes] = await outlines;
  const drawn = await drawView(shown, shapes.status === 'fulfilled' ? shapes.value : null);
  const missing = failure ?? (shapes.status === 'rejected' ? shapes.reason : null);
  return {
    ...shown,
    drawn,
    error: missing === null ? null : explain(missing),
  };
}

/** The rows of a state and of those beside it; of a long table only the first. */
function readRows(
  engine: Engine,
  state: ViewState,
  { isWhole = false, signal, onProgress }: LoadOptions,
): Promise<Shown> {
  const isTable = state.view === 'table';
  const sort = isTable ? state.sort : null;
  const part = sort === null && !isWhole && { limit: isTable ? TABLE_ROWS : MOST_FIRST_ROWS };
  return readShown(state, one =>
    engine.ask(one.dataset.key, toParameters(one), {
      ...part,
      sort,
      signal,
      onProgress: one === state ? onProgress : undefined,
    }),
  );
}

/** What the engine does for a view, and why it failed. */
interface Work {
  /** Null while nothing is running. */
  readonly progress: Progress | null;
  readonly error: string | null;
}

const IDLE: Work = { progress: null, error: null };

export interface Loading extends Work {
  /** The last view that was loaded; it stays until the next one is there. */
  readonly loaded: LoadedView | null;
  /** Reads the remaining rows of a table. */
  readAll(): void;
  /** Loads again after an error. */
  retry(): void;
  cancel(): void;
}

/** Loads each new state, which cancels the one before. `correct` gets a state with other pins than the address. */
export function useLoadedView(
  engine: Engine,
  begun: LoadedView | null,
  parsed: ParsedState,
  correct: (state: ViewState) => void,
): Loading {
  const { state } = parsed;
  const [loaded, setLoaded] = useState(begun);
  const [work, setWork] = useState(IDLE);
  const [whole, setWhole] = useState<ViewState | null>(null);
  const [attempt, setAttempt] = useState(0);
  const control = useRef<AbortController | null>(null);
  const isWhole = whole === state && state.view === 'table';
  const isThere = loaded?.state === state;
  useEffect(() => {
    setWork(IDLE);
    if (isThere && loaded.error === null && (loaded.complete || !isWhole)) return;
    const controller = new AbortController();
    control.current = controller;
    const { signal } = controller;
    const put = (next: Work) => {
      if (!signal.aborted) setWork(next);
    };
    const onProgress = (progress: Progress) => put({ progress, error: null });
    onProgress({ stage: 'plan', done: 0, total: null });
    loadView(engine, parsed, { isWhole, signal, onProgress }).then(
      next => {
        if (signal.aborted) return;
        setLoaded(next);
        put(IDLE);
        if (next.state !== state) correct(next.state);
      },
      (error: unknown) => put({ progress: null, error: explain(error) }),
    );
    return () => controller.abort();
  }, [engine, state, isWhole, attempt]);
  return {
    ...work,
    loaded,
    readAll: () => setWhole(state),
    retry: () => setAttempt(attempt + 1),
    cancel: () => {
      control.current?.abort();
      setWhole(null);
      setWork({ progress: null, error: isThere ? null : t.explore.cancelled });
    },
  };
}

const known = new Map<string, Promise<Topology>>();

/** Reads the shapes of a map only once. */
export function readShapes(path: string): Promise<Topology> {
  const shapes =
    known.get(path) ??
    readDocument<Topology>(path).then(found => {
      if (found === null) throw new Error(t.errors.noShapes);
      return found;
    });
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
  return shapes;
}
