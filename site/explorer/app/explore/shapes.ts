/** The shapes of maps: files of this site, each read once. */
import { useEffect, useState } from 'preact/hooks';
import type { Topology } from '../../panel/picture-parts.tsx';
import type { Drawing } from '../../view/drawing.ts';
import { explain } from '../explanation.ts';
import { readDocument } from '../tree-documents.ts';

const known = new Map<string, Promise<Topology>>();

function readShapes(root: URL, path: string): Promise<Topology> {
  const shapes =
    known.get(path) ??
    readDocument<Topology>(root, path).then(found => {
      if (found === null) throw new Error('The host has no shapes for this map.');
      return found;
    });
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
  return shapes;
}

/** Null until they are there, and for a drawing that is no map. Reads again with another `attempt`. */
export function useShapes(
  root: URL,
  drawing: Drawing | null,
  attempt: number,
): { readonly shapes: Topology | null; readonly error: string | null } {
  const path = drawing?.kind === 'map' && !drawing.empty ? drawing.shapes : null;
  const [held, setHeld] = useState<{ path: string; shapes: Topology | null; error: string | null } | null>(
    null,
  );
  useEffect(() => {
    if (path === null) return;
    let stale = false;
    readShapes(root, path).then(
      shapes => !stale && setHeld({ path, shapes, error: null }),
      (reason: unknown) => !stale && setHeld({ path, shapes: null, error: explain(reason) }),
    );
    return () => {
      stale = true;
    };
  }, [root, path, attempt]);
  return held !== null && held.path === path ? held : { shapes: null, error: null };
}
