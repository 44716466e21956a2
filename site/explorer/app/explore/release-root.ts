/** Finds a release's fixed address, and what its host publishes now. */
import type { ErrataDocument } from '../../../../build/format/documents.ts';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { errataPath, isRelease, RELEASES, ROOT, releaseFolder } from '../../../../build/format/paths.ts';
import { watchedFetch } from '../../../edge/files/watched-fetch.ts';
import { SILENCE } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { root } from '../../view/tree-root.ts';
import { readDocument } from '../tree-documents.ts';

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
  /** Sentences. */
  readonly lines: readonly string[];
  readonly current: URL;
}

/** What was published about a dataset after a fixed release; null if nothing was, or the page isn't of a fixed release. */
export async function readNews(key: string): Promise<News | null> {
  const current = hostRoot();
  if (current === null) return null;
  const read = <Document>(path: string, from: URL) =>
    // The browser may have cached an older release.
    readDocument<Document>(path, { cache: 'no-cache', from });
  const [own, now] = await Promise.all([root, current].map(from => read<TreeManifest>(ROOT.manifest, from)));
  if (!own || !now || now.release === own.release) return null;
  const gone = now.withdrawn?.find(one => one.key === key);
  if (gone) return { lines: [t.words.withdrawn(gone.withdrawn, gone.reason)], current };
  const [before, after] = [own, now].map(({ datasets }) => datasets.find(one => one.key === key)?.release);
  if (after === undefined || after === before) return null;
  const [domain = '', topic = ''] = key.split('/');
  const document = await read<ErrataDocument>(errataPath(domain, topic), current);
  // An erratum without releases is about all earlier ones.
  const wrong = (document?.errata ?? []).filter(({ releases, date }) =>
    releases.length > 0 ? releases.includes(own.release) : date > own.date,
  );
  const corrections = wrong.map(({ date, wrong: what }) => t.embed.correction(date, what));
  return { lines: [...corrections, t.embed.newer(own.release, now.release)], current };
}
