/** The console of the SQL page: a statement, its progress, and its answer. */
import '../../style/sql.css';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Engine, EngineError, type Progress, type SqlRows } from '../../engine/engine.ts';
import { openEngine } from '../../engine/open-engine.ts';
import { t } from '../../messages/messages.ts';
import { Line } from '../../pages/text.tsx';
import { formatBytes, formatDecimal } from '../../view/format.ts';
import { ErrorNotice, explain } from '../explanation.tsx';
import { AnswerView } from './answer-view.tsx';
import { createEditor, type SqlEditor, type SqlTable } from './editor.ts';

interface ConsoleProps {
  readonly engine: Engine;
  /** Lists the tables and their examples. */
  readonly page: HTMLElement;
}

type Outcome =
  | { readonly kind: 'none' | 'cancelled' }
  | {
      readonly kind: 'rows';
      readonly rows: SqlRows;
      readonly seconds: number;
      readonly statement: string;
    }
  /** `mayPass`: the fault is the host's, not the statement's. */
  | { readonly kind: 'failure'; readonly message: string; readonly mayPass: boolean };

function Console({ engine, page }: ConsoleProps) {
  const editor = useRef<SqlEditor | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const control = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });

  const run = async () => {
    const statement = editor.current?.text() ?? '';
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    history.replaceState(null, '', `#${new URLSearchParams({ q: statement })}`);
    setProgress({ stage: 'plan', done: 0, total: null });
    // Clears the error of the last statement.
    setOutcome(before => (before.kind === 'failure' ? { kind: 'none' } : before));
    const started = performance.now();
    let found: Outcome;
    try {
      const rows = await engine.sql(statement, { signal: own.signal, onProgress: setProgress });
      found = { kind: 'rows', rows, seconds: (performance.now() - started) / 1000, statement };
    } catch (error) {
      const mayPass = error instanceof EngineError && error.mayPass;
      found = own.signal.aborted
        ? { kind: 'cancelled' }
        : { kind: 'failure', message: explain(error), mayPass };
    }
    if (control.current !== own) return;
    control.current = null;
    setProgress(null);
    setOutcome(found);
  };

  useEffect(() => {
    const text = page.querySelector('.sql-example pre')?.textContent ?? 'SELECT 1';
    const own = createEditor(field.current!, {
      label: t.sql.statement,
      text,
      tables: readTables(page),
      onRun: run,
    });
    editor.current = own;
    const ask = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('.sql-ask') === null) return;
      own.setText(target.closest('.sql-example')?.querySelector('pre')?.textContent ?? '');
      place.current?.scrollIntoView({ block: 'start' });
      void run();
    };
    // A link only fills the editor: the reader runs the statement.
    const read = () => {
      const linked = new URLSearchParams(location.hash.slice(1)).get('q');
      if (linked !== null) own.setText(linked);
    };
    read();
    page.addEventListener('click', ask);
    addEventListener('hashchange', read);
    return () => {
      page.removeEventListener('click', ask);
      removeEventListener('hashchange', read);
      own.close();
    };
  }, []);

  return (
    <div class="sql-console" ref={place}>
      <div class="sql-editor" ref={field} />
      <div class="toolbar">
        <button type="button" class="button" onClick={run}>
          {t.sql.run}
        </button>
        <button
          type="button"
          class={`button quiet ${progress === null ? 'idle' : ''}`}
          onClick={() => control.current?.abort()}
        >
          {t.progress.cancel}
        </button>
        <span class="hint">
          <Line text={t.sql.hint} parts={{ keys: <kbd>Ctrl Enter</kbd> }} />
        </span>
      </div>
      <div class={progress === null && outcome.kind === 'none' ? '' : 'sql-outcome'}>
        <Status progress={progress} outcome={outcome} />
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
          <AnswerView rows={outcome.rows} statement={outcome.statement} isSample={isSample()} />
        )}
      </div>
    </div>
  );
}

interface StatusProps {
  readonly progress: Progress | null;
  readonly outcome: Outcome;
}

/** Says aloud the stage, not every byte. */
function Status({ progress, outcome }: StatusProps) {
  if (progress === null)
    return (
      <div class="sql-status">
        <p role="status">{describeOutcome(outcome)}</p>
      </div>
    );
  const { stage, done, total } = progress;
  const name = t.progress[stage];
  return (
    <div class="sql-status">
      <p role="status">{name}…</p>
      <progress aria-label={name} {...(total ? { value: Math.min(done, total), max: total } : {})} />{' '}
      {total !== null && (
        <span class="hint" aria-hidden="true">
          {t.progress.amountOf(name, formatBytes(done), formatBytes(total))}
        </span>
      )}
    </div>
  );
}

function describeOutcome(outcome: Outcome): string {
  if (outcome.kind === 'cancelled') return t.sql.cancelled;
  if (outcome.kind !== 'rows') return '';
  const { rows, seconds } = outcome;
  const count = t.counts.rows(rows.rows);
  const said = (rows.more ? t.sql.firstRows : t.sql.seconds)(count, formatDecimal(seconds, 1));
  return isSample() ? `${said} ${t.sql.sample}` : said;
}

function isSample(): boolean {
  return document.documentElement.dataset['sample'] === 'true';
}

/** Reads the tables' names from the page, which saves a request. */
function readTables(page: HTMLElement): readonly SqlTable[] {
  return [...page.querySelectorAll<HTMLElement>('[data-table]')].map(element => ({
    name: element.dataset['table'] ?? '',
    columns: [...element.querySelectorAll<HTMLElement>('[data-column]')].map(row => ({
      name: row.dataset['column'] ?? '',
      about: row.querySelector('td:last-child')?.textContent ?? '',
    })),
  }));
}

/** `root` is the tree's root. */
export function startSql(page: HTMLElement, root: URL): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  place.replaceChildren();
  render(<Console engine={openEngine(root)} page={page} />, place);
}
