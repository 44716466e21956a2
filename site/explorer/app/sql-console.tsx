/** The console of the SQL page: a statement, its progress, and its answer. */
import '../style/sql.css';
import { autocompletion } from '@codemirror/autocomplete';
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { minimalSetup } from 'codemirror';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ColumnType, Scalar } from '../../../build/format/documents.ts';
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { Engine, FoundRows, Progress } from '../engine/engine.ts';
import { openEngine } from '../engine/open-engine.ts';
import { inTime } from '../engine/patience.ts';
import { t } from '../messages/messages.ts';
import { Line } from '../pages/text.tsx';
import { SaveBar } from '../panel/save-bar.tsx';
import { formatDecimal } from '../view/format.ts';
import { measureWidth } from '../view/table-columns.ts';
import { root } from '../view/tree-root.ts';
import { explain, ProgressLine } from './explanation.tsx';
import type { ExportFormat, FileContent } from './explore/exports.ts';
import { RowsTable } from './explore/rows-table.tsx';
import { useTask } from './task.ts';

export function startSql(page: HTMLElement): void {
  const place = page.querySelector('#sql-console');
  if (!place) return;
  place.replaceChildren();
  render(<Console engine={openEngine(root)} page={page} />, place);
}

const isSample = document.documentElement.dataset['sample'] === 'true';

/** An answer or an error; neither if the reader cancelled. */
interface Outcome {
  readonly statement: string;
  readonly found?: FoundRows;
  readonly error?: unknown;
}

/** `page` has the tables and their examples. */
function Console({ engine, page }: { readonly engine: Engine; readonly page: HTMLElement }) {
  const editor = useRef<EditorView | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const task = useTask<Progress>(t.sql.cancelled, () => t.sql.failed);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const run = () => {
    const statement = editor.current?.state.doc.toString() ?? '';
    history.replaceState(null, '', `#${new URLSearchParams({ q: statement })}`);
    // The last answer stays until the next one is there; the last error goes.
    setOutcome(before => (before?.found ? before : null));
    return task.run({ stage: 'plan', done: 0, total: null }, async (signal, onProgress) => {
      const started = performance.now();
      try {
        const found = await engine.sql(statement, { signal, onProgress });
        setOutcome({ statement, found });
        return describe(found, (performance.now() - started) / 1000);
      } catch (error) {
        // Another statement may be running already.
        if (!signal.aborted) setOutcome({ statement, error });
        throw error;
      }
    });
  };

  useEffect(() => {
    const root = field.current!.attachShadow({ mode: 'open' });
    const text = page.querySelector('.sql-example pre')?.textContent ?? 'SELECT 1';
    const extensions = listExtensions(readTables(page), run);
    const own = new EditorView({ root, parent: root, doc: text, extensions });
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
        <span class="hint">
          <Line text={t.sql.hint} parts={{ keys: <kbd>Ctrl Enter</kbd> }} />
        </span>
      </div>
      <div class={task.stage === null && outcome?.found === undefined ? '' : 'sql-outcome'}>
        <div class="sql-status">
          {task.stage === null ? (
            <p role="status">{task.said}</p>
          ) : (
            <ProgressLine progress={task.stage} onCancel={task.cancel} />
          )}
        </div>
        {outcome?.error !== undefined && (
          <pre class="notice warn sql-error" role="alert">
            {explain(outcome.error)}
          </pre>
        )}
        {outcome?.found && outcome.found.table.rows > 0 && (
          <Answer found={outcome.found} statement={outcome.statement} />
        )}
      </div>
    </div>
  );
}

function describe({ table, total }: FoundRows, seconds: number): string {
  const words = total === null ? t.sql.firstRows : t.sql.seconds;
  const said = words(t.counts.rows(table.rows), formatDecimal(seconds, 1));
  return isSample ? `${said} ${t.frame.sample}` : said;
}

/** The page lists the names of tables and columns, so no request is needed. */
function readTables(page: HTMLElement): SQLNamespace {
  return Object.fromEntries(
    [...page.querySelectorAll<HTMLElement>('[data-table]')].map(element => [
      // CodeMirror would read the part before a dot as a schema.
      (element.dataset['table'] ?? '').replace(/^"(.*)"$/, '$1').replaceAll('.', '\\.'),
      [...element.querySelectorAll('tbody tr')].map(row => ({
        label: row.querySelector('th')?.textContent ?? '',
        type: 'property',
        detail: row.querySelector('td:last-child')?.textContent?.slice(0, 60) ?? '',
      })),
    ]),
  );
}

function Answer({
  found: { table: rows, total },
  statement,
}: Required<Pick<Outcome, 'found' | 'statement'>>) {
  const columns = rows.columns.map(({ name, type }, at) => ({
    name,
    at,
    label: name,
    description: '',
    numeric: type === 'integer' || type === 'number',
    nullMark: 'NULL',
    nullMeaning: '',
    width: measureWidth(rows, at, name, value => (value === null ? 'NULL' : showCell(value))),
  }));
  const task = useTask(t.save.cancelled);
  const content: FileContent = {
    table: {
      kind: 'dataset',
      name: 'sql',
      columns: rows.columns.map(one => ({ ...one, parquet: STORED[one.type] ?? 'BYTE_ARRAY', from: null })),
      manifest: { version: '', license: null, attribution: null, ...(isSample && { sample: true }) },
    },
    rows,
    workbook: async () => ({
      columns: columns.map(({ name, width }) => ({ title: name, width })),
      facts: [
        [t.workbook.sample, isSample ? t.frame.sample : ''],
        [t.workbook.count, String(rows.rows)],
        [t.nouns.source, `SQL: ${statement.replace(/\s+/g, ' ').trim()}`],
      ],
      meanings: [],
    }),
  };
  const save = (format: ExportFormat) =>
    task.run(t.save.reading, async (signal, onStage) => {
      const { saveRows } = await inTime(import('./explore/exports.ts'));
      const name = `${isSample ? 'answer-rows-SAMPLE' : 'answer-rows'}.${format}`;
      return saveRows(content, name, format, signal, onStage);
    });
  return (
    <>
      <h2 class="visually-hidden">{t.nouns.answer}</h2>
      <RowsTable
        rows={rows}
        columns={columns}
        label={t.nouns.answer}
        total={total}
        top={[rows]}
        show={showCell}
      />
      {total === null && <p class="hint">{t.sql.readRows}</p>}
      <SaveBar offered={['csv', 'xlsx', 'parquet']} task={task} onSave={save} />
    </>
  );
}

/** Rounds to six decimals; the saved file has all of them. */
function showCell(value: Scalar): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

/** How a saved file stores the types of an answer; others are texts. */
const STORED: Partial<Record<ColumnType, RowColumn['parquet']>> = {
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
};

/**
 * CodeMirror with the names of tables and columns. It is in a shadow root, which takes style sheets from a script: the
 * page's policy refuses style elements.
 */
function listExtensions(schema: SQLNamespace, onRun: () => Promise<void>): Extension[] {
  const run = () => {
    void onRun();
    return true;
  };
  return [
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
    minimalSetup,
    sql({ dialect: PostgreSQL, schema, upperCaseKeywords: true }),
    autocompletion({ icons: false }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': t.sql.statement }),
    placeholder('SELECT …'),
    plainTyping,
    EditorView.theme(LOOKS, { dark: matchMedia('(prefers-color-scheme: dark)').matches }),
  ];
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

const LOOKS = {
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', borderRadius: 'var(--radius)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.9rem', minHeight: '8rem' },
  '.cm-placeholder': { color: 'var(--soft)' },
  // Colours of words that only suit light pages.
  '.cm-line span': { color: 'inherit !important' },
  '.cm-tooltip': { maxWidth: '90vw' },
};
