/** The engine's answers for components: rows, progress and errors. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, FirstRows, Parameters, Progress } from '../../engine/engine.ts';
import type { Shown } from '../../panel/dataset-view.tsx';
import { type Rows, sortRows, type Sort } from '../../view/rows.ts';
import { explain } from '../explanation.ts';

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

const CANCELLED = 'Cancelled. The view does not show your last choice.';

/** The page sorts up to this many rows; the engine sorts more. */
const MOST_SORTED = 10_000;

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
      const { table } = known;
      const complete = known.total === table.rows || table.rows < limit;
      const total = complete ? table.rows : known.total;
      if (complete && (sort === null || table.rows <= MOST_SORTED))
        return { rows: sort === null ? table : sortRows(table, sort), total, complete };
      if (sort === null && !wantsAll) return { rows: table, total, complete };
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
      setAnswer(now => ({ ...now, progress: null, error: now.question === question ? null : CANCELLED }));
    },
  };
}
