/** Answers of the engine as a component has them: rows, how far they are, what went wrong. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine, FirstRows, Parameters, Progress } from '../../engine/engine.ts';
import type { Sort } from '../../view/question.ts';
import { type Rows, sortRows } from '../../view/rows.ts';

export interface Answer {
  /** Null until the first rows are there. */
  readonly rows: Rows | null;
  /** Rows of the whole answer; null where that is not known yet. */
  readonly total: number | null;
  /** Whether `rows` are all of them. */
  readonly complete: boolean;
  /** What is being done; null where nothing is. */
  readonly progress: Progress | null;
  readonly error: string | null;
}

const NOTHING: Answer = { rows: null, total: null, complete: false, progress: null, error: null };

/** At most so many rows are sorted here; the engine sorts more. */
const MOST_SORTED = 10_000;

export interface Asking extends Answer {
  /** Reads all rows, where they are not all there. */
  readAll(): void;
  cancel(): void;
}

/** The answer to a question; `limit` rows of it at first. A new question ends the work on the one before. */
export function useAnswer(
  engine: Engine,
  key: string,
  parameters: Parameters,
  limit: number,
  sort: Sort | null = null,
): Asking {
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  const [whole, setWhole] = useState<string | null>(null);
  const work = useRef<AbortController | null>(null);
  const question = JSON.stringify([key, parameters, limit]);
  const first = useRef<{ readonly question: string; readonly rows: FirstRows } | null>(null);
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
        if (!signal.aborted) setAnswer({ ...done, progress: null, error: null });
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
      if (sort === null && !signal.aborted) setAnswer(now => ({ ...now, rows: table, total, complete }));
      const all = await engine.ask(key, parameters, sort === null ? [] : [sort], options);
      return { rows: all, total: all.rows, complete: true };
    }
  }, [engine, question, sort?.column, sort?.descending, wantsAll]);

  return {
    ...answer,
    readAll: () => setWhole(question),
    cancel: () => {
      work.current?.abort();
      setWhole(null);
      setAnswer(now => ({ ...now, progress: null }));
    },
  };
}

/** The message of what an engine, or the network, threw. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
