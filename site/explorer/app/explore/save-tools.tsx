/** Saves the shown rows and their picture, and shares the view. */
import { useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import type { DrawnView } from '../../panel/dataset-view.tsx';
import { type Save, SaveBar } from '../../panel/save-bar.tsx';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { Topology } from '../../view/map-figure.tsx';
import type { ViewState } from '../../view/question.ts';
import { explain } from '../explanation.ts';
import type { Asking } from './answer.ts';
import { EmbedText } from './embed-text.tsx';
import { useExport } from './export-tools.tsx';
import { ApiRequest } from './share-tools.tsx';

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
