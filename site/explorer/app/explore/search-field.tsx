/** A field of many values, such as places: the reader finds them by name or code, and removes them as chips. */
import { useMemo, useState } from 'preact/hooks';
import type { Choice, ExploredDataset, Field } from '../../view/dataset.ts';
import { countOf, formatCount } from '../../view/format.ts';
import { type Question, withPlace, withValues } from '../../view/question.ts';
import { chosenChoices, describeKeys, findChoices } from '../../view/search.ts';

export interface SearchFieldProps {
  readonly dataset: ExploredDataset;
  readonly field: Field;
  readonly question: Question;
  onQuestion(question: Question): void;
}

const MOST_FOUND = 30;

export function SearchField({ dataset, field, question, onQuestion }: SearchFieldProps) {
  const { param, label, choices } = field;
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const id = `explore-${param}`;
  const chosen = chosenChoices(field, question.filters);
  const found = useMemo(
    () => findChoices(field, question.filters, text, MOST_FOUND),
    [field, question, text],
  );
  const listed = open && found.length > 0;
  const isShared = ({ label: name }: Choice) => chosen.filter(one => one.label === name).length > 1;
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    setText('');
    setOpen(false);
    onQuestion(withPlace(dataset, question, param, choice));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (listed) setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Enter' && listed) {
      event.preventDefault();
      take(found[active]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      setOpen(false);
    }
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
        placeholder={chosen.length === 0 ? 'All – type a name or code' : 'Add another'}
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
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!listed}>
        {found.map((choice, index) => (
          <li
            key={JSON.stringify([choice.keys, choice.value])}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus until the reader has chosen.
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(choice)}
          >
            <span>{choice.label}</span> <span class="hint">{describeKeys(choice, dataset.fields)}</span>
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">
        {open && text !== '' ? countOf(found.length, 'match', 'matches') : ''}
      </span>
      {chosen.length > 0 && (
        <ul class="explore-chips" aria-label={`${label}: chosen`}>
          {chosen.map(choice => (
            <li key={JSON.stringify([choice.keys, choice.value])}>
              <button
                type="button"
                class="chip"
                aria-label={`Remove ${choice.label}, ${describeKeys(choice, dataset.fields)}`}
                onClick={() =>
                  onQuestion(
                    withValues(
                      dataset,
                      question,
                      param,
                      (question.filters.get(param) ?? []).filter(value => value !== choice.value),
                    ),
                  )
                }
              >
                {choice.label} {isShared(choice) && <small>{describeKeys(choice, dataset.fields)} </small>}
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <span class="hint">{chosen.length === 0 ? `${formatCount(choices.length)} to choose from.` : ''}</span>
    </div>
  );
}
