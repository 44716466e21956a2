/** An answer as a table, or as a chart of columns that the reader chooses, and its files. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Cell, Engine, SqlRows, TableData } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import {
  ANSWER_QUESTION,
  type AnswerChoice,
  type AnswerColumns,
  answerDataset,
  findColumns,
  firstChoice,
} from '../../view/sql-dataset.ts';
import { ExportTools } from '../explore/save-tools.tsx';
import { loadPart } from '../reload-offer.ts';
import type { AnswerChart } from './answer-chart.tsx';

interface AnswerViewProps {
  readonly engine: Engine;
  readonly rows: SqlRows;
  readonly statement: string;
  readonly isSample: boolean;
}

/** The formats that need nothing but rows: the API's JSON is an answer to the API's own requests. */
const FORMATS = ['csv', 'xlsx', 'parquet'] as const;

export function AnswerView({ engine, rows, statement, isSample }: AnswerViewProps) {
  const [state, setState] = useState(readAnswerState);
  const columns = useMemo(() => findColumns(rows), [rows]);
  const choice = useMemo(() => fitChoice(columns, state), [columns, state]);
  const view = choice === null ? 'table' : state.view;
  const dataset = useMemo(
    () => answerDataset(rows, statement, isSample, choice),
    [rows, statement, isSample, choice],
  );
  const show = (next: AnswerState) => {
    setState(next);
    writeAnswerState(next);
  };
  const possible = (['table', 'chart', 'bars'] as const).filter(
    name => name === 'table' || firstChoice(columns, name === 'chart') !== null,
  );
  return (
    <>
      <h2 class="visually-hidden">{t.sql.answer}</h2>
      {possible.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no toolbar
        <div class="toolbar" role="group" aria-label={t.sql.showAs}>
          {possible.map(name => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === view}
              onClick={() => show({ ...state, view: name })}
            >
              {t.sql[name]}
            </button>
          ))}
        </div>
      )}
      {choice === null ? (
        <ResultTable rows={rows} />
      ) : (
        <>
          <ChoiceForm columns={columns} choice={choice} onChoice={next => show({ ...state, ...next })} />
          <LazyChart dataset={dataset} rows={rows} choice={choice} />
        </>
      )}
      <ExportTools
        dataset={dataset}
        engine={engine}
        question={ANSWER_QUESTION}
        answer={{ rows, complete: true, progress: null }}
        formats={FORMATS}
        hint={rows.more ? t.sql.readRows : t.sql.allRows}
      />
    </>
  );
}

/** The choice of the address, as far as the answer has its columns; null for a table. */
function fitChoice(columns: AnswerColumns, { view, figure, label, time }: AnswerState): AnswerChoice | null {
  if (view === 'table') return null;
  const first = firstChoice(columns, view === 'chart');
  if (first === null) return null;
  const known = (name: string | null, names: readonly string[]) => (names.includes(name ?? '') ? name : null);
  return {
    figure: known(figure, columns.figures) ?? first.figure,
    label: label === '' ? null : (known(label, columns.labels) ?? first.label),
    time: view === 'chart' ? (known(time, columns.times) ?? first.time) : null,
  };
}

interface ChoiceFormProps {
  readonly columns: AnswerColumns;
  readonly choice: AnswerChoice;
  onChoice(choice: Partial<AnswerChoice>): void;
}

function ChoiceForm({ columns, choice, onChoice }: ChoiceFormProps) {
  const { figure, label, time } = choice;
  const select = (title: string, value: string, names: readonly string[], onName: (name: string) => void) => (
    <div class="field">
      <label for={`answer-${title}`}>{title}</label>
      <select id={`answer-${title}`} value={value} onChange={event => onName(event.currentTarget.value)}>
        {names.map(name => (
          <option key={name} value={name}>
            {name === '' ? t.sql.none : name}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form class="fields" aria-label={t.sql.chartShows} onSubmit={event => event.preventDefault()}>
      {select(t.sql.figure, figure, columns.figures, name => onChoice({ figure: name }))}
      {select(time === null ? t.sql.bars : t.sql.chart, label ?? '', ['', ...columns.labels], name =>
        onChoice({ label: name }),
      )}
      {time !== null && select(t.sql.time, time, columns.times, name => onChoice({ time: name }))}
    </form>
  );
}

/** Loads the drawing code when a reader first asks for a chart. */
function LazyChart(props: Parameters<typeof AnswerChart>[0]) {
  const [Chart, setChart] = useState<typeof AnswerChart | null>(null);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (place === null) return;
    loadPart(
      place,
      () => import('./answer-chart.tsx'),
      part => setChart(() => part.AnswerChart),
    );
  }, [place]);
  return <div ref={setPlace}>{Chart && <Chart {...props} />}</div>;
}

/** A member is null until the reader chooses; the label is empty if none is wanted. */
type AnswerState = { readonly view: 'table' | 'chart' | 'bars' } & {
  readonly [Name in keyof AnswerChoice]: string | null;
};

const CHOICES = ['figure', 'label', 'time'] as const;

function readAnswerState(): AnswerState {
  const read = new URLSearchParams(location.hash.slice(1));
  const view = read.get('view');
  return {
    view: view === 'chart' || view === 'bars' ? view : 'table',
    figure: read.get('figure'),
    label: read.get('label'),
    time: read.get('time'),
  };
}

/** Replaces the view in the address, and keeps the statement. */
function writeAnswerState(state: AnswerState): void {
  const written = new URLSearchParams(location.hash.slice(1));
  if (state.view === 'table') written.delete('view');
  else written.set('view', state.view);
  for (const name of CHOICES) {
    const value = state[name];
    if (value === null) written.delete(name);
    else written.set(name, value);
  }
  history.replaceState(null, '', `#${written}`);
}

/** Pixels; the style sheet sets the same height. */
const ROW_HEIGHT = 34;
const IN_SIGHT = 14;
const SPARE = 10;

/** Rows that decide the width of a column. */
const LOOKED_AT = 200;
const NARROWEST = 6;
const WIDEST = 40;

function ResultTable({ rows }: { readonly rows: TableData }) {
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const widths = useMemo(() => measureColumns(rows), [rows]);
  const from = Math.max(0, Math.min(Math.floor(top / ROW_HEIGHT), rows.rows - IN_SIGHT) - SPARE);
  const to = Math.min(rows.rows, from + IN_SIGHT + 2 * SPARE);
  return (
    <section
      ref={scroller}
      class="table-scroll sql-result"
      aria-label={t.sql.answer}
      tabindex={0}
      onScroll={() => setTop(scroller.current?.scrollTop ?? 0)}
    >
      <table class="data" aria-rowcount={rows.rows + 1}>
        <colgroup>
          {widths.map((width, index) => (
            <col key={rows.columns[index]?.name} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {rows.columns.map(({ name, type }) => (
              <th key={name} scope="col" class={isNumber(type) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} columns={widths.length} />
          {Array.from({ length: to - from }, (_, index) => (
            <Row key={from + index} rows={rows} row={from + index} />
          ))}
          <Gap rows={rows.rows - to} columns={widths.length} />
        </tbody>
      </table>
    </section>
  );
}

function Row({ rows, row }: { readonly rows: TableData; readonly row: number }) {
  return (
    <tr aria-rowindex={row + 2}>
      {rows.columns.map(({ name, type }, column) => {
        const value = rows.cell(row, column);
        const text = showCell(value);
        const kind = value === null ? 'null' : isNumber(type) ? 'number' : undefined;
        return (
          <td key={name} class={kind} title={text.length > WIDEST ? text : undefined}>
            {text}
          </td>
        );
      })}
    </tr>
  );
}

/** Empty room for the rows out of sight. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: empty room takes no focus
    <tr aria-hidden="true" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

function isNumber(type: TableData['columns'][number]['type']): boolean {
  return type === 'integer' || type === 'number';
}

/** Rounds a figure to six decimals; the file has all of them. */
function showCell(value: Cell): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

function measureColumns(rows: TableData): readonly number[] {
  const count = Math.min(rows.rows, LOOKED_AT);
  return rows.columns.map(({ name }, column) => {
    let widest = name.length;
    for (let row = 0; row < count; row++) widest = Math.max(widest, showCell(rows.cell(row, column)).length);
    return Math.min(WIDEST, Math.max(NARROWEST, widest)) + 4;
  });
}
