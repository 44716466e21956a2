/** Saves the shown rows and their picture, and shares the view. */

import { useRef, useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { type Save, SaveBar, saveFile, savesOf } from '../../panel/save-bar.tsx';
import { formatCount } from '../../view/format.ts';
import { type Question, toParameters, type ViewState } from '../../view/question.ts';
import { explain, Later } from '../explanation.tsx';
import type { ExportFormat, FileContent } from './exports.ts';
import type { LoadedView } from './loaded-view.ts';

interface SaveToolsProps {
  readonly engine: Engine;
  readonly state: ViewState;
  /** It may be that of the state before. */
  readonly loaded: LoadedView | null;
}

export function SaveTools({ engine, state, loaded }: SaveToolsProps) {
  const sort = state.view === 'table' ? state.sort : null;
  const { key, schema } = state.dataset;
  const { work, write } = useExport(nameView(state), async ({ viewContent }, signal) => {
    const { table } = await engine.ask(key, toParameters(state), { sort, signal });
    return viewContent(state, table);
  });
  const drawn = loaded?.drawn;
  const [open, setOpen] = useState<Save | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const isDrawn = drawn?.complete === true && !drawn.drawing.empty;
  const onSave = async (save: Save) => {
    setSaid(null);
    switch (save) {
      case 'csv':
      case 'xlsx':
      case 'parquet':
        return write(save);
      case 'png':
      case 'svg':
        if (!isDrawn) return;
        return inTime(import('./picture.tsx'))
          .then(({ saveDrawing }) =>
            saveDrawing(drawn, save, `${schema.topic}-${drawn.drawing.metric.column.name}`),
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
    <SaveBar offered={savesOf(isDrawn)} isDisabled={work.controller !== null} open={open} onSave={onSave}>
      <WorkStatus work={work} said={said ?? work.text ?? ''} />
      {open !== null && (
        <Later
          load={() => import('./share-tools.tsx')}
          show={({ ApiRequest, EmbedText }) => {
            const Shared = open === 'api' ? ApiRequest : EmbedText;
            return <Shared state={state} />;
          }}
        />
      )}
    </SaveBar>
  );
}

interface Work {
  readonly text: string | null;
  readonly controller: AbortController | null;
}

type Exports = typeof import('./exports.ts');

/** Writes one file at a time. `name` has no extension; `read` returns the file's content. */
export function useExport(
  name: string,
  read: (exports: Exports, signal: AbortSignal) => FileContent | Promise<FileContent>,
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
      const exports = await inTime(import('./exports.ts'));
      const content = await read(exports, signal);
      const saved = t.counts.rows(content.rows.rows);
      const onRows = (written: number) => say(t.save.written(formatCount(written), saved));
      saveFile(await exports.writeExport({ ...content, signal, onRows }, format), `${name}.${format}`);
      say(t.save.saved(saved), false);
    } catch (error) {
      say(signal.aborted ? t.save.cancelled : explain(error), false);
    }
  };
  return { work, write };
}

/** What is or was being written, with a button to cancel it. */
export function WorkStatus({ work, said }: { readonly work: Work; readonly said: string }) {
  return (
    <>
      {work.controller !== null && (
        <button type="button" class="button quiet small" onClick={() => work.controller?.abort()}>
          {t.progress.cancel}
        </button>
      )}
      <p role="status" class="hint">
        {said}
      </p>
    </>
  );
}

/** `rainfall-stations-2021`; with SAMPLE for sample data. */
function nameView({ dataset: { schema, manifest }, detail, years }: Question): string {
  const span =
    years.min === null && years.max === null ? [] : [...new Set([years.min, years.max])].map(String);
  const sample = manifest.sample === true ? ['SAMPLE'] : [];
  return [schema.topic, detail, ...span.filter(year => year !== 'null'), ...sample].join('-');
}
