/** Where a release stands for ever, and what its host publishes now. */
import type { ErrataDocument } from '../../../../build/format/documents.ts';
import type { TreeManifest } from '../../../../build/format/manifest.ts';
import { errataPath, isRelease, RELEASES, ROOT, releaseFolder } from '../../../../build/format/paths.ts';

/** The root of the host, if `root` is that of one release that stands there for ever; else null. */
export function hostRootOf(root: URL): URL | null {
  const [release = '', folder] = root.pathname.split('/').reverse().slice(1, 3);
  return folder === RELEASES && isRelease(release) ? new URL('../../', root) : null;
}

/** The root at which a release never changes; null if the host keeps no releases. */
export async function findFixedRoot(root: URL, release: string): Promise<URL | null> {
  if (hostRootOf(root) !== null) return root;
  const fixed = new URL(`${releaseFolder(release)}/`, root);
  // A release is complete once it has its checksums.
  const response = await fetch(new URL(ROOT.checksums, fixed), { method: 'HEAD' });
  return response.ok ? fixed : null;
}

export interface News {
  /** Sentences; none if a fixed release has the latest figures and no known errors. */
  readonly lines: readonly string[];
  /** Root of the current release. */
  readonly current: URL;
}

/** What was published of a dataset after a fixed release; null where the page is of no fixed release. */
export async function readNews(root: URL, key: string, tree: TreeManifest): Promise<News | null> {
  const current = hostRootOf(root);
  if (current === null) return null;
  const now = await readJson<TreeManifest>(new URL(ROOT.manifest, current));
  if (now === null || now.release === tree.release) return { lines: [], current };
  const of = (manifest: TreeManifest) => manifest.datasets.find(one => one.key === key);
  const gone = now.withdrawn?.find(one => one.key === key);
  if (gone) return { lines: [`This dataset was withdrawn on ${gone.withdrawn}: ${gone.reason}`], current };
  if (of(now) === undefined || of(now)?.release === of(tree)?.release) return { lines: [], current };
  const [domain = '', topic = ''] = key.split('/');
  const document = await readJson<ErrataDocument>(new URL(errataPath(domain, topic), current));
  // An erratum without releases is about all that came before it.
  const wrong = (document?.errata ?? []).filter(({ releases, date }) =>
    releases.length > 0 ? releases.includes(tree.release) : date > tree.date,
  );
  return {
    lines: [
      ...wrong.map(({ date, wrong: what }) => `Correction of ${date}: ${what}`),
      `These are the figures of release ${tree.release}. Release ${now.release} has newer ones.`,
    ],
    current,
  };
}

/** Null if the host has no such document. */
export async function readJson<Document>(address: URL): Promise<Document | null> {
  const response = await fetch(address, { cache: 'no-cache' });
  return response.ok ? ((await response.json()) as Document) : null;
}
