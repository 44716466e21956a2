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
import type { SqlEditor, SqlTable } from './editor.ts';

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

function Console({ engine, tables, first, isSample, onReady }: ConsoleProps) {
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

/** `page` lists the tables; `root` is the tree's root. */
export function startSql(page: HTMLElement, root: URL): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  const examples = [...page.querySelectorAll<HTMLElement>('.sql-example')].map(readExample);
  place.replaceChildren();
  let ask = (_statement: string): void => undefined;
  render(
    <Console
      engine={openEngine(root)}
      tables={readTables(page)}
      first={examples[0]?.query ?? 'SELECT 1'}
      isSample={document.documentElement.dataset['sample'] === 'true'}
      onReady={given => {
        ask = given;
      }}
    />,
    place,
  );
  for (const { element, query, description } of examples)
    element.append(makeButton(description, () => ask(query)));
}

interface Example {
  readonly element: HTMLElement;
  readonly query: string;
  readonly description: string;
}

function readExample(element: HTMLElement): Example {
  const text = (selector: string) => element.querySelector(selector)?.textContent ?? '';
  return { element, query: text('pre'), description: text('figcaption') };
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

function makeButton(description: string, use: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet small';
  button.textContent = t.sql.ask;
  button.setAttribute('aria-label', t.sql.askExample(description));
  button.addEventListener('click', use);
  return button;
}

interface EditorHandle {
  text(): string;
  setText(text: string): void;
}

interface EditorFieldProps {
  /** The initial text. */
  readonly first: string;
  readonly tables: readonly SqlTable[];
  /** Called once, with functions that read and write the text. */
  onReady(handle: EditorHandle): void;
  onRun(): void;
}

function EditorField({ first, tables, onReady, onRun }: EditorFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<SqlEditor | null>(null);
  const run = useRef(onRun);
  run.current = onRun;
  const [isLoaded, setLoaded] = useState(false);

  useEffect(() => {
    onReady({
      text: () => editor.current?.text() ?? area.current?.value ?? '',
      setText: text => {
        if (editor.current) editor.current.setText(text);
        else if (area.current) area.current.value = text;
      },
    });
    let isGone = false;
    import('./editor.ts')
      .then(({ createEditor }) => {
        if (isGone || !host.current || !area.current) return;
        const { value, selectionStart, selectionEnd } = area.current;
        const isFocused = document.activeElement === area.current;
        editor.current = createEditor(host.current, {
          label: t.sql.statement,
          text: value,
          tables,
          onRun: () => run.current(),
        });
        setLoaded(true);
        if (isFocused) editor.current.focus(selectionStart, selectionEnd);
      })
      // The plain field still works.
      .catch(() => undefined);
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  return (
    <div class="sql-editor">
      <textarea
        ref={area}
        hidden={isLoaded}
        aria-label={t.sql.statement}
        spellcheck={false}
        rows={7}
        onKeyDown={onKeyDown}
        defaultValue={first}
      />
      <div ref={host} hidden={!isLoaded} />
    </div>
  );
}
