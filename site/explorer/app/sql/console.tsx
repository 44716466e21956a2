/** The console: a statement, its progress, and its answer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Engine, EngineError, type Progress, type SqlRows } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import { Line } from '../../pages/text.tsx';
import { formatBytes, formatDecimal } from '../../view/format.ts';
import { explain } from '../explanation.ts';
import { ErrorNotice } from '../explore/error-notice.tsx';
import { AnswerView } from './answer-view.tsx';
import type { SqlTable } from './editor.ts';
import { EditorField, type EditorHandle } from './editor-field.tsx';

interface ConsoleProps {
  readonly engine: Engine;
  readonly tables: readonly SqlTable[];
  /** The statement to start with if the address names none. */
  readonly first: string;
  readonly isSample: boolean;
  /** Receives a function that runs a statement as if the reader had written it. */
  onReady(ask: (statement: string) => void): void;
}

type Outcome =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'rows';
      readonly rows: SqlRows;
      readonly seconds: number;
      readonly statement: string;
    }
  | { readonly kind: 'cancelled' }
  /** `mayPass`: the fault is the host's, not the statement's. */
  | { readonly kind: 'failure'; readonly message: string; readonly mayPass: boolean };

export function Console({ engine, tables, first, isSample, onReady }: ConsoleProps) {
  const editor = useRef<EditorHandle | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const control = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });

  const run = async () => {
    const statement = editor.current?.text() ?? '';
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    const address = new URLSearchParams(location.hash.slice(1));
    address.set('q', statement);
    history.replaceState(null, '', `#${address}`);
    setProgress({ stage: 'plan', done: 0, total: null });
    // Clears the error of the last statement.
    setOutcome(before => (before.kind === 'failure' ? { kind: 'none' } : before));
    const started = performance.now();
    let found: Outcome;
    try {
      const rows = await engine.sql(statement, { signal: own.signal, onProgress: setProgress });
      found = { kind: 'rows', rows, seconds: (performance.now() - started) / 1000, statement };
    } catch (error) {
      found = own.signal.aborted
        ? { kind: 'cancelled' }
        : {
            kind: 'failure',
            message: explain(error),
            mayPass: error instanceof EngineError && error.mayPass,
          };
    }
    if (control.current !== own) return;
    control.current = null;
    setProgress(null);
    setOutcome(found);
  };
  const cancel = () => control.current?.abort();

  useEffect(() => {
    onReady(statement => {
      editor.current?.setText(statement);
      place.current?.scrollIntoView({ block: 'start' });
      void run();
    });
    // A link only fills the editor: the reader runs the statement.
    const read = () => {
      const linked = new URLSearchParams(location.hash.slice(1)).get('q');
      if (linked !== null) editor.current?.setText(linked);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);

  return (
    <div class="sql-console" ref={place}>
      <EditorField
        first={first}
        tables={tables}
        onReady={handle => {
          editor.current = handle;
        }}
        onRun={run}
      />
      <div class="toolbar">
        <button type="button" class="button" onClick={run}>
          {t.sql.run}
        </button>
        <button type="button" class={`button quiet ${progress === null ? 'idle' : ''}`} onClick={cancel}>
          {t.progress.cancel}
        </button>
        <span class="hint">
          <Line
            text={t.sql.hint}
            parts={{
              keys: (
                <>
                  <kbd>Ctrl</kbd> <kbd>Enter</kbd>
                </>
              ),
            }}
          />
        </span>
      </div>
      <div class={progress === null && outcome.kind === 'none' ? '' : 'sql-outcome'}>
        <Status progress={progress} outcome={outcome} isSample={isSample} />
        {outcome.kind === 'failure' && outcome.mayPass && (
          <ErrorNotice message={outcome.message} onRetry={run} />
        )}
        {outcome.kind === 'failure' && !outcome.mayPass && (
          <div class="notice warn" role="alert">
            <p>{t.sql.failed}</p>
            <pre class="sql-error" tabindex={0}>
              {outcome.message}
            </pre>
          </div>
        )}
        {outcome.kind === 'rows' && outcome.rows.rows > 0 && (
          <AnswerView engine={engine} rows={outcome.rows} statement={outcome.statement} isSample={isSample} />
        )}
      </div>
    </div>
  );
}

interface StatusProps {
  readonly progress: Progress | null;
  readonly outcome: Outcome;
  readonly isSample: boolean;
}

function Status({ progress, outcome, isSample }: StatusProps) {
  return (
    <div class="sql-status">
      <p role="status">
        {progress === null ? describeOutcome(outcome, isSample) : describeProgress(progress)}
      </p>
      {progress !== null && (
        <progress
          aria-label={t.progress[progress.stage]}
          {...(progress.total ? { value: Math.min(progress.done, progress.total), max: progress.total } : {})}
        />
      )}
    </div>
  );
}

/** Says the stage, not every byte: a screen reader reads each change aloud. */
function describeProgress({ stage, total }: Progress): string {
  const name = t.progress[stage];
  return `${total === null || total < 1e5 ? name : t.progress.amount(name, formatBytes(total))}…`;
}

function describeOutcome(outcome: Outcome, isSample: boolean): string {
  switch (outcome.kind) {
    case 'none':
    case 'failure':
      return '';
    case 'cancelled':
      return t.sql.cancelled;
    case 'rows': {
      const { rows, seconds } = outcome;
      const count = t.counts.rows(rows.rows);
      const said = (rows.more ? t.sql.firstRows : t.sql.seconds)(count, formatDecimal(seconds, 1));
      return isSample ? `${said} ${t.sql.sample}` : said;
    }
    default:
      return outcome satisfies never;
  }
}
