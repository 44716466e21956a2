/** The engine's answers for components: rows of a question and of places beside it, progress and errors. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Engine,
  type FirstRows,
  MOST_FIRST_ROWS,
  type Parameters,
  type Progress,
} from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import type { Shown } from '../../panel/dataset-view.tsx';
import { besideQuestions } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { BesideRows } from '../../view/drawing.ts';
import { toParameters, type ViewState } from '../../view/question.ts';
import type { Rows, Sort } from '../../view/rows.ts';
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

const NOTHING: Answer = {
  rows: null,
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

/** Answers a question, at first with `limit` rows. A new question cancels the previous one. */
export function useAnswer(
  engine: Engine,
  key: string,
  parameters: Parameters,
  limit: number,
  sort: Sort | null = null,
  begun: Shown | null = null,
): Asking {
  const question = JSON.stringify([key, parameters, limit]);
  // What has been read for the first view is its answer.
  const [answer, setAnswer] = useState<Answer>(() => (begun ? { ...NOTHING, ...begun, question } : NOTHING));
  const [whole, setWhole] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const work = useRef<AbortController | null>(null);
  const first = useRef<{ readonly question: string; readonly rows: FirstRows } | null>(
    begun && { question, rows: { table: begun.rows, total: begun.total } },
  );
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
        if (!signal.aborted) setAnswer({ ...done, progress: null, error: null, question });
      },
      (error: unknown) => {
        if (!signal.aborted) setAnswer(now => ({ ...now, progress: null, error: explain(error) }));
      },
    );
    return () => controller.abort();

    async function answerQuestion(): Promise<Pick<Answer, 'rows' | 'total' | 'complete'>> {
      const known =
        first.current?.question === question
          ? first.current.rows
          : await engine.first(key, parameters, limit, options);
      first.current = { question, rows: known };
      const { table, total } = known;
      const complete = total === table.rows;
      if (sort === null && (complete || !wantsAll)) return { rows: table, total, complete };
      if (sort === null && !signal.aborted)
        setAnswer(now => ({ ...now, rows: table, total, complete, question }));
      const all = await engine.ask(key, parameters, sort === null ? [] : [sort], options);
      return { rows: all, total: all.rows, complete: true };
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
  const drawn = VIEWS[state.view].isCompared;
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
      const { table } = await engine.first(dataset.key, parameters, ROWS_OF.figure, { signal });
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
