/** The field for what was published earlier, which lines show beside today's figures. */
import { useEffect, useState } from 'preact/hooks';
import type { ChangesDocument } from '../../../../build/format/changes.ts';
import { changesPath, datasetFolder } from '../../../../build/format/paths.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { listEarlier } from '../../view/earlier-lines.ts';
import type { ViewState } from '../../view/question.ts';

export interface EarlierFieldProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
  onState(state: ViewState): void;
}

export function EarlierField({ dataset, state, root, onState }: EarlierFieldProps) {
  const { earlier } = state;
  const dates = listEarlier(useChanges(dataset, root), earlier);
  if (dates.length === 0) return null;
  return (
    <div class="field">
      <label for="explore-earlier">Beside today’s figures</label>
      <select
        id="explore-earlier"
        value={earlier ?? ''}
        onChange={event => onState({ ...state, earlier: event.currentTarget.value || null })}
      >
        <option value="">Nothing published earlier</option>
        {dates.map(date => (
          <option key={date} value={date}>
            As published on {date}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Null until it is there, and in a tree without it. */
function useChanges({ schema }: ExploredDataset, root: URL): ChangesDocument | null {
  const [changes, setChanges] = useState<ChangesDocument | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const path = changesPath(datasetFolder(schema.main_topic, schema.topic));
    fetch(new URL(path, root), { signal: control.signal })
      .then(response => (response.ok ? response.json() : null))
      .then(setChanges, () => undefined);
    return () => control.abort();
  }, [schema]);
  return changes;
}
