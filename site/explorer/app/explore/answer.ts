/** The engine's answer for components: rows of a question and of places beside it, progress and errors. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Engine, MOST_FIRST_ROWS, type Progress } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import type { Shown } from '../../panel/pictures.ts';
import { besideQuestions } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { BesideRows } from '../../view/drawing.ts';
import { toParameters, type ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { VIEWS } from '../../view/views.ts';
import { explain } from '../explanation.tsx';

/** Rows that a table reads before it loads DuckDB, and the most that a chart draws. */
export const ROWS_OF = { table: 500, figure: MOST_FIRST_ROWS } as const;

export function rowsOf({ view }: ViewState): number {
  return view === 'table' ? ROWS_OF.table : ROWS_OF.figure;
}

interface Answer {
  /** Null until the first rows arrive. */
  readonly rows: Rows | null;
  /** Rows of places of other levels, and of the year before. */
  readonly beside: readonly BesideRows[];
  /** Rows of the whole answer; null if not known yet. */
  readonly total: number | null;
  /** Whether `rows` has all of them. */
  readonly complete: boolean;
  /** Null while nothing is running. */
  readonly progress: Progress | null;
  readonly error: string | null;
  /** The question that the rows answer. */
  readonly question: string;
}

type Read = Pick<Answer, 'rows' | 'beside' | 'total' | 'complete' | 'error'>;

const NOTHING: Answer = {
  rows: null,
  beside: [],
  total: null,
  complete: false,
  progress: null,
  error: null,
  question: '',
};

export interface Asking extends Answer {
  /** Whether the rows answer the present question, and not the one before. */
  readonly isCurrent: boolean;
  /** Reads the remaining rows. */
  readAll(): void;
  /** How often the reader has asked the same again. */
  readonly attempt: number;
  /** Asks the same once more, after an error. */
  retry(): void;
  cancel(): void;
}

/** Reads what a state shows, of long answers the first rows. A new question cancels the previous one. */
export function useAnswer(
  engine: Engine,
  dataset: ExploredDataset,
  state: ViewState,
  begun: Shown | null,
): Asking {
  const { key } = dataset;
  const { parameters, others } = useMemo(
    () => ({
      parameters: toParameters(dataset, state.question),
      others: VIEWS[state.view].isCompared ? besideQuestions(dataset, state) : [],
    }),
    [dataset, state],
  );
  const limit = rowsOf(state);
  const sort = state.view === 'table' ? state.sort : null;
  const asked = others.map(one => toParameters(dataset, one.question));
  const question = JSON.stringify([key, parameters, limit, asked]);
  // What has been read for the first view is its answer.
  const [answer, setAnswer] = useState<Answer>(() => (begun ? { ...NOTHING, ...begun, question } : NOTHING));
  const [whole, setWhole] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const work = useRef<AbortController | null>(null);
  const first = useRef<Answer | null>(begun && answer);
  const wantsAll = whole === question;

  useEffect(() => {
    const controller = new AbortController();
    work.current = controller;
    const { signal } = controller;
    const onProgress = (progress: Progress) => {
      if (!signal.aborted) setAnswer(now => ({ ...now, progress }));
    };
    const options = { signal, onProgress };
    setAnswer(now => ({ ...now, progress: { stage: 'plan', done: 0, total: null }, error: null }));
    answerQuestion().then(
      done => {
        if (!signal.aborted) setAnswer({ ...done, progress: null, question });
      },
      (error: unknown) => {
        if (!signal.aborted) setAnswer(now => ({ ...now, progress: null, error: explain(error) }));
      },
    );
    return () => controller.abort();

    async function answerQuestion(): Promise<Read> {
      const known: Read =
        first.current?.question === question && first.current.error === null
          ? first.current
          : await readFirst();
      first.current = { ...NOTHING, ...known, question };
      if (sort === null && (known.complete || !wantsAll)) return known;
      if (sort === null && !signal.aborted) setAnswer(now => ({ ...now, ...known, question }));
      const all = await engine.ask(key, parameters, sort, options);
      return { ...known, rows: all, total: all.rows, complete: true };
    }

    async function readFirst(): Promise<Read> {
      const [{ table: rows, total }, found] = await Promise.all([
        engine.first(key, parameters, limit, options),
        Promise.allSettled(asked.map(one => engine.first(key, one, ROWS_OF.figure, { signal }))),
      ]);
      // What could be read stands without the rest.
      const beside = others.flatMap((one, i): BesideRows[] => {
        const its = found[i];
        return its?.status === 'fulfilled' ? [{ ...one, rows: its.value.table }] : [];
      });
      const failed = found.find(one => one.status === 'rejected');
      const error = failed ? explain(failed.reason) : null;
      return { rows, beside, total, complete: total === rows.rows, error };
    }
  }, [engine, question, sort?.column, sort?.descending, wantsAll, attempt]);

  return {
    ...answer,
    attempt,
    isCurrent: answer.question === question,
    readAll: () => setWhole(question),
    retry: () => setAttempt(attempt + 1),
    cancel: () => {
      work.current?.abort();
      setWhole(null);
      setAnswer(now => ({
        ...now,
        progress: null,
        error: now.question === question ? null : t.explore.cancelled,
      }));
    },
  };
}
