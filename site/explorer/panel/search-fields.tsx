/** Fields in which a reader searches for places or values. The chosen ones are chips below. */
import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { joinWords } from '../messages/numbers.ts';
import { chosenChoices, describeKeys, findChoices } from '../view/choices.ts';
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
import { type Choice, type Field, levelTitle } from '../view/dataset.ts';
import { formatCount } from '../view/format.ts';
import { type ViewState, withPlace, withValues } from '../view/question.ts';
import { VIEWS } from '../view/views.ts';

interface Item {
  readonly key: string;
  readonly name: string;
  /** Tells apart items of the same name. */
  readonly hint: string;
  onTake(): void;
}

interface Chip {
  readonly key: string;
  readonly text: string;
  /** The chip's label for a screen reader: `Remove Adams`. */
  readonly action: string;
  onRemove(): void;
}

interface ChipSearchProps {
  readonly id: string;
  readonly label: string;
  readonly chips: readonly Chip[];
  readonly placeholder: string;
  readonly children?: ComponentChild;
  /** Called again only for another text or `state`. */
  find(text: string): readonly Item[];
  readonly state: ViewState;
}

function ChipSearch({ id, label, chips, placeholder, children, find, state }: ChipSearchProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const held = useRef<HTMLUListElement>(null);
  const found = useMemo(() => find(text), [state, text]);
  const listed = open && found.length > 0;
  const take = (item: Item) => {
    setText('');
    setOpen(false);
    setActive(0);
    item.onTake();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (listed) setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (listed) take(found[active]!);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  // The focus stays in the field, so the browser doesn't scroll the list.
  useEffect(() => {
    if (listed) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [listed, active]);
  const remove = ({ onRemove }: Chip, index: number) => {
    onRemove();
    // The focus goes to the next chip, or back to the field.
    setTimeout(() => {
      const buttons = held.current?.querySelectorAll('button') ?? [];
      (buttons[Math.min(index, buttons.length - 1)] ?? document.getElementById(id))?.focus();
    });
  };
  return (
    <div class="field explore-search">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={listed}
        aria-controls={`${id}-list`}
        aria-activedescendant={listed ? `${id}-${active}` : undefined}
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
      {/* Without the tabIndex, the tab key would stop at a list that scrolls, and the list closes when it gets the focus. */}
      <ul id={`${id}-list`} role="listbox" aria-label={label} tabIndex={-1} hidden={!listed} ref={list}>
        {(listed ? found : []).map((item, index) => (
          <li
            key={item.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // Keeps the focus in the field until the reader has chosen.
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(item)}
          >
            <span>{item.name}</span> <span class="hint">{item.hint}</span>
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">
        {open && text !== '' && found.length > 0 ? t.panel.matches(found.length) : ''}
      </span>
      <span class="hint" role="status">
        {text !== '' && found.length === 0 ? t.search.unknown(text) : ''}
      </span>
      {chips.length > 0 && (
        <ul class="explore-chips" aria-label={t.panel.chosen(label)} ref={held}>
          {chips.map((chip, index) => (
            <li key={chip.key}>
              <button type="button" class="chip" aria-label={chip.action} onClick={() => remove(chip, index)}>
                <span>{chip.text}</span> <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}

const MOST_FOUND = 30;

/** What each field of the form reads and changes. */
export interface FormProps {
  readonly state: ViewState;
  onState(state: ViewState): void;
}

export function PlacePicker({ state, onState }: FormProps) {
  const { dataset } = state;
  const chosen = chosenPlaces(state);
  const places = listPlaces(dataset).length;
  if (places < 2 && chosen.length === 0) return null;
  return (
    <ChipSearch
      id="explore-places"
      label={t.nouns.places}
      placeholder={chosen.length === 0 ? t.panel.all(formatCount(places)) : t.panel.addValue}
      state={state}
      find={text =>
        findPlaces(dataset, text, chosen, MOST_FOUND).map(place => ({
          key: textOf(place),
          name: place.name,
          hint: `${levelTitle(dataset, place.detail)} ${place.key}`,
          onTake: () => onState(addPlace(state, place)),
        }))
      }
      chips={chosen.map(place => ({
        key: textOf(place),
        text: namePlace(dataset, place),
        action: t.panel.remove(namePlace(dataset, place)),
        onRemove: () => onState(removePlace(state, place)),
      }))}
    >
      <ContextSwitch state={state} onState={onState} />
    </ChipSearch>
  );
}

/** Shows or hides the larger places in grey. */
function ContextSwitch({ state, onState }: FormProps) {
  const context = contextOf({ ...state, alone: false });
  if (context.length === 0 || !VIEWS[state.view].isCompared) return null;
  const names = joinWords(context.map(place => namePlace(state.dataset, place)));
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

/** Several values of a field. */
export function SearchField({ state, field, onState }: FormProps & { readonly field: Field }) {
  const { param, label, choices } = field;
  const { filters } = state;
  const { fields } = state.dataset;
  const chosen = chosenChoices(field, filters);
  const isShared = ({ label: name }: Choice) => chosen.filter(one => one.label === name).length > 1;
  const keyOf = ({ keys, value }: Choice) => JSON.stringify([keys, value]);
  const remove = ({ value }: Choice) => {
    const left = (filters.get(param) ?? []).filter(one => one !== value);
    onState(withValues(state, param, left));
  };
  return (
    <ChipSearch
      id={`explore-${param}`}
      label={label}
      placeholder={chosen.length === 0 ? t.panel.all(formatCount(choices.length)) : t.panel.addValue}
      state={state}
      find={text =>
        findChoices(field, filters, text, MOST_FOUND).map(choice => ({
          key: keyOf(choice),
          name: choice.label,
          hint: describeKeys(choice, fields),
          onTake: () => onState(withPlace(state, param, choice)),
        }))
      }
      chips={chosen.map(choice => {
        const hint = describeKeys(choice, fields);
        return {
          key: keyOf(choice),
          text: isShared(choice) ? `${choice.label} (${hint})` : choice.label,
          action: t.panel.remove(`${choice.label}, ${hint}`),
          onRemove: () => remove(choice),
        };
      })}
    />
  );
}
