/** Reads what a view needs besides rows: a dataset's documents, statistics, and shapes of maps. */

import { useEffect, useState } from 'preact/hooks';
import type {
  DimensionSchemaDocument,
  SchemaDocument,
  StatisticsDocument,
  ValuesDocument,
} from '../../../../build/format/documents.ts';
import type { DatasetManifest } from '../../../../build/format/manifest.ts';
import {
  contractPath,
  datasetManifestPath,
  dimensionSchemaPath,
  schemaPath,
  statisticsPath,
  valuesPath,
} from '../../../../build/format/paths.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import { deriveDataset, type ExploredDataset } from '../../view/dataset.ts';
import { readDocument, requireDocument } from '../tree-documents.ts';

/** Throws HostError if a required document can't be read. */
export async function readDataset(root: URL, key: string): Promise<ExploredDataset> {
  const [domain = '', topic = ''] = key.split('/');
  const [schema, values, manifest, contract] = await Promise.all([
    requireDocument<SchemaDocument>(root, schemaPath(domain, topic)),
    requireDocument<ValuesDocument>(root, valuesPath(domain, topic)),
    requireDocument<DatasetManifest>(root, datasetManifestPath(domain, topic)),
    readDocument<unknown>(root, contractPath(domain, topic, 'json')).catch(() => null),
  ]);
  const joined = schema.foreign_keys.filter(({ column }) => schema.grain.includes(column));
  const dimensions = await Promise.all(
    joined.map(({ target_object: name }) =>
      readDocument<DimensionSchemaDocument>(root, dimensionSchemaPath(domain, name)).catch(() => null),
    ),
  );
  return deriveDataset({
    schema,
    values,
    manifest,
    contract,
    dimensions: dimensions.filter(dimension => dimension !== null),
  });
}

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
