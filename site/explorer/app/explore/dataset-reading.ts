/** Reads what some views need besides the dataset's documents and rows: statistics, and shapes of maps. */
import { useEffect, useState } from 'preact/hooks';
import type { StatisticsDocument } from '../../../../build/format/documents.ts';
import { statisticsPath } from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import type { Question } from '../../view/question.ts';
import { readDocument } from '../tree-documents.ts';

/** Null until they are read, and in a tree without statistics. */
export function useStatistics({ dataset, detail }: Question): StatisticsDocument | null {
  const [held, setHeld] = useState<StatisticsDocument | null>(null);
  useEffect(() => {
    const { main_topic: domain, topic, statistics_template: template } = dataset.schema;
    if (template === undefined) return;
    const control = new AbortController();
    const path = statisticsPath(domain, topic, detail);
    readDocument<StatisticsDocument>(path, { signal: control.signal }).then(setHeld, () => undefined);
    return () => control.abort();
  }, [dataset, detail]);
  return held?.detail === detail ? held : null;
}

const known = new Map<string, Promise<Topology>>();

/** Reads the shapes of a map only once. */
export function readShapes(path: string): Promise<Topology> {
  const shapes =
    known.get(path) ??
    readDocument<Topology>(path).then(found => {
      if (found === null) throw new Error(t.errors.noShapes);
      return found;
    });
  known.set(path, shapes);
  shapes.catch(() => known.delete(path));
  return shapes;
}
