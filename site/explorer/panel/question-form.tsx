/** The fields of a view: measure, places, level, groups and time in one line; the rest is folded. */
import { useEffect, useState } from 'preact/hooks';
import type { StatisticsDocument } from '../../../build/format/documents.ts';
import { t } from '../messages/messages.ts';
import { valuesWithRows } from '../view/choices.ts';
import { hasPlaceNames } from '../view/chosen-places.ts';
import { type ExploredDataset, type Field, levelTitle } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { hasMoments, momentEnds, momentOf, withMoment } from '../view/moment.ts';
import {
  describeRange,
  latestYear,
  levelOf,
  listRanges,
  oneYear,
  type Years,
  withDetail,
  withoutRange,
  withValues,
} from '../view/question.ts';
import { nameUnit } from '../view/timeline.ts';
import { comparedAxis, VIEWS, withComparison } from '../view/views.ts';
import { type FormProps, PlacePicker, SearchField } from './search-fields.tsx';

interface QuestionFormProps extends FormProps {
  /** Null until they are read. */
  readonly statistics: StatisticsDocument | null;
  /** False in the page as the build renders it, before its script runs. */
  readonly isLive: boolean;
}

/** A field with more values is a search field. */
const MOST_LISTED = 40;
/** A field with more values doesn't mark those without rows. */
const MOST_COUNTED = 12;

export function QuestionForm({ statistics, isLive, ...form }: QuestionFormProps) {
  const { dataset, state, onState } = form;
  const { question, view, metric } = state;
  const { fields, levels, metrics, timeline } = dataset;
  const { isOfOnePeriod, isCompared } = VIEWS[view];
  const { places } = levelOf(dataset, question.detail);
  // Places with names have one field. The columns of larger places are then further filters.
  const isNamed = hasPlaceNames(dataset, question.detail);
  const searched = fields.filter(({ kind, column, choices }) =>
    kind === 'place' ? !isNamed && places.includes(column) : choices.length > MOST_LISTED,
  );
  const larger = fields.filter(
    ({ kind, column }) => kind === 'place' && isNamed && places.slice(0, -1).includes(column),
  );
  const listed = fields.filter(
    ({ kind, choices }) => kind !== 'place' && choices.length > 0 && choices.length <= MOST_LISTED,
  );
  const marks = listed.filter(({ kind }) => kind === 'mark');
  const axes = fields.filter(({ kind, choices }) => isCompared && kind === 'axis' && choices.length > 1);
  const chosen = [...marks, ...larger].filter(({ param }) => question.filters.has(param)).length;
  // Stays open when its last filter is removed, since the focus is in it.
  const [opened, setOpened] = useState(chosen > 0);
  const choiceField = (field: Field) => (
    <ChoiceField key={field.param} field={field} statistics={statistics} {...form} />
  );
  const searchField = (field: Field) => <SearchField key={field.param} field={field} {...form} />;
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
              value={question.detail}
              options={levels.map(({ name }) => [name, levelTitle(dataset, name)])}
              onValue={name => onState({ ...state, question: withDetail(dataset, question, name) })}
            />
          )}
          {listed.filter(({ kind }) => kind === 'axis').map(choiceField)}
          {searched.map(searchField)}
          {!isOfOnePeriod ? (
            timeline !== null && <YearRangeField {...form} />
          ) : hasMoments(dataset) ? (
            <MomentField {...form} />
          ) : (
            <YearField {...form} />
          )}
        </div>
        <RangeChips {...form} />
        {marks.length + larger.length + axes.length > 0 && (
          <details open={opened} onToggle={event => setOpened(event.currentTarget.open)}>
            <summary>{t.panel.more(chosen)}</summary>
            <div class="fields">
              {axes.length > 0 && (
                <SelectField
                  id="explore-by"
                  label={t.panel.compare}
                  value={comparedAxis(dataset, question)?.param ?? ''}
                  options={[
                    ['', t.panel.placesOnly],
                    ...axes.map(({ param, label }) => [param, label] as const),
                  ]}
                  onValue={name => {
                    const axis = axes.find(({ param }) => param === name) ?? null;
                    onState({ ...state, question: withComparison(dataset, question, axis) });
                  }}
                />
              )}
              {larger.map(searchField)}
              {marks.map(choiceField)}
            </div>
          </details>
        )}
      </fieldset>
    </form>
  );
}

interface SelectFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onValue(value: string): void;
}

function SelectField({ id, label, value, options, onValue }: SelectFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={event => onValue(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The ranges that the address sets. The form can only remove them. */
function RangeChips({ dataset, state, onState }: FormProps) {
  const { question } = state;
  return listRanges(dataset).map(range => {
    const words = describeRange(range, question);
    if (words === null) return null;
    return (
      <button
        key={range.column}
        type="button"
        class="chip"
        aria-label={t.panel.removeRange(range.label)}
        onClick={() => onState({ ...state, question: withoutRange(dataset, question, range) })}
      >
        <span>
          {range.label}: {words}
        </span>{' '}
        <span aria-hidden="true">×</span>
      </button>
    );
  });
}

interface ChoiceFieldProps extends FormProps, Pick<QuestionFormProps, 'statistics'> {
  readonly field: Field;
}

const ANY = '';
const SEVERAL = '…several';

function ChoiceField({ dataset, state, field, statistics, onState }: ChoiceFieldProps) {
  const { param, label, description, choices, kind } = field;
  const { question } = state;
  const values = question.filters.get(param);
  const present =
    statistics && choices.length <= MOST_COUNTED
      ? valuesWithRows(dataset, statistics, question, field)
      : null;
  const [listing, setListing] = useState(false);
  const several = listing || (values !== undefined && values.length > 1);
  const id = `explore-${param}`;
  const choose = (next: readonly string[]) =>
    onState({ ...state, question: withValues(dataset, question, param, next) });
  const toggle = (value: string, on: boolean) => {
    const now = values ?? [];
    const next = on ? [...now, value] : now.filter(one => one !== value);
    // An empty list would mean any value, so the last ticked box stays ticked.
    if (next.length > 0) choose(next);
  };
  const noRows = (value: string) => (present?.has(value) === false ? ` – ${t.panel.noRows}` : '');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        aria-describedby={description === '' ? undefined : `${id}-hint`}
        value={several ? SEVERAL : (values?.[0] ?? ANY)}
        onChange={event => {
          const { value } = event.currentTarget;
          setListing(value === SEVERAL);
          if (value !== SEVERAL) choose(value === ANY ? [] : [value]);
          else if (values === undefined) choose(choices.slice(0, 2).map(choice => choice.value));
        }}
      >
        {choices.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
            {value === field.total ? ` (${t.panel.total})` : ''}
            {noRows(value)}
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
          {choices.map(({ value, label: name }) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={values?.includes(value) ?? true}
                onChange={event => {
                  toggle(value, event.currentTarget.checked);
                  // Ticks the box again if it is the last one.
                  event.currentTarget.checked = values?.includes(value) ?? true;
                }}
              />
              <span>
                {name}
                {noRows(value)}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function yearLabel({ schema, yearColumn }: ExploredDataset): string {
  return schema.columns.find(({ name }) => name === yearColumn)?.label || t.nouns.year;
}

function YearRangeField({ dataset, state, onState }: FormProps) {
  const { question } = state;
  const { min, max } = question.years;
  const { years } = levelOf(dataset, question.detail);
  const label = yearLabel(dataset);
  const [from, to] = [min ?? years[0] ?? null, max ?? years.at(-1) ?? null];
  // The address may ask for years that the level doesn't have.
  const listed = [...new Set([...years, ...[min, max].filter(year => year !== null)])].sort((a, b) => a - b);
  const yearSelect = (name: string, shown: number | null, rangeWith: (year: number) => Years) => (
    <select
      aria-label={`${label}: ${name}`}
      value={shown ?? ''}
      onChange={event => {
        const range = rangeWith(Number(event.currentTarget.value));
        onState({ ...state, question: { ...question, years: range } });
      }}
    >
      {listed.map(year => (
        <option key={year} value={year}>
          {year}
        </option>
      ))}
    </select>
  );
  return (
    <fieldset class="field explore-years">
      <legend>{label}</legend>
      <div class="explore-pair">
        {yearSelect(t.panel.from, from, year => ({
          min: year,
          max: to === null ? null : Math.max(year, to),
        }))}
        <span aria-hidden="true">{t.panel.to}</span>
        {yearSelect(t.panel.to, to, year => ({
          min: from === null ? null : Math.min(year, from),
          max: year,
        }))}
      </div>
    </fieldset>
  );
}

function YearField({ dataset, state, onState }: FormProps) {
  const { question } = state;
  const { years } = levelOf(dataset, question.detail);
  const shown = oneYear(question.years) ?? latestYear(dataset, question.detail, question.years);
  if (years.length === 0) return null;
  return (
    <SelectField
      id="explore-year"
      label={yearLabel(dataset)}
      value={String(shown ?? '')}
      options={years.map(year => [String(year), String(year)] as const).reverse()}
      onValue={text => {
        const year = Number(text);
        onState({ ...state, question: { ...question, years: { min: year, max: year } } });
      }}
    />
  );
}

function MomentField({ dataset, state, onState }: FormProps) {
  const { timeline } = dataset;
  const { question } = state;
  const ends = momentEnds(dataset, question.detail);
  const shown = momentOf(dataset, question) ?? ends?.last ?? null;
  const [at, setAt] = useState(shown);
  useEffect(() => setAt(shown), [shown]);
  if (timeline === null || ends === null || at === null) return null;
  const { first, last } = ends;
  const label = titleName(nameUnit(timeline));
  const ask = (place: number) => onState({ ...state, question: withMoment(dataset, question, place) });
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
