/** Reads the statistics of the chosen level. Filters work without them, and show more once they are there. */
import { useEffect, useState } from 'preact/hooks';
import { statisticsPath } from '../../../../build/format/paths.ts';
import type { StatisticsDocument } from '../../../../build/format/statistics.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { readDocument } from '../tree-documents.ts';

/** Null until they are there, and in a tree without them. */
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
