/** Saves the shown rows and their picture, and shares the view: as a frame, by the API, by SQL and as a feed. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { datasetFeedPath, datasetFolder, PAGES, pageFolder } from '../../../../build/format/paths.ts';
import { formatQuery } from '../../../query/query-string.ts';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import type { DrawnView } from '../../panel/dataset-view.tsx';
import { type Save, SaveBar } from '../../panel/save-bar.tsx';
import { namePlace } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { formatCount } from '../../view/format.ts';
import type { Topology } from '../../view/map-figure.tsx';
import { placeParam, type Question, type Sort, toParameters, type ViewState } from '../../view/question.ts';
import { writeStatement } from '../../view/sql-statement.ts';
import { formatState } from '../../view/state.ts';
import { VIEWS } from '../../view/view-table.ts';
import { titleView } from '../../view/view-title.ts';
import { explain } from '../explanation.ts';
import type { Asking } from './answer.ts';
import type { ExportFormat } from './exports.ts';
import { findFixedRoot } from './release-root.ts';
import { saveFile } from './saving.ts';

interface SaveToolsProps {
  readonly dataset: ExploredDataset;
  readonly engine: Engine;
  readonly state: ViewState;
  readonly root: URL;
  readonly answer: Pick<Asking, 'rows' | 'complete' | 'progress'>;
  readonly drawn: DrawnView | null;
  readonly shapes: Topology | null;
}

export function SaveTools({ dataset, engine, state, root, answer, drawn, shapes }: SaveToolsProps) {
  const sort = state.view === 'table' ? state.sort : null;
  const { work, write, cancel } = useExport(dataset, engine, state.question, sort, answer);
  const [open, setOpen] = useState<Save | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const isDrawn = drawn?.complete === true && !drawn.drawing.empty;
  const onSave = async (save: Save) => {
    setSaid(null);
    switch (save) {
      case 'csv':
      case 'xlsx':
      case 'json':
      case 'parquet':
        return write(save);
      case 'png':
      case 'svg':
        if (!isDrawn) return;
        return inTime(import('./picture.tsx'))
          .then(({ saveDrawing }) =>
            saveDrawing(drawn.drawing, shapes, save, `${dataset.schema.topic}-${drawn.metric.column.name}`),
          )
          .catch((reason: unknown) => setSaid(explain(reason)));
      case 'link':
        return navigator.clipboard.writeText(location.href).then(
          () => setSaid(t.save.linkCopied),
          () => setSaid(t.save.linkNotCopied),
        );
      case 'embed':
      case 'api':
        return setOpen(open === save ? null : save);
      default:
        return save satisfies never;
    }
  };
  return (
    <SaveBar isDrawn={isDrawn} isDisabled={work.controller !== null} open={open} onSave={onSave}>
      {work.controller !== null && (
        <button type="button" class="button quiet small" onClick={cancel}>
          {t.progress.cancel}
        </button>
      )}
      <p role="status" class="hint">
        {said ?? work.text ?? ''}
      </p>
      {open === 'embed' && <EmbedText dataset={dataset} state={state} root={root} />}
      {open === 'api' && <ApiRequest dataset={dataset} question={state.question} root={root} />}
    </SaveBar>
  );
}

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
function useExport(
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
      say(t.save.reading);
      const rows =
        answer.complete && answer.rows && answer.progress === null
          ? answer.rows
          : await engine.ask(dataset.key, toParameters(dataset, question), sort === null ? [] : [sort], {
              signal,
            });
      const saved = t.counts.rows(rows.rows);
      const { hasFormulas, writeExport } = await inTime(import('./exports.ts'));
      const onRows = (written: number) => say(t.save.written(formatCount(written), saved));
      const file = await writeExport({ dataset, question, rows, signal, onRows }, format);
      saveFile(file, fileName(dataset, question, format));
      const formulas = format === 'csv' && hasFormulas(rows);
      say(formulas ? `${t.save.saved(saved)} ${t.save.formulas}` : t.save.saved(saved), false);
    } catch (error) {
      say(signal.aborted ? t.save.cancelled : explain(error), false);
    }
  };
  return { work, write, cancel: () => work.controller?.abort() };
}

export function ExportTools(props: ExportToolsProps) {
  const { dataset, engine, question, sort, answer, formats, hint } = props;
  const { work, write, cancel } = useExport(dataset, engine, question, sort, answer);
  return (
    <section class="explore-export" aria-labelledby="explore-export-title">
      <h3 id="explore-export-title">{t.sql.saveRows}</h3>
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
            {t.progress.cancel}
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

interface ApiRequestProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly root: URL;
}

const MOST_FOLLOWED = 2;

const FORMATS = ['json', 'csv', 'parquet'] as const;

function ApiRequest({ dataset, question, root }: ApiRequestProps) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('json');
  const pairs = toParameters(dataset, question).map(([name, value]) => ({ name, value }));
  const asked = format === 'json' ? pairs : [...pairs, { name: 'format', value: format }];
  const api = new URL(`api/v1/${dataset.key}${formatQuery(asked)}`, root).href;
  const statement = writeStatement(dataset, question);
  const console = new URL(`${PAGES.sql}/#${new URLSearchParams({ q: statement ?? '' })}`, root).href;
  // Of many places nobody follows each.
  const followed = question.places.length <= MOST_FOLLOWED ? question.places : [];
  return (
    <div class="explore-share">
      <div class="toolbar">
        {statement !== null && (
          <a class="button quiet small" href={console}>
            {t.save.openInSql}
          </a>
        )}
        {followed.map(key => (
          <a key={key} class="button quiet small" href={feedOf(dataset, question.detail, key, root)}>
            {t.save.follow(namePlace(dataset, { detail: question.detail, key }))}
          </a>
        ))}
      </div>
      <div class="field">
        <label for="explore-api">{t.save.sameRows}</label>
        <input
          id="explore-api"
          class="hash"
          type="text"
          readOnly
          value={api}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <div class="toolbar explore-api-tools">
        <div role="group" aria-label={t.save.format} class="toolbar">
          {FORMATS.map(name => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === format}
              onClick={() => setFormat(name)}
            >
              {name === 'parquet' ? 'Parquet' : name.toUpperCase()}
            </button>
          ))}
        </div>
        <CopyButton text={() => api} label={t.save.copyAddress} />
      </div>
      <p class="hint">{t.save.plainHost}</p>
    </div>
  );
}

/** On a host that only serves files, the feed of the whole dataset. */
function feedOf(dataset: ExploredDataset, detail: string, key: string, root: URL): string {
  const pairs = [
    { name: 'detail', value: detail },
    { name: placeParam(dataset), value: key },
  ];
  const path = datasetFeedPath(datasetFolder(dataset.schema.main_topic, dataset.schema.topic));
  return new URL(path + formatQuery(pairs), root).href;
}

interface CopyButtonProps {
  readonly label: string;
  text(): string;
}

function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 4000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setSaid(t.save.copied),
      () => setSaid(t.save.notCopied),
    );
  return (
    <>
      <button type="button" class="button quiet small" onClick={copy}>
        {label}
      </button>
      <span role="status" class="hint">
        {said}
      </span>
    </>
  );
}

interface EmbedTextProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
}

function EmbedText({ dataset, state, root }: EmbedTextProps) {
  const [fixed, setFixed] = useState<URL | null>(null);
  const { release = '' } = document.documentElement.dataset;
  useEffect(() => {
    findFixedRoot(root, release).then(setFixed, () => undefined);
  }, [root, release]);
  const { main_topic: domain, topic } = dataset.schema;
  const page = new URL(pageFolder(domain, topic) + PAGES.embed, fixed ?? root);
  page.search = formatQuery(formatState(dataset, state));
  const frame = writeFrame(page.href, titleView(dataset, state), VIEWS[state.view].frame);
  return (
    <div class="explore-embed">
      <div class="field">
        <label for="explore-frame">{t.embed.paste}</label>
        <textarea
          id="explore-frame"
          class="hash"
          rows={4}
          readOnly
          value={frame}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <div class="toolbar">
        <CopyButton text={() => frame} label={t.embed.copy} />
      </div>
      <p class="hint">
        {fixed === null ? t.embed.latest : t.embed.fixed(release)}
        {state.view !== 'table' && ` ${t.embed.picture}`}
      </p>
    </div>
  );
}

/** An HTML element, with every text escaped. */
function writeFrame(address: string, title: string, height: number): string {
  const quoted = (text: string) =>
    `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;
  return `<iframe src=${quoted(address)} title=${quoted(title)} width="100%" height="${height}" loading="lazy" style="border: 0"></iframe>`;
}
