/** Chooses places of any level together: the reader finds them by name or code, and removes them as chips. */
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  addPlace,
  chosenPlaces,
  contextOf,
  findPlaces,
  listPlaces,
  namePlace,
  removePlace,
  textOf,
} from '../../view/chosen-places.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { countOf, formatCount } from '../../view/format.ts';
import { levelTitle } from '../../view/levels.ts';
import type { LevelPlace, ViewState } from '../../view/question.ts';

export interface PlacePickerProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  onState(state: ViewState): void;
}

const MOST_FOUND = 30;

export function PlacePicker({ dataset, state, onState }: PlacePickerProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const chips = useRef<HTMLUListElement>(null);
  const chosen = chosenPlaces(state);
  const found = useMemo(() => findPlaces(dataset, text, chosen, MOST_FOUND), [dataset, state, text]);
  const listed = open && found.length > 0;
  const take = (place: LevelPlace | undefined) => {
    if (!place) return;
    setText('');
    setOpen(false);
    onState(addPlace(dataset, state, place));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (listed) setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (listed) take(found[active]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  const drop = (place: LevelPlace, index: number) => {
    onState(removePlace(dataset, state, place));
    // The focus goes to the next chip, or back to the field.
    setTimeout(() => {
      const buttons = chips.current?.querySelectorAll('button') ?? [];
      (buttons[Math.min(index, buttons.length - 1)] ?? input.current)?.focus();
    });
  };
  return (
    <div class="field explore-search">
      <label for="explore-places">Places</label>
      <input
        id="explore-places"
        ref={input}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={chosen.length === 0 ? 'All – type a name or code' : 'Add another to compare'}
        aria-autocomplete="list"
        aria-expanded={listed}
        aria-controls="explore-places-list"
        aria-activedescendant={listed ? `explore-places-${active}` : undefined}
        value={text}
        onInput={event => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(0);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul id="explore-places-list" role="listbox" aria-label="Places" hidden={!listed}>
        {found.map((place, index) => (
          <li
            key={textOf(place)}
            id={`explore-places-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus until the reader has chosen.
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(place)}
          >
            <span>{place.name}</span>{' '}
            <span class="hint">
              {levelTitle(dataset, place.detail)} {place.key}
            </span>
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">
        {open && text !== '' ? countOf(found.length, 'match', 'matches') : ''}
      </span>
      {chosen.length > 0 && (
        <ul class="explore-chips" aria-label="Places: chosen" ref={chips}>
          {chosen.map((place, index) => (
            <li key={textOf(place)}>
              <button
                type="button"
                class="chip"
                aria-label={`Remove ${namePlace(dataset, place)}`}
                onClick={() => drop(place, index)}
              >
                <span>{namePlace(dataset, place)}</span> <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {chosen.length === 0 && (
        <span class="hint">{formatCount(listPlaces(dataset).length)} to choose from, of any level.</span>
      )}
      <ContextSwitch dataset={dataset} state={state} onState={onState} />
    </div>
  );
}

/** Shows or hides the larger places in grey. */
function ContextSwitch({ dataset, state, onState }: PlacePickerProps) {
  const context = contextOf(dataset, { ...state, alone: false });
  if (context.length === 0 || (state.view !== 'chart' && state.view !== 'bars')) return null;
  const names = context.map(place => namePlace(dataset, place)).join(' and ');
  return (
    <label class="explore-switch">
      <input
        type="checkbox"
        checked={!state.alone}
        onChange={event => onState({ ...state, alone: !event.currentTarget.checked })}
      />{' '}
      <span>Show {names} in grey</span>
    </label>
  );
}
