/** Finds a release's fixed address, and what its host publishes now. */
import type { ErrataDocument } from '../../../../build/format/documents.ts';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { errataPath, isRelease, RELEASES, ROOT, releaseFolder } from '../../../../build/format/paths.ts';
import { watchedFetch } from '../../../edge/files/watched-fetch.ts';
import { SILENCE } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { root } from '../../view/tree-root.ts';
import { readDocument } from '../tree-documents.ts';

/** The browser may have cached an older release. */
export const FRESH = { cache: 'no-cache' } as const;

/** The host's root, if the page is of the fixed address of a release; else null. */
function hostRoot(): URL | null {
  const [release = '', folder] = root.pathname.split('/').reverse().slice(1, 3);
  return folder === RELEASES && isRelease(release) ? new URL('../../', root) : null;
}

/** The address at which the release never changes; null if the host keeps no old releases. */
export async function findFixedRoot(release: string): Promise<URL | null> {
  if (hostRoot() !== null) return root;
  const fixed = new URL(`${releaseFolder(release)}/`, root);
  // The checksums are the last file of a release.
  const { href } = new URL(ROOT.checksums, fixed);
  const found = await watchedFetch(href, { method: 'HEAD' }, SILENCE);
  await found.end();
  return found.response.ok ? fixed : null;
}

export interface News {
  /** Sentences; empty if a fixed release has the latest figures and no known errors. */
  readonly lines: readonly string[];
  readonly current: URL;
}

/** What was published about a dataset after a fixed release; null if the page isn't of a fixed release. */
export async function readNews(key: string, tree: TreeManifest): Promise<News | null> {
  const current = hostRoot();
  if (current === null) return null;
  const now = await readDocument<TreeManifest>(ROOT.manifest, { ...FRESH, from: current });
  if (now === null || now.release === tree.release) return { lines: [], current };
  const of = (manifest: TreeManifest) => manifest.datasets.find(one => one.key === key);
  const gone = now.withdrawn?.find(one => one.key === key);
  if (gone) return { lines: [t.words.withdrawn(gone.withdrawn, gone.reason)], current };
  if (of(now) === undefined || of(now)?.release === of(tree)?.release) return { lines: [], current };
  const [domain = '', topic = ''] = key.split('/');
  const document = await readDocument<ErrataDocument>(errataPath(domain, topic), {
    ...FRESH,
    from: current,
  });
  // An erratum without releases is about all earlier ones.
  const wrong = (document?.errata ?? []).filter(({ releases, date }) =>
    releases.length > 0 ? releases.includes(tree.release) : date > tree.date,
  );
  return {
    lines: [
      ...wrong.map(({ date, wrong: what }) => t.embed.correction(date, what)),
      t.embed.newer(tree.release, now.release),
    ],
    current,
  };
}
