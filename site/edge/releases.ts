/**
 * A host that keeps releases side by side. Each answer is of one release, whole, even if another becomes current
 * meanwhile. The name of the current release is read again after a while; a release itself never changes.
 */
import { isRelease, RELEASES } from '../../build/format/paths.ts';
import { type Answer, bodyAnswer, type Incoming } from './answer.ts';
import { Kept } from './files/kept.ts';
import type { Edge } from './handler.ts';
import { errorHeaders } from './respond/headers.ts';
import { refuse } from './respond/refusal.ts';

/**
 * Where a host keeps releases, and what answers from each. A `place` names a release to its host: a folder, or a prefix
 * of keys.
 */
export interface ReleaseHost {
  /** The place of the current release. */
  readCurrent(): Promise<string>;
  /** The place of a complete release; null where the host has none of that name. */
  findRelease(release: string): Promise<string | null>;
  /** The edge is kept while requests keep coming. */
  open(place: string): Edge;
  /** Whether the place still has the release with which it was opened; absent where it always has. */
  isThere?(place: string): boolean;
}

export interface ReleaseOptions {
  /** Milliseconds after which the host is asked again which release is current. */
  readonly refreshAfter: number;
  readonly now?: () => number;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Releases that stay open, with what they keep in memory: the current one, and those last asked for by name. */
const MOST_OPEN = 3;

/** How often an answer begins again because another release took the place of the one that it is made from. */
const MOST_TRIES = 5;

/**
 * Answers from the release that a path begins with, else from the current one. It keeps answers of the host, never
 * questions that are under way, as the catalog does.
 */
export function createReleaseEdge(host: ReleaseHost, options: ReleaseOptions): Edge {
  const { refreshAfter, now = Date.now, onError } = options;
  const opened = new Kept<Edge>(MOST_OPEN);
  let current: string | null = null;
  let checked = 0;
  const findCurrent = async () => {
    const time = now();
    if (current !== null && time - checked < refreshAfter) return current;
    current = await host.readCurrent();
    checked = time;
    return current;
  };
  /** The answer from a place; null where another release has taken it. A body that is still read is checked by hashes. */
  const answerFrom = async (place: string, incoming: Incoming): Promise<Answer | null> => {
    const edge = opened.get(place) ?? host.open(place);
    opened.keep(place, edge, 1);
    const answer = await edge(incoming);
    if (host.isThere?.(place) !== false) return answer;
    current = null;
    return null;
  };
  const answer = async (incoming: Incoming): Promise<Answer | null> => {
    const [, folder, release = '', ...rest] = incoming.path.split('/', 4);
    if (folder !== RELEASES || !isRelease(release)) return answerFrom(await findCurrent(), incoming);
    const root = `/${RELEASES}/${release}`;
    if (rest.length === 0) return bodyAnswer(301, errorHeaders({ Location: `${root}/` }));
    const place = await host.findRelease(release);
    if (place === null) return refuse(404, `This host does not keep release ${release}.`);
    // A copy would ask for the signal, which takes long to make.
    const below = Object.create(incoming, {
      root: { value: root },
      path: { value: incoming.path.slice(root.length) },
    });
    return answerFrom(place, below);
  };
  return async incoming => {
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const found = await answer(incoming);
        if (found) return found;
      }
      return refuse(502, 'Another release became current each time the server began this answer. Try again.');
    } catch (error) {
      if (incoming.signal?.aborted) throw error;
      onError?.(error);
      return refuse(502, 'The server cannot read which release is current.');
    }
  };
}
