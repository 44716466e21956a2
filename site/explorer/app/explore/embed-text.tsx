/** The text that puts a view into another site: a frame, or a picture to save. */
import { useEffect, useState } from 'preact/hooks';
import { PAGES, pageFolder } from '../../../../build/format/paths.ts';
import { formatQuery } from '../../../query/query-string.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';
import { formatState } from '../../view/state.ts';
import { VIEWS } from '../../view/views.ts';
import { titleView } from '../../view/wording.ts';
import { findFixedRoot } from './release-root.ts';
import { CopyButton } from './share-tools.tsx';

interface EmbedTextProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
}

export function EmbedText({ dataset, state, root }: EmbedTextProps) {
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
          'A picture never changes: it contains its title, source, licence and release.'}
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
