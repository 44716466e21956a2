/** The engine's answer for components: the rows that a state shows, with progress and errors. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Engine, MOST_FIRST_ROWS, type Progress } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import { readShown, type Shown } from '../../panel/pictures.ts';
import { besideQuestions } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { type Question, toParameters, type ViewState } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';
import { explain } from '../explanation.tsx';

/** Rows that a table reads first, and the most that a chart draws. */
export const ROWS_OF = { table: 500, figure: MOST_FIRST_ROWS } as const;

export function rowsOf({ view }: ViewState): number {
  return view === 'table' ? ROWS_OF.table : ROWS_OF.figure;
}

interface Answer extends Pick<Shown, 'beside' | 'complete' | 'total'> {
  readonly rows: Rows | null;
  /** Null while nothing is running. */
  readonly progress: Progress | null;
  readonly error: string | null;
  /** The question that the rows answer. */
  readonly question: string;
}

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
  /** False while the rows still answer the previous question. */
  readonly isCurrent: boolean;
  /** Reads the remaining rows. */
  readAll(): void;
  /** How often the reader has tried again. */
  readonly attempt: number;
  /** Asks again after an error. */
  retry(): void;
  cancel(): void;
}

/** Reads what a state shows; of a long table only the first rows. A new question cancels the previous one. */
export function useAnswer(
  engine: Engine,
  dataset: ExploredDataset,
  state: ViewState,
  begun: Shown | null,
): Asking {
  const { key } = dataset;
  const limit = rowsOf(state);
  const sort = state.view === 'table' ? state.sort : null;
  const question = useMemo(() => {
    const asked = [state.question, ...besideQuestions(dataset, state).map(one => one.question)];
    return JSON.stringify([key, limit, ...asked.map(one => toParameters(dataset, one))]);
  }, [dataset, state]);
  const toAnswer = ({ rows, beside, complete, total, failure }: Shown): Answer => {
    const error = failure === null ? null : explain(failure);
    return { rows, beside, complete, total, error, progress: null, question };
  };
  // The first view's rows have already been read.
  const [answer, setAnswer] = useState<Answer>(() => (begun ? toAnswer(begun) : NOTHING));
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
        if (!signal.aborted) setAnswer(done);
      },
      (error: unknown) => {
        if (!signal.aborted) setAnswer(now => ({ ...now, progress: null, error: explain(error) }));
      },
    );
    return () => controller.abort();

    async function answerQuestion(): Promise<Answer> {
      const known =
        first.current?.question === question && first.current.error === null
          ? first.current
          : toAnswer(await readShown(dataset, state, read));
      first.current = known;
      if (sort === null && (known.complete || !wantsAll)) return known;
      if (sort === null && !signal.aborted) setAnswer(now => ({ ...known, progress: now.progress }));
      const all = await engine.ask(key, toParameters(dataset, state.question), sort, options);
      return { ...known, rows: all, total: all.rows, complete: true };
    }

    function read(asked: Question) {
      return engine.first(
        key,
        toParameters(dataset, asked),
        limit,
        asked === state.question ? options : { signal },
      );
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
