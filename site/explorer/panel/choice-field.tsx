/** A field with few values: the reader chooses one, several or any. */
import { useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import type { Field } from '../view/dataset.ts';
import type { Facet } from '../view/facets.ts';

interface ChoiceFieldProps {
  readonly field: Field;
  /** The rows of each value; null if they are not known. */
  readonly facet: Facet | null;
  /** Null means any. */
  readonly values: readonly string[] | null;
  /** An empty list means any. */
  onValues(values: readonly string[]): void;
}

const ANY = '';
const SEVERAL = '…several';

export function ChoiceField({ field, facet, values, onValues }: ChoiceFieldProps) {
  const { param, label, description, choices, kind } = field;
  const [listing, setListing] = useState(false);
  const several = listing || (values !== null && values.length > 1);
  const id = `explore-${param}`;
  const chosen = several ? SEVERAL : (values?.[0] ?? ANY);
  const toggle = (value: string, on: boolean) => {
    const now = values ?? [];
    const next = on ? [...now, value] : now.filter(one => one !== value);
    // The last ticked box stays ticked.
    if (next.length > 0) onValues(next);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        aria-describedby={description === '' ? undefined : `${id}-hint`}
        value={chosen}
        onChange={event => {
          const { value } = event.currentTarget;
          setListing(value === SEVERAL);
          if (value === SEVERAL && values === null) onValues(choices.slice(0, 2).map(choice => choice.value));
          else if (value !== SEVERAL) onValues(value === ANY ? [] : [value]);
        }}
      >
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
            {choice.value === field.total ? ` (${t.panel.total})` : ''}
            {describeRows(facet, choice.value)}
          </option>
        ))}
        <option value={ANY}>{kind === 'axis' ? t.panel.sideBySide : t.panel.any}</option>
        {choices.length > 2 && <option value={SEVERAL}>{t.panel.several}</option>}
      </select>
      {description !== '' && (
        <span id={`${id}-hint`} class="visually-hidden">
          {description}
        </span>
      )}
      {several && (
        <fieldset class="explore-boxes">
          <legend class="visually-hidden">{t.panel.values(label, choices.length)}</legend>
          {choices.map(choice => (
            <label key={choice.value}>
              <input
                type="checkbox"
                checked={values?.includes(choice.value) ?? true}
                onChange={event => {
                  toggle(choice.value, event.currentTarget.checked);
                  // Ticks the box again if it is the last one.
                  event.currentTarget.checked = values?.includes(choice.value) ?? true;
                }}
              />
              <span>
                {choice.label}
                {describeRows(facet, choice.value)}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Says that a value has no rows with the question's other choices. */
function describeRows(facet: Facet | null, value: string): string {
  return facet !== null && (facet.rows.get(value) ?? 0) === 0 ? ` – ${t.panel.noRows}` : '';
}
