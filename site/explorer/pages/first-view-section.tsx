/** The first view of a dataset as its page has it before the script takes it over. */
import { formatQuery } from '../../query/query-string.ts';
import { DatasetView, NoticeList } from '../panel/dataset-view.tsx';
import { SaveBar } from '../panel/save-bar.tsx';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { composeNotices } from '../view/notices.ts';
import { formatState } from '../view/state.ts';
import type { FirstView } from './first-view.ts';

interface FirstViewProps {
  readonly dataset: ExploredDataset;
  readonly first: FirstView;
}

const nothing = () => undefined;

export function FirstViewSection({ dataset, first: { state, drawn } }: FirstViewProps) {
  return (
    <section
      id="explore"
      data-key={dataset.key}
      data-view={addressOf(dataset, { state, drawn })}
      aria-label={t.dataset.explore}
    >
      <DatasetView
        dataset={dataset}
        state={state}
        drawn={drawn}
        shapes={null}
        statistics={null}
        root={null}
        isLive={false}
        onState={nothing}
      >
        {drawn === null && <p class="hint">{t.dataset.onlyFiles}</p>}
        <p class="visually-hidden" role="status" />
        <NoticeList notices={composeNotices(dataset, state.question, state.view)} />
      </DatasetView>
      <SaveBar isDrawn={drawn !== null} isDisabled open={null} onSave={nothing}>
        <p role="status" class="hint" />
      </SaveBar>
    </section>
  );
}

/** The address of the first view, for the script. */
export function addressOf(dataset: ExploredDataset, { state }: FirstView): string {
  return formatQuery(formatState(dataset, state));
}
