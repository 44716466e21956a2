/** An answer as a table, or as a chart of columns that the reader chooses, and its files. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Engine, SqlRows } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import {
  ANSWER_QUESTION,
  type AnswerChoice,
  type AnswerColumns,
  answerDataset,
  findColumns,
  firstChoice,
} from '../../view/sql-dataset.ts';
import { ExportTools } from '../explore/export-tools.tsx';
import { loadPart } from '../reload-offer.ts';
import type { AnswerChart } from './answer-chart.tsx';
import { type AnswerState, readAnswerState, writeAnswerState } from './answer-state.ts';
import { ResultTable } from './result-table.tsx';

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
        sort={null}
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
