/** Saves the shown rows and their picture, and shares the view. */
import { useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { type Save, SaveBar, savesOf } from '../../panel/save-bar.tsx';
import { type Question, toParameters, type ViewState } from '../../view/question.ts';
import { useTask } from '../task.ts';
import type { LoadedView } from './loaded-view.ts';
import type { SHARES } from './share-tools.tsx';

interface SaveToolsProps {
  readonly engine: Engine;
  readonly state: ViewState;
  /** It may be that of the state before. */
  readonly loaded: LoadedView | null;
}

export function SaveTools({ engine, state, loaded }: SaveToolsProps) {
  const task = useTask(t.save.cancelled);
  const [open, setOpen] = useState<keyof typeof SHARES | null>(null);
  const [shares, setShares] = useState<typeof SHARES | null>(null);
  const { key, schema } = state.dataset;
  const drawn = loaded?.drawn;
  const isDrawn = drawn?.complete === true && !drawn.drawing.empty;
  const save = async (as: Save, signal: AbortSignal, onStage: (stage: string) => void) => {
    switch (as) {
      case 'csv':
      case 'xlsx':
      case 'parquet': {
        onStage(t.save.reading);
        const { saveRows, viewContent } = await inTime(import('./exports.ts'));
        const sort = state.view === 'table' ? state.sort : null;
        const { table } = await engine.ask(key, toParameters(state), { sort, signal });
        return saveRows(viewContent(state, table), `${nameView(state)}.${as}`, as, signal, onStage);
      }
      case 'png':
      case 'svg': {
        if (!isDrawn) return '';
        const { saveDrawing } = await inTime(import('./picture.tsx'));
        await saveDrawing(drawn, as, `${schema.topic}-${drawn.drawing.metric.column.name}`);
        return '';
      }
      case 'link':
        return navigator.clipboard.writeText(location.href).then(
          () => t.save.linkCopied,
          () => t.save.linkNotCopied,
        );
      case 'embed':
      case 'api':
        setShares((await inTime(import('./share-tools.tsx'))).SHARES);
        setOpen(open === as ? null : as);
        return '';
      default:
        return as satisfies never;
    }
  };
  const Share = open && shares?.[open];
  return (
    <SaveBar
      offered={savesOf(isDrawn)}
      task={task}
      open={open}
      onSave={as => task.run('', (signal, onStage) => save(as, signal, onStage))}
    >
      {Share && <Share state={state} />}
    </SaveBar>
  );
}

/** `rainfall-stations-2021`; with SAMPLE for sample data. */
function nameView({ dataset: { schema, manifest }, detail, years }: Question): string {
  const span =
    years.min === null && years.max === null ? [] : [...new Set([years.min, years.max])].map(String);
  const sample = manifest.sample === true ? ['SAMPLE'] : [];
  return [schema.topic, detail, ...span.filter(year => year !== 'null'), ...sample].join('-');
}
