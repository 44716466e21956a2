/** The console of the SQL page: a statement, its progress, and its answer. */
import '../style/sql.css';
import { autocompletion } from '@codemirror/autocomplete';
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Scalar } from '../../../build/format/documents.ts';
import { type Engine, EngineError, type Progress, type SqlRows } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { t } from '../messages/messages.ts';
import { Line } from '../pages/text.tsx';
import { SaveBar } from '../panel/save-bar.tsx';
import { formatDecimal } from '../view/format.ts';
import { ErrorNotice, explain, ProgressLine } from './explanation.tsx';
import type { FileContent } from './explore/exports.ts';
import { type GridColumn, RowsTable } from './explore/rows-table.tsx';
import { useExport, WorkStatus } from './explore/save-tools.tsx';

/** `root` is the tree's root. */
export function startSql(page: HTMLElement, root: URL): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  place.replaceChildren();
  render(<Console engine={openEngine(root)} page={page} />, place);
}

const isSample = document.documentElement.dataset['sample'] === 'true';

interface Outcome {
  readonly statement: string;
  readonly seconds: number;
  /** Null if the statement failed or was cancelled. */
  readonly rows: SqlRows | null;
  /** Null if it was cancelled. */
  readonly error: unknown;
}

/** `page` has the tables and their examples. */
function Console({ engine, page }: { readonly engine: Engine; readonly page: HTMLElement }) {
  const editor = useRef<EditorView | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const control = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const run = async () => {
    const statement = editor.current?.state.doc.toString() ?? '';
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    history.replaceState(null, '', `#${new URLSearchParams({ q: statement })}`);
    setProgress({ stage: 'plan', done: 0, total: null });
    // The last answer stays until the next one is there; the last error goes.
    setOutcome(before => (before?.rows ? before : null));
    const started = performance.now();
    const found = await engine.sql(statement, { signal: own.signal, onProgress: setProgress }).then(
      rows => ({ rows, error: null }),
      (error: unknown) => ({ rows: null, error: own.signal.aborted ? null : error }),
    );
    if (control.current !== own) return;
    control.current = null;
    setProgress(null);
    setOutcome({ ...found, statement, seconds: (performance.now() - started) / 1000 });
  };

  useEffect(() => {
    const root = field.current!.attachShadow({ mode: 'open' });
    const text = page.querySelector('.sql-example pre')?.textContent ?? 'SELECT 1';
    const own = new EditorView({ root, parent: root, state: createState(text, readTables(page), run) });
    editor.current = own;
    const setText = (insert: string) =>
      own.dispatch({ changes: { from: 0, to: own.state.doc.length, insert } });
    page.addEventListener('click', ({ target }) => {
      if (!(target instanceof Element) || target.closest('.sql-ask') === null) return;
      setText(target.closest('.sql-example')?.querySelector('pre')?.textContent ?? '');
      field.current?.scrollIntoView({ block: 'start' });
      void run();
    });
    // A link only fills the editor: the reader runs the statement.
    const read = () => {
      const linked = new URLSearchParams(location.hash.slice(1)).get('q');
      if (linked !== null) setText(linked);
    };
    read();
    addEventListener('hashchange', read);
  }, []);

  return (
    <div class="sql-console">
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
      <div class={progress === null && outcome === null ? '' : 'sql-outcome'}>
        <div class="sql-status">
          {progress === null ? (
            <p role="status">{outcome && describe(outcome)}</p>
          ) : (
            <ProgressLine progress={progress} />
          )}
        </div>
        {outcome?.error != null && <Failure error={outcome.error} onRetry={run} />}
        {outcome?.rows && outcome.rows.rows > 0 && (
          <Answer rows={outcome.rows} statement={outcome.statement} />
        )}
      </div>
    </div>
  );
}

function describe({ rows, error, seconds }: Outcome): string {
  if (rows === null) return error === null ? t.sql.cancelled : '';
  const words = rows.more ? t.sql.firstRows : t.sql.seconds;
  const said = words(t.counts.rows(rows.rows), formatDecimal(seconds, 1));
  return isSample ? `${said} ${t.frame.sample}` : said;
}

function Failure({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  if (error instanceof EngineError && error.mayPass)
    return <ErrorNotice message={explain(error)} onRetry={onRetry} />;
  return (
    <div class="notice warn" role="alert">
      <p>{t.sql.failed}</p>
      <pre class="sql-error" tabindex={0}>
        {explain(error)}
      </pre>
    </div>
  );
}

/** The page lists the names of tables and columns, so no request is needed. */
function readTables(page: HTMLElement): SQLNamespace {
  return Object.fromEntries(
    [...page.querySelectorAll<HTMLElement>('[data-table]')].map(element => [
      // CodeMirror would read the part before a dot as a schema.
      (element.dataset['table'] ?? '').replace(/^"(.*)"$/, '$1').replaceAll('.', '\\.'),
      [...element.querySelectorAll<HTMLElement>('[data-column]')].map(row => ({
        label: row.dataset['column'] ?? '',
        type: 'property',
        detail: row.querySelector('td:last-child')?.textContent?.slice(0, 60) ?? '',
      })),
    ]),
  );
}

const FORMATS = ['csv', 'xlsx', 'parquet'] as const;

function Answer({ rows, statement }: { readonly rows: SqlRows; readonly statement: string }) {
  const columns = useMemo(() => deriveColumns(rows), [rows]);
  const name = `answer-rows${isSample ? '-SAMPLE' : ''}`;
  const { work, write } = useExport(name, () => answerContent(rows, columns, statement));
  return (
    <>
      <h2 class="visually-hidden">{t.nouns.answer}</h2>
      <RowsTable
        rows={rows}
        columns={columns}
        label={t.nouns.answer}
        total={rows.more ? null : rows.rows}
        top={[rows]}
        show={showCell}
      />
      <SaveBar offered={FORMATS} isDisabled={work.controller !== null} open={null} onSave={write}>
        <WorkStatus work={work} said={work.text ?? (rows.more ? t.sql.readRows : t.sql.allRows)} />
      </SaveBar>
    </>
  );
}

/** Rounds to six decimals; the saved file has all of them. */
function showCell(value: Scalar): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

/** Rows that decide a column's width. */
const LOOKED_AT = 200;

function deriveColumns(rows: SqlRows): readonly GridColumn[] {
  return rows.columns.map(({ name, type }, at) => {
    const looked = Array.from(
      { length: Math.min(rows.rows, LOOKED_AT) },
      (_, row) => rows.cell(row, at) ?? '',
    );
    const widest = Math.max(6, name.length, ...looked.map(value => showCell(value).length));
    const numeric = type === 'integer' || type === 'number';
    const width = Math.min(40, widest) + 4;
    return { name, at, label: name, description: '', numeric, nullMark: 'NULL', nullMeaning: '', width };
  });
}

const STORED = {
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  string: 'BYTE_ARRAY',
  date: 'BYTE_ARRAY',
  timestamp: 'BYTE_ARRAY',
} as const;

function answerContent(rows: SqlRows, columns: readonly GridColumn[], statement: string): FileContent {
  return {
    table: {
      kind: 'dataset',
      name: 'sql',
      columns: rows.columns.map(({ name, type }) => ({ name, type, parquet: STORED[type], from: null })),
      manifest: { version: '', license: null, attribution: null, ...(isSample && { sample: true }) },
    },
    rows,
    workbook: async () => ({
      rows: rows.rows,
      columns: columns.map(({ name, width }) => ({ title: name, width, words: new Map() })),
      facts: [
        [t.workbook.sample, isSample ? t.frame.sample : ''],
        [t.workbook.count, String(rows.rows)],
        [t.nouns.source, `SQL: ${statement.replace(/\s+/g, ' ').trim()}`],
      ],
      meanings: [],
    }),
  };
}

/**
 * CodeMirror with the names of tables and columns. It is in a shadow root, which takes style sheets from a script: the
 * page's policy refuses style elements.
 */
function createState(text: string, schema: SQLNamespace, onRun: () => Promise<void>): EditorState {
  const run = () => {
    void onRun();
    return true;
  };
  return EditorState.create({
    doc: text,
    extensions: [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
      minimalSetup,
      sql({ dialect: PostgreSQL, schema, upperCaseKeywords: true }),
      autocompletion({ icons: false }),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': t.sql.statement }),
      placeholder('SELECT …'),
      plainTyping,
      LOOKS,
    ],
  });
}

/** Typing over a selection makes a browser set inline styles, which the page's policy refuses. */
const plainTyping = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event as InputEvent;
    if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty)
      return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const LOOKS = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', borderRadius: 'var(--radius)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.9rem', lineHeight: '1.5', minHeight: '8rem' },
  '.cm-content': { padding: '0.6rem 0.3rem', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--soft)' },
  // The editor's own colours only suit light pages.
  '.cm-line span': { color: 'inherit !important' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--band)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    maxWidth: '90vw',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: '90vw' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.6rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', fontFamily: 'var(--sans)' },
});
