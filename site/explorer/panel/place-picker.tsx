/** Chooses places of any level together. */
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import {
  addPlace,
  chosenPlaces,
  contextOf,
  findPlaces,
  listPlaces,
  namePlace,
  removePlace,
  textOf,
} from '../view/chosen-places.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { formatCount } from '../view/format.ts';
import { levelTitle } from '../view/levels.ts';
import type { ViewState } from '../view/question.ts';
import { VIEWS } from '../view/view-table.ts';
import { ChipSearch } from './chip-search.tsx';

interface PlacePickerProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  onState(state: ViewState): void;
}

const MOST_FOUND = 30;

export function PlacePicker({ dataset, state, onState }: PlacePickerProps) {
  const chosen = chosenPlaces(state);
  return (
    <ChipSearch
      id="explore-places"
      label={t.panel.places}
      placeholder={
        chosen.length === 0 ? t.panel.allPlaces(formatCount(listPlaces(dataset).length)) : t.panel.addPlace
      }
      state={state}
      find={text =>
        findPlaces(dataset, text, chosen, MOST_FOUND).map(place => ({
          place,
          key: textOf(place),
          name: place.name,
          hint: `${levelTitle(dataset, place.detail)} ${place.key}`,
        }))
      }
      onTake={({ place }) => onState(addPlace(dataset, state, place))}
      chips={chosen.map(place => ({
        key: textOf(place),
        text: namePlace(dataset, place),
        action: t.panel.remove(namePlace(dataset, place)),
        onRemove: () => onState(removePlace(dataset, state, place)),
      }))}
    >
      <ContextSwitch dataset={dataset} state={state} onState={onState} />
    </ChipSearch>
  );
}

/** Shows or hides the larger places in grey. */
function ContextSwitch({ dataset, state, onState }: PlacePickerProps) {
  const context = contextOf(dataset, { ...state, alone: false });
  if (context.length === 0 || !VIEWS[state.view].hasBeside) return null;
  const names = joinWords(context.map(place => namePlace(dataset, place)));
  return (
    <label class="explore-switch">
      <input
        type="checkbox"
        checked={!state.alone}
        onChange={event => onState({ ...state, alone: !event.currentTarget.checked })}
      />{' '}
      <span>{t.panel.inGrey(names)}</span>
    </label>
  );
}
