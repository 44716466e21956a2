/** Reads what some views need besides the dataset's documents and rows: statistics, and shapes of maps. */
import { useEffect, useState } from 'preact/hooks';
import type { StatisticsDocument } from '../../../../build/format/documents.ts';
import { statisticsPath } from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import type { ExploredDataset } from '../../view/dataset.ts';
import { readDocument } from '../tree-documents.ts';

/** Null until they are read, and in a tree without statistics. */
export function useStatistics(
  dataset: ExploredDataset,
  detail: string,
  root: URL,
): StatisticsDocument | null {
  const [held, setHeld] = useState<StatisticsDocument | null>(null);
  useEffect(() => {
    const { main_topic: domain, topic, statistics_template: template } = dataset.schema;
    if (template === undefined) return;
    const control = new AbortController();
    readDocument<StatisticsDocument>(root, statisticsPath(domain, topic, detail), {
      signal: control.signal,
    }).then(setHeld, () => undefined);
    return () => control.abort();
  }, [dataset, detail]);
  return held?.detail === detail ? held : null;
}

/** The shapes of a map's drawing; null until they are read. */
export function useShapes(root: URL, path: string | null) {
  const [held, setHeld] = useState<{ path: string; shapes?: Topology; error?: unknown } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (path === null) return;
    readShapes(root, path).then(
      shapes => setHeld({ path, shapes }),
      (error: unknown) => setHeld({ path, error }),
    );
  }, [path, attempt]);
  const { shapes = null, error = null } = held?.path === path ? held : {};
  return { shapes, error, retry: () => setAttempt(attempt + 1) };
}

const known = new Map<string, Promise<Topology>>();

/** Reads the shapes only once. */
export function readShapes(root: URL, path: string): Promise<Topology> {
  const shapes =
    known.get(path) ??
    readDocument<Topology>(root, path).then(found => {
      if (found === null) throw new Error(t.errors.noShapes);
      return found;
    });
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
  return shapes;
}
