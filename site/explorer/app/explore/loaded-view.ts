/** Reads what a state shows: its rows, shapes and drawing, and the script of its view. */
import type { AskOptions, Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import { type DrawnView, drawView, loadKind, readShown, type Shown } from '../../panel/pictures.ts';
import { type Question, toParameters, type ViewState } from '../../view/question.ts';
import { cellsOf, MOST_FIRST_ROWS, rowNumbers } from '../../view/rows.ts';
import { settleState } from '../../view/settled-state.ts';
import type { ParsedState } from '../../view/state.ts';
import { mapOf } from '../../view/views.ts';
import { explain } from '../explanation.tsx';
import { requireDocument } from '../tree-documents.ts';
import type { TableView } from './table-view.tsx';

/** Rows that a table reads first; a chart draws MOST_FIRST_ROWS. */
const TABLE_ROWS = 500;

export interface LoadedView extends Omit<Shown, 'failure'> {
  /** Null for a table. */
  readonly drawn: DrawnView | null;
  /** What shows a table; null for a drawing. */
  readonly Table: typeof TableView | null;
  /** Why a part is missing; null if none is. */
  readonly error: string | null;
}

interface LoadOptions extends AskOptions {
  /** Whether a table reads all rows. */
  readonly isWhole?: boolean;
}

/**
 * The state has another measure, or other pins, if those that the explorer chose have no figure. Rejects if the rows can't be
 * read.
 */
export async function loadView(
  engine: Engine,
  { state, free, measures }: Omit<ParsedState, 'problems'>,
  options: LoadOptions = {},
): Promise<LoadedView> {
  const isTable = state.view === 'table';
  // The view's script, and its shapes load while the rows are read.
  const script = inTime(Promise.all([loadKind(state.view), isTable && import('./table-view.tsx')]));
  const path = (state.view === 'map' && mapOf(state)?.shapes) || null;
  const outlines = Promise.allSettled([
    path === null ? null : requireDocument<Topology>(path, new Error(t.errors.noShapes)),
  ]);
  script.catch(() => undefined);
  const { failure, ...shown } = await readRows(engine, state, options);
  const figure = cellsOf(shown.rows, isTable ? null : state.metric);
  const hasAny = rowNumbers(shown.rows).some(row => isTable || state.metric === null || figure(row) !== null);
  if ((free.length > 0 || measures.length > 1) && shown.complete && !hasAny) {
    const read = async (question: Question) => {
      const limit = MOST_FIRST_ROWS;
      return (await engine.ask(question.dataset.key, toParameters(question), { ...options, limit })).table;
    };
    const found = await settleState(state, free, isTable ? [] : measures, read);
    if (found) return loadView(engine, { state: found, free: [], measures: [] }, options);
  }
  const [, table] = await script;
  const [shapes] = await outlines;
  const drawn = await drawView(shown, shapes.status === 'fulfilled' ? shapes.value : null);
  const missing = failure ?? (shapes.status === 'rejected' ? shapes.reason : null);
  return {
    ...shown,
    drawn,
    Table: table ? table.TableView : null,
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
