/** The names of chosen places that a dataset has no rows of. */
import { useEffect, useState } from 'preact/hooks';
import type { Engine } from '../../engine/engine.ts';
import { chosenPlaces, isListed, textOf } from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { ViewState } from '../../view/question.ts';

/** Returns the dataset with the names of all chosen places, as soon as they are known. */
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
        // Its codes name the place too.
        () => undefined,
      );
    return () => control.abort();
  }, [engine, dataset, text]);
  return named;
}
