/** Saves the shown rows and their picture, and shares the view. */
import { useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import type { DrawnView } from '../../panel/dataset-view.tsx';
import type { Topology } from '../../panel/picture-parts.tsx';
import { type Save, SaveBar } from '../../panel/save-bar.tsx';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import { explain } from '../explanation.ts';
import type { Asking } from './answer.ts';
import { useExport } from './export-tools.tsx';
import { Later } from './later.tsx';

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
            saveDrawing(drawn, shapes, save, `${dataset.schema.topic}-${drawn.metric.column.name}`),
          )
          .catch((reason: unknown) => setSaid(explain(reason)));
      case 'link':
        return navigator.clipboard.writeText(location.href).then(
          () => setSaid('Copied the link to this view.'),
          () => setSaid('The browser does not allow copying here. Copy the address of this page.'),
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
          Cancel
        </button>
      )}
      <p role="status" class="hint">
        {said ?? work.text ?? ''}
      </p>
      {open === 'embed' && (
        <Later
          load={() => import('./embed-text.tsx')}
          show={({ EmbedText }) => <EmbedText dataset={dataset} state={state} root={root} />}
        />
      )}
      {open === 'api' && (
        <Later
          load={() => import('./share-tools.tsx')}
          show={({ ApiRequest }) => <ApiRequest dataset={dataset} question={state.question} root={root} />}
        />
      )}
    </SaveBar>
  );
}
