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
import type { RowColumn } from '../../../build/format/manifest.ts';
import { type Engine, EngineError, type Progress, type SqlRows } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { t } from '../messages/messages.ts';
import { Line } from '../pages/text.tsx';
import { SaveBar } from '../panel/save-bar.tsx';
import { formatBytes, formatDecimal } from '../view/format.ts';
import { ErrorNotice, explain } from './explanation.tsx';
import type { FileContent } from './explore/exports.ts';
import { type GridColumn, RowsTable } from './explore/rows-table.tsx';
import { useExport, WorkStatus } from './explore/save-tools.tsx';

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
  const editor = useRef<EditorView | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const control = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });

  const run = async () => {
    const statement = editor.current?.state.doc.toString() ?? '';
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
    const root = field.current!.attachShadow({ mode: 'open' });
    const text = page.querySelector('.sql-example pre')?.textContent ?? 'SELECT 1';
    const own = new EditorView({ root, parent: root, state: createState(text, readTables(page), run) });
    editor.current = own;
    const setText = (insert: string) =>
      own.dispatch({ changes: { from: 0, to: own.state.doc.length, insert } });
    const ask = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('.sql-ask') === null) return;
      setText(target.closest('.sql-example')?.querySelector('pre')?.textContent ?? '');
      place.current?.scrollIntoView({ block: 'start' });
      void run();
    };
    // A link only fills the editor: the reader runs the statement.
    const read = () => {
      const linked = new URLSearchParams(location.hash.slice(1)).get('q');
      if (linked !== null) setText(linked);
    };
    read();
    page.addEventListener('click', ask);
    addEventListener('hashchange', read);
    return () => {
      page.removeEventListener('click', ask);
      removeEventListener('hashchange', read);
      own.destroy();
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

/** Reads the names of tables and columns from the page, which saves a request. */
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

/** `root` is the tree's root. */
export function startSql(page: HTMLElement, root: URL): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  place.replaceChildren();
  render(<Console engine={openEngine(root)} page={page} />, place);
}

interface AnswerViewProps {
  readonly rows: SqlRows;
  readonly statement: string;
  readonly isSample: boolean;
}

const FORMATS = ['csv', 'xlsx', 'parquet'] as const;

function AnswerView({ rows, statement, isSample }: AnswerViewProps) {
  const columns = useMemo(() => deriveColumns(rows), [rows]);
  const name = `answer-rows${isSample ? '-SAMPLE' : ''}`;
  const { work, write } = useExport(name, () => answerContent(rows, columns, statement, isSample));
  const hint = rows.more ? t.sql.readRows : t.sql.allRows;
  return (
    <>
      <h2 class="visually-hidden">{t.sql.answer}</h2>
      <RowsTable
        rows={rows}
        columns={columns}
        label={t.sql.answer}
        total={rows.more ? null : rows.rows}
        top={[rows]}
        show={showCell}
      />
      <SaveBar offered={FORMATS} isDisabled={work.controller !== null} open={null} onSave={write}>
        <WorkStatus work={work} said={work.text ?? hint} />
      </SaveBar>
    </>
  );
}

/** Rounds a figure to six decimals; the file has all of them. */
function showCell(value: Scalar): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

/** Rows that decide the width of a column, in characters. */
const LOOKED_AT = 200;
const NARROWEST = 6;
const WIDEST = 40;

function deriveColumns(rows: SqlRows): readonly GridColumn[] {
  return rows.columns.map(({ name, type }, at) => {
    let widest = Math.max(NARROWEST, name.length);
    for (let row = 0; row < Math.min(rows.rows, LOOKED_AT); row++)
      widest = Math.max(widest, showCell(rows.cell(row, at) ?? '').length);
    const numeric = type === 'integer' || type === 'number';
    const width = Math.min(WIDEST, widest) + 4;
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

function answerContent(
  rows: SqlRows,
  columns: readonly GridColumn[],
  statement: string,
  sample: boolean,
): FileContent {
  return {
    table: {
      kind: 'dataset',
      name: 'sql',
      columns: rows.columns.map(
        ({ name, type }): RowColumn => ({ name, type, parquet: STORED[type], from: null }),
      ),
      manifest: { version: '', license: null, attribution: null, ...(sample && { sample }) },
    },
    rows,
    workbook: async () => ({
      rows: rows.rows,
      columns: columns.map(({ name, width }) => ({ title: name, width, words: new Map() })),
      facts: [
        [t.workbook.sample, sample ? t.frame.sample : ''],
        [t.workbook.count, String(rows.rows)],
        [t.workbook.source, `SQL: ${statement.replace(/\s+/g, ' ').trim()}`],
      ],
      meanings: [],
    }),
  };
}

/**
 * The editor: CodeMirror with the names of tables and columns. The page's policy refuses style elements, so the editor
 * lives in a shadow root, which takes style sheets from a script.
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

/** A browser styles what the reader types over a selection inline, which the page's policy refuses. */
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
