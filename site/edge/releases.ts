/**
 * A host that keeps releases side by side. Each answer is of one release, even if another becomes current
 * meanwhile.
 */
import { isRelease, RELEASES } from '../../build/format/paths.ts';
import { type Answer, bodyAnswer, type Incoming } from './answer.ts';
import { Kept } from './files/kept.ts';
import type { Edge, EdgeOptions } from './handler.ts';
import { errorHeaders } from './respond/headers.ts';
import { refuse } from './respond/refusal.ts';

/** A `place` is a folder or a prefix of keys. */
export interface ReleaseHost {
  readCurrent(): Promise<string>;
  /** Null if the host has no complete release of that name. */
  findRelease(release: string): Promise<string | null>;
  /** The edge is kept while requests keep coming. */
  open(place: string): Edge;
  /** Whether the place still has the release it was opened with; absent if it always has. */
  isThere?(place: string): boolean;
}

/** The current release, and those last requested by name. */
const MOST_OPEN = 3;

/** How often an answer starts again because its release was replaced. */
const MOST_TRIES = 5;

/** Answers from the release that the path starts with, else from the current one. */
export function createReleaseEdge(
  host: ReleaseHost,
  { refreshAfter = Number.POSITIVE_INFINITY, onError }: Pick<EdgeOptions, 'refreshAfter' | 'onError'>,
): Edge {
  const opened = new Kept<Edge>(MOST_OPEN);
  let current: string | null = null;
  let checked = 0;
  const findCurrent = async () => {
    const time = Date.now();
    if (current !== null && time - checked < refreshAfter) return current;
    current = await host.readCurrent();
    checked = time;
    return current;
  };
  /** Null if another release has taken the place. A body still being read is checked by hashes. */
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
    // A copy would create the signal, which is slow.
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
