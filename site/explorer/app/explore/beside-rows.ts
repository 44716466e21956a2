/** Reads the rows of the places that stand beside the state's own. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Engine, MOST_FIRST_ROWS } from '../../engine/engine.ts';
import type { Shown } from '../../panel/dataset-view.tsx';
import { besideQuestions } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { BesideRows } from '../../view/drawing.ts';
import { type ViewState, toParameters } from '../../view/question.ts';
import { VIEWS } from '../../view/views.ts';
import { explain } from '../explanation.ts';

interface BesideAnswer {
  /** Null until all have arrived. */
  readonly rows: readonly BesideRows[] | null;
  readonly error: string | null;
}

const NONE: BesideAnswer = { rows: [], error: null };

/** Reads again with another `attempt`. */
export function useBesideRows(
  engine: Engine,
  dataset: ExploredDataset,
  state: ViewState,
  attempt: number,
  begun: Shown | null = null,
): BesideAnswer {
  const drawn = VIEWS[state.view].hasBeside;
  const asked = useMemo(() => (drawn ? besideQuestions(dataset, state) : []), [dataset, state, drawn]);
  const text = JSON.stringify(asked.map(({ question }) => toParameters(dataset, question)));
  const [answer, setAnswer] = useState<BesideAnswer & { readonly text: string }>(
    begun ? { rows: begun.beside, error: null, text } : { ...NONE, text: '[]' },
  );
  const read = useRef(begun === null ? '' : `${text} ${attempt}`);
  useEffect(() => {
    if (read.current === `${text} ${attempt}`) return;
    read.current = '';
    const controller = new AbortController();
    const { signal } = controller;
    const reads = asked.map(async (one): Promise<BesideRows> => {
      const parameters = toParameters(dataset, one.question);
      const { table } = await engine.first(dataset.key, parameters, MOST_FIRST_ROWS, { signal });
      return { ...one, rows: table };
    });
    // What could be read stands without the rest.
    Promise.allSettled(reads).then(all => {
      if (signal.aborted) return;
      const rows = all.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
      const failed = all.find(one => one.status === 'rejected');
      setAnswer({ rows, error: failed ? explain(failed.reason) : null, text });
    });
    return () => controller.abort();
  }, [engine, text, attempt]);
  if (asked.length === 0) return NONE;
  return answer.text === text ? answer : { rows: null, error: null };
}
