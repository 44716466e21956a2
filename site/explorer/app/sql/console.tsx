/** The console: a statement, its progress, and its answer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Engine, EngineError, type Progress, type SqlRows } from '../../engine/engine.ts';
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

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  plan: 'Finding the files',
  start: 'Loading the database, once',
  fetch: 'Fetching the files',
  decode: 'Reading rows',
  compute: 'Computing',
};

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
            message: error instanceof Error ? error.message : String(error),
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
          Run
        </button>
        <button type="button" class={`button quiet ${progress === null ? 'idle' : ''}`} onClick={cancel}>
          Cancel
        </button>
        <span class="hint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> also runs the query.
        </span>
      </div>
      <div class={progress === null && outcome.kind === 'none' ? '' : 'sql-outcome'}>
        <Status progress={progress} outcome={outcome} isSample={isSample} />
        {outcome.kind === 'failure' && outcome.mayPass && (
          <ErrorNotice message={outcome.message} onRetry={run} />
        )}
        {outcome.kind === 'failure' && !outcome.mayPass && (
          <div class="notice warn" role="alert">
            <p>The query failed.</p>
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
          aria-label={STAGES[progress.stage]}
          {...(progress.total ? { value: Math.min(progress.done, progress.total), max: progress.total } : {})}
        />
      )}
    </div>
  );
}

/** Says the stage, not every byte: a screen reader reads each change aloud. */
function describeProgress({ stage, total }: Progress): string {
  const size = total === null || total < 1e5 ? '' : `: ${(total / 1e6).toFixed(1)} MB`;
  return `${STAGES[stage]}${size}…`;
}

function describeOutcome(outcome: Outcome, isSample: boolean): string {
  switch (outcome.kind) {
    case 'none':
    case 'failure':
      return '';
    case 'cancelled':
      return 'Cancelled.';
    case 'rows': {
      const { rows, seconds } = outcome;
      const count = rows.rows.toLocaleString('en-US');
      const said = rows.more
        ? `The first ${count} rows; there are more. Add a LIMIT, or group the rows.`
        : `${count} ${rows.rows === 1 ? 'row' : 'rows'}.`;
      return `${said} ${seconds.toFixed(1)} s.${isSample ? ' Sample data: no figure is real.' : ''}`;
    }
    default:
      return outcome satisfies never;
  }
}
