/** The text that puts a view into another site: a frame, or a picture to save. */
import { useState } from 'preact/hooks';
import { PAGES, pageFolder } from '../../../../build/format/paths.ts';
import { formatQuery } from '../../../query/query-string.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewName, ViewState } from '../../view/question.ts';
import { formatState } from '../../view/state.ts';
import { titleView } from '../../view/view-title.ts';
import { findFixedRoot } from './release-root.ts';
import { CopyButton } from './share-tools.tsx';

interface EmbedToolsProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
}

/** Heights of a frame in which the view and its source have room. */
const HEIGHTS: Readonly<Record<ViewName, number>> = { table: 800, chart: 700, bars: 800, map: 800 };

export function EmbedTools({ dataset, state, root }: EmbedToolsProps) {
  const [fixed, setFixed] = useState<URL | null>(null);
  const [open, setOpen] = useState(false);
  const { release = '' } = document.documentElement.dataset;
  const start = (on: boolean) => {
    setOpen(on);
    if (on && fixed === null) findFixedRoot(root, release).then(setFixed, () => undefined);
  };
  const { main_topic: domain, topic } = dataset.schema;
  const page = new URL(pageFolder(domain, topic) + PAGES.embed, fixed ?? root);
  page.search = formatQuery(formatState(dataset, state));
  const frame = writeFrame(page.href, titleView(dataset, state), HEIGHTS[state.view]);
  return (
    <details class="explore-embed" onToggle={event => start(event.currentTarget.open)}>
      <summary>Embed</summary>
      {open && (
        <>
          <div class="field">
            <label for="explore-frame">Paste this into a page to show this view in it</label>
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
            <CopyButton text={() => frame} label="Copy the text" />
          </div>
          <p class="hint">
            {fixed === null
              ? 'This host keeps one release at a time, so the frame always shows the figures of the latest one. '
              : `The frame stays with release ${release}, and says when newer figures or corrections exist. `}
            {state.view !== 'table' &&
              'A picture never changes: save the chart as SVG or PNG. It contains its title, source, licence and release.'}
          </p>
        </>
      )}
    </details>
  );
}

/** An HTML element, with every text escaped. */
function writeFrame(address: string, title: string, height: number): string {
  const quoted = (text: string) =>
    `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;
  return `<iframe src=${quoted(address)} title=${quoted(title)} width="100%" height="${height}" loading="lazy" style="border: 0"></iframe>`;
}
