/** The view of a dataset's page, with its notices and saved files. */
import { useState } from 'preact/hooks';
import { formatQuery } from '../../../query/query-string.ts';
import { t } from '../../messages/messages.ts';
import { DatasetView, NoticeList } from '../../panel/dataset-view.tsx';
import { composeNotices, describeLosses } from '../../view/notices.ts';
import type { ViewState } from '../../view/question.ts';
import { textOfSentence } from '../../view/sentence.ts';
import { formatState } from '../../view/state.ts';
import { SaveTools } from './save-tools.tsx';
import { type MountedView, mountView, Status, tableOf, titleOf } from './view-mount.tsx';

export function startExplore(element: HTMLElement): Promise<void> {
  return mountView(element, view => <Panel {...view} />, t.explore.filesBelow);
}

/** The address has the state; a change of it is added to the browser's history. */
function Panel(view: MountedView) {
  const { engine, loaded, parsed } = view;
  const { state } = parsed;
  const [losses, setLosses] = useState<readonly string[]>([]);
  const show = (next: ViewState) => {
    history.pushState(null, '', formatQuery(formatState(next)) + location.hash);
    view.show(next);
  };
  const change = (next: ViewState) => {
    setLosses(next.view === state.view ? [] : describeLosses(state, next));
    show(next);
  };
  const drawn = loaded?.drawn ?? null;
  const table = tableOf(view, sort => show({ ...state, sort }));
  return (
    <>
      <DatasetView state={state} drawn={drawn} isLive onState={change} status={<Status {...view} />}>
        {table && (
          <>
            <h3>{titleOf(view)}</h3>
            {table}
          </>
        )}
        <p class="visually-hidden" role="status">
          {drawn && !drawn.drawing.empty
            ? t.explore.drawn(t.view.names[state.view], drawn.drawing.title, textOfSentence(drawn.sentence))
            : ''}
        </p>
        <NoticeList notices={[...losses, ...composeNotices(state)]} />
      </DatasetView>
      <SaveTools engine={engine} state={state} loaded={loaded} />
    </>
  );
}
