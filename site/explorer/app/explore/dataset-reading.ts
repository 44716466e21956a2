/**
 * Reads what a view needs besides rows: a dataset's documents, statistics, shapes of maps, names of places.
 */

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
import type { Engine } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import type { Topology } from '../../panel/picture-parts.tsx';
import { chosenPlaces, isListed, textOf } from '../../view/chosen-places.ts';
import { deriveDataset, type ExploredDataset } from '../../view/dataset.ts';
import type { Drawing } from '../../view/drawing.ts';
import type { ViewState } from '../../view/question.ts';
import { explain } from '../explanation.tsx';
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

/** Null until they are read, and without a map. Reads again if `attempt` changes. */
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

/** The dataset, with the names of chosen places without rows once they are known. */
export function usePlaceNames(engine: Engine, dataset: ExploredDataset, state: ViewState): ExploredDataset {
  const [named, setNamed] = useState(dataset);
  const absent = chosenPlaces(state).filter(place => !isListed(dataset, place));
  const text = absent.map(textOf).join();
  useEffect(() => {
    if (text === '') return;
    const control = new AbortController();
    import('./absent-names.ts')
      .then(({ findNames }) => findNames(engine, dataset, absent, control.signal))
      .then(
        found => found.size > 0 && setNamed({ ...dataset, absentPlaces: found }),
        // Without names, the codes are shown.
        () => undefined,
      );
    return () => control.abort();
  }, [engine, dataset, text]);
  return named;
}
