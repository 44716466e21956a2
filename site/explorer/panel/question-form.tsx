/** The fields of a view: measure, places, level, groups and time in one line; the rest is folded. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { hasPlaceNames } from '../view/chosen-places.ts';
import { type Field, levelTitle } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { hasMoments, momentEnds, momentOf, withMoment } from '../view/moment.ts';
import { latestYear, levelOf, oneYear, settleBeside, withDetail, withValues } from '../view/question.ts';
import { nameUnit } from '../view/timeline.ts';
import { VIEWS } from '../view/views.ts';
import { type FormProps, PlacePicker, SearchField } from './search-fields.tsx';

interface QuestionFormProps extends FormProps {
  /** False in the page as the build renders it, before its script runs. */
  readonly isLive: boolean;
}

/** A field with more values is a search field. */
const MOST_LISTED = 40;

/** One column cuts off longer options, and labels that are longer by some letters. */
const MOST_LETTERS = 17;

export function QuestionForm({ isLive, ...form }: QuestionFormProps) {
  const { state, onState } = form;
  const { dataset, filters, view, metric } = state;
  const { fields, levels, metrics } = dataset;
  const { places } = levelOf(state);
  // Places with names have one field. The columns of larger places are then further filters.
  const isNamed = hasPlaceNames(state);
  const own = fields.filter(({ kind, column, choices }) =>
    kind === 'place' ? !isNamed && places.includes(column) : kind === 'axis' && choices.length > 0,
  );
  const further = fields.filter(({ kind, column, choices }) =>
    kind === 'place'
      ? isNamed && places.slice(0, -1).includes(column)
      : kind === 'mark' && choices.length > 0,
  );
  const chosen = further.filter(({ param }) => filters.has(param)).length;
  // Stays open when its last filter is removed, since the focus is in it.
  const [opened, setOpened] = useState(chosen > 0);
  const choiceField = (field: Field) => <ChoiceField key={field.param} field={field} {...form} />;
  return (
    <form
      class="explore-form needs-script"
      aria-label={t.panel.question}
      onSubmit={event => event.preventDefault()}
    >
      <fieldset disabled={!isLive}>
        <div class="fields">
          {view !== 'table' && (
            <SelectField
              id="explore-metric"
              label={t.nouns.figure}
              value={metric ?? ''}
              options={metrics.map(({ column }) => [column.name, column.label])}
              onValue={name => onState({ ...state, metric: name })}
            />
          )}
          <PlacePicker {...form} />
          {levels.length > 1 && (
            <SelectField
              id="explore-detail"
              label={t.panel.level}
              value={state.detail}
              options={levels.map(({ name }) => [name, levelTitle(dataset, name)])}
              onValue={name => onState(settleBeside(withDetail(state, name)))}
            />
          )}
          {own.map(choiceField)}
          {hasMoments(dataset) && VIEWS[view].periods === 'one' ? (
            <MomentField {...form} />
          ) : (
            <YearFields {...form} />
          )}
        </div>
        {further.length > 0 && (
          <details open={opened} onToggle={event => setOpened(event.currentTarget.open)}>
            <summary>{t.panel.more(chosen)}</summary>
            <div class="fields">{further.map(choiceField)}</div>
          </details>
        )}
      </fieldset>
    </form>
  );
}

interface SelectProps {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onValue(value: string): void;
}

function Select({ options, onValue, ...props }: SelectProps) {
  return (
    <select {...props} onChange={event => onValue(event.currentTarget.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface SelectFieldProps extends SelectProps {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
}

function SelectField({ label, description = '', ...select }: SelectFieldProps) {
  const [, chosen = ''] = select.options.find(([value]) => value === select.value) ?? [];
  return (
    <div class={chosen.length > MOST_LETTERS || label.length > MOST_LETTERS + 3 ? 'field wide' : 'field'}>
      <label for={select.id}>{label}</label>
      <Select {...select} {...(description !== '' && { 'aria-describedby': `${select.id}-hint` })} />
      {description !== '' && (
        <span id={`${select.id}-hint`} class="visually-hidden">
          {description}
        </span>
      )}
    </div>
  );
}

interface ChoiceFieldProps extends FormProps {
  readonly field: Field;
}

const ANY = '';
const SEVERAL = '…several';

/** One value of a field; a search field for places, many values, and several chosen ones. */
function ChoiceField(props: ChoiceFieldProps) {
  const { state, field, onState } = props;
  const { param, label, description, choices, kind, total } = field;
  const [value = ANY, ...others] = state.filters.get(param) ?? [];
  if (kind === 'place' || choices.length > MOST_LISTED || others.length > 0)
    return <SearchField {...props} />;
  const id = `explore-${param}`;
  const choose = (next: string) => {
    const rest = choices.flatMap(choice => (choice.value === value ? [] : [choice.value]));
    const several = value === ANY ? rest.slice(0, 2) : [value, ...rest.slice(0, 1)];
    const values = next === SEVERAL ? several : next === ANY ? [] : [next];
    onState(withValues(state, param, values));
    // The search field replaces the list and has its id.
    if (next === SEVERAL) setTimeout(() => document.getElementById(id)?.focus());
  };
  return (
    <SelectField
      id={id}
      label={label}
      description={description}
      value={value}
      options={[
        ...choices.map(
          choice =>
            [
              choice.value,
              choice.value === total ? `${choice.label} (${t.panel.total})` : choice.label,
            ] as const,
        ),
        [ANY, kind === 'axis' ? t.panel.sideBySide : t.panel.any],
        ...(choices.length > 2 ? [[SEVERAL, t.panel.several] as const] : []),
      ]}
      onValue={choose}
    />
  );
}

/** One year, or the first and the last of several. */
function YearFields({ state, onState }: FormProps) {
  const { dataset, years, view } = state;
  const { schema, yearColumn } = dataset;
  const asked = [years.min, years.max].filter(year => year !== null);
  // The address may ask for years that the level doesn't have.
  const listed = [...new Set([...levelOf(state).years, ...asked])].sort((a, b) => a - b);
  const [from = 0, to = 0] = [years.min ?? listed[0], years.max ?? listed.at(-1)];
  if (listed.length === 0) return null;
  const label = schema.columns.find(({ name }) => name === yearColumn)?.label || t.nouns.year;
  const options = listed.map(year => [String(year), String(year)] as const);
  const ask = (min: number, max: number) => onState({ ...state, years: { min, max } });
  if (VIEWS[view].periods === 'one')
    return (
      <SelectField
        id="explore-year"
        label={label}
        value={String(oneYear(years) ?? latestYear(state, years) ?? '')}
        options={options.reverse()}
        onValue={year => ask(Number(year), Number(year))}
      />
    );
  return (
    <fieldset class="field explore-years">
      <legend>{label}</legend>
      <div>
        <Select
          aria-label={`${label}: ${t.panel.from}`}
          value={String(from)}
          options={options}
          onValue={year => ask(Number(year), Math.max(Number(year), to))}
        />
        <span aria-hidden="true">{t.panel.to}</span>
        <Select
          aria-label={`${label}: ${t.panel.to}`}
          value={String(to)}
          options={options}
          onValue={year => ask(Math.min(Number(year), from), Number(year))}
        />
      </div>
    </fieldset>
  );
}

function MomentField({ state, onState }: FormProps) {
  const { timeline } = state.dataset;
  const ends = momentEnds(state.dataset, state.detail);
  const shown = momentOf(state) ?? ends?.last ?? null;
  const [at, setAt] = useState(shown);
  useEffect(() => setAt(shown), [shown]);
  if (timeline === null || ends === null || at === null) return null;
  const { first, last } = ends;
  const label = titleName(nameUnit(timeline));
  const ask = (place: number) => onState(withMoment(state, place));
  const isInstant = timeline.unit === 'instant';
  const id = isInstant ? 'explore-moment' : 'explore-slider';
  // A browser's date field takes no time zone.
  const fieldText = (place: number) => timeline.text(place, '').replace(/Z$/, '');
  return (
    <div class="explore-slider">
      <label for={id}>{label}</label>
      {!isInstant && (
        <input
          id="explore-slider"
          type="range"
          min={first}
          max={last}
          step={1}
          value={at}
          aria-valuetext={timeline.label(at)}
          // Moving shows the period; letting go asks for its rows.
          onInput={event => setAt(Number(event.currentTarget.value))}
          onChange={event => ask(Number(event.currentTarget.value))}
        />
      )}
      {(isInstant || timeline.unit === 'day') && (
        <input
          id="explore-moment"
          type={isInstant ? 'datetime-local' : 'date'}
          step={1}
          aria-label={label}
          min={fieldText(first)}
          max={fieldText(last)}
          value={fieldText(at)}
          onChange={event => {
            const place = timeline.at(event.currentTarget.value);
            if (place !== null && place >= first && place <= last) ask(place);
          }}
        />
      )}
      <output for={id}>{timeline.label(at)}</output>
    </div>
  );
}
