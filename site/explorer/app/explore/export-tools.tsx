/** Saves the shown rows as a file. */
import { useRef, useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { formatCount } from '../../view/format.ts';
import { type Question, toParameters } from '../../view/question.ts';
import type { Sort } from '../../view/rows.ts';
import { explain } from '../explanation.ts';
import type { Asking } from './answer.ts';
import type { ExportFormat } from './exports.ts';
import { saveFile } from './saving.ts';

interface ExportToolsProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly question: Question;
  readonly sort: Sort | null;
  readonly answer: Pick<Asking, 'rows' | 'complete' | 'progress'>;
  readonly formats: readonly ExportFormat[];
  /** What is said before anything is saved. */
  readonly hint: string;
}

const NAMES: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  xlsx: 'Excel',
  json: 'JSON',
  parquet: 'Parquet',
};

interface Work {
  /** Null if there is nothing to say. */
  readonly text: string | null;
  readonly controller: AbortController | null;
}

/** Writes all rows of a question as files, one at a time. */
export function useExport(
  dataset: ExploredDataset,
  engine: Engine,
  question: Question,
  sort: Sort | null,
  answer: Pick<Asking, 'rows' | 'complete' | 'progress'>,
) {
  const [work, setWork] = useState<Work>({ text: null, controller: null });
  const running = useRef<AbortController | null>(null);
  const write = async (format: ExportFormat) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const say = (text: string | null, busy = true) => {
      if (running.current === controller) setWork({ text, controller: busy ? controller : null });
    };
    try {
      say('Reading the rows…');
      const rows =
        answer.complete && answer.rows && answer.progress === null
          ? answer.rows
          : await engine.ask(dataset.key, toParameters(dataset, question), sort === null ? [] : [sort], {
              signal,
            });
      const { hasFormulas, writeExport } = await inTime(import('./exports.ts'));
      const onRows = (written: number) =>
        say(`${formatCount(written)} of ${formatCount(rows.rows)} rows written…`);
      const file = await writeExport({ dataset, question, rows, signal, onRows }, format);
      saveFile(file, fileName(dataset, question, format));
      const formulas = format === 'csv' && hasFormulas(rows);
      say(
        `${formatCount(rows.rows)} rows saved.${formulas ? ' Some texts look like formulas. For a spreadsheet, save the Excel file instead: it is safe to open.' : ''}`,
        false,
      );
    } catch (error) {
      say(signal.aborted ? 'Cancelled. Nothing was saved.' : explain(error), false);
    }
  };
  return { work, write, cancel: () => work.controller?.abort() };
}

export function ExportTools(props: ExportToolsProps) {
  const { dataset, engine, question, sort, answer, formats, hint } = props;
  const { work, write, cancel } = useExport(dataset, engine, question, sort, answer);
  return (
    <section class="explore-export" aria-labelledby="explore-export-title">
      <h3 id="explore-export-title">Save these rows</h3>
      <div class="toolbar">
        {formats.map(format => (
          <button
            key={format}
            type="button"
            class="button quiet"
            disabled={work.controller !== null}
            onClick={() => write(format)}
          >
            {NAMES[format]}
          </button>
        ))}
        {work.controller !== null && (
          <button type="button" class="button quiet small" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
      <p role="status" class="hint">
        {work.text ?? hint}
      </p>
    </section>
  );
}

/** Such as `rainfall-stations-2021.csv`; the name of a sample's file says SAMPLE. */
function fileName(
  { schema, manifest }: ExploredDataset,
  { detail, years }: Question,
  format: ExportFormat,
): string {
  const span =
    years.min === null && years.max === null ? [] : [...new Set([years.min, years.max])].map(String);
  const sample = manifest.sample === true ? ['SAMPLE'] : [];
  return `${[schema.topic, detail, ...span.filter(year => year !== 'null'), ...sample].join('-')}.${format}`;
}
