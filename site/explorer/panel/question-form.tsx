/** The choices of a view in one line: figure, places, level, groups and time. The rest is folded. */
import { useEffect, useState } from 'preact/hooks';
import type { StatisticsDocument } from '../../../build/format/statistics.ts';
import { t } from '../messages/messages.ts';
import { deriveFacet, type Facet } from '../view/choices.ts';
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
  type Question,
  type Range,
  type ViewState,
  withDetail,
  withoutRange,
  withValues,
} from '../view/question.ts';
import { nameUnit } from '../view/timeline.ts';
import { comparedAxis, VIEWS, withComparison } from '../view/views.ts';
import { PlacePicker, SearchField } from './search-fields.tsx';

interface QuestionFormProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  /** Null until they are there. */
  readonly statistics: StatisticsDocument | null;
  /** Whether the script answers. */
  readonly isLive: boolean;
  onState(state: ViewState): void;
}

/** A field with more values is a search field. */
const MOST_LISTED = 40;
/** A field with more values doesn't count the rows of each. */
const MOST_COUNTED = 12;

export function QuestionForm({ dataset, state, statistics, isLive, onState }: QuestionFormProps) {
  const { question, view, metric } = state;
  const { isOfOnePeriod } = VIEWS[view];
  const onQuestion = (next: Question) => onState({ ...state, question: next });
  const picked = hasPlaceNames(dataset, question.detail);
  const { places } = levelOf(dataset, question.detail);
  const leaf = places.at(-1);
  // Places with names have one field; the columns of larger places then narrow a level as filters do.
  const shown = dataset.fields.filter(
    field => field.kind !== 'place' || (places.includes(field.column) && !(picked && field.column === leaf)),
  );
  const searched = shown.filter(
    field =>
      (field.kind === 'place' && !picked) || (field.kind !== 'place' && field.choices.length > MOST_LISTED),
  );
  const within = shown.filter(field => field.kind === 'place' && picked);
  const listed = shown.filter(
    field => field.kind !== 'place' && !searched.includes(field) && field.choices.length > 0,
  );
  const main = listed.filter(field => field.kind === 'axis');
  const more = listed.filter(field => field.kind === 'mark');
  const ranges = listRanges(dataset).filter(range => describeRange(range, question) !== null);
  const axes = dataset.fields.filter(field => field.kind === 'axis' && field.choices.length > 1);
  const isCompared = VIEWS[view].isCompared && axes.length > 0;
  const chosen = [...more, ...within].filter(field => question.filters.has(field.param)).length;
  // Stays open when its last filter is removed, since the focus is in it.
  const [opened, setOpened] = useState(chosen > 0);
  const listedField = (field: Field) => (
    <ChoiceField
      key={field.param}
      field={field}
      facet={
        statistics && field.choices.length <= MOST_COUNTED
          ? deriveFacet(dataset, statistics, question, field)
          : null
      }
      values={question.filters.get(field.param) ?? null}
      onValues={values => onQuestion(withValues(dataset, question, field.param, values))}
    />
  );
  const searchedField = (field: Field) => (
    <SearchField
      key={field.param}
      dataset={dataset}
      field={field}
      question={question}
      onQuestion={onQuestion}
    />
  );
  return (
    <form
      class="explore-form needs-script"
      aria-label={t.panel.question}
      onSubmit={event => event.preventDefault()}
    >
      <fieldset disabled={!isLive}>
        <div class="fields">
          {view !== 'table' && (
            <div class="field">
              <label for="explore-metric">{t.panel.figure}</label>
              <select
                id="explore-metric"
                value={metric ?? ''}
                onChange={event => onState({ ...state, metric: event.currentTarget.value })}
              >
                {dataset.metrics.map(one => (
                  <option key={one.column.name} value={one.column.name}>
                    {one.column.label}
                  </option>
                ))}
              </select>
            </div>
          )}
          <PlacePicker dataset={dataset} state={state} onState={onState} />
          {dataset.levels.length > 1 && (
            <div class="field">
              <label for="explore-detail">{t.panel.level}</label>
              <select
                id="explore-detail"
                value={question.detail}
                onChange={event => onQuestion(withDetail(dataset, question, event.currentTarget.value))}
              >
                {dataset.levels.map(({ name }) => (
                  <option key={name} value={name}>
                    {levelTitle(dataset, name)}
                  </option>
                ))}
              </select>
            </div>
          )}
          {main.map(listedField)}
          {searched.map(searchedField)}
          {isOfOnePeriod ? (
            <PeriodField dataset={dataset} question={question} onQuestion={onQuestion} />
          ) : (
            dataset.timeline !== null && <YearField dataset={dataset} state={state} onQuestion={onQuestion} />
          )}
        </div>
        {ranges.map(range => (
          <RangeChip
            key={range.column}
            dataset={dataset}
            range={range}
            question={question}
            onQuestion={onQuestion}
          />
        ))}
        {(more.length + within.length > 0 || isCompared) && (
          <details open={opened} onToggle={event => setOpened(event.currentTarget.open)}>
            <summary>{t.panel.more(chosen)}</summary>
            <div class="fields">
              {isCompared && (
                <div class="field">
                  <label for="explore-by">{t.panel.compare}</label>
                  <select
                    id="explore-by"
                    value={comparedAxis(dataset, question)?.param ?? ''}
                    onChange={event => {
                      const field = axes.find(({ param }) => param === event.currentTarget.value) ?? null;
                      onQuestion(withComparison(dataset, question, field));
                    }}
                  >
                    <option value="">{t.panel.placesOnly}</option>
                    {axes.map(({ param, label }) => (
                      <option key={param} value={param}>
                        {label}
                      </option>
                    ))}
                  </select>
                </div>
              )}
              {within.map(searchedField)}
              {more.map(listedField)}
            </div>
          </details>
        )}
      </fieldset>
    </form>
  );
}

interface RangeChipProps {
  readonly dataset: ExploredDataset;
  readonly range: Range;
  readonly question: Question;
  onQuestion(question: Question): void;
}

/** A range that the address sets, to be removed. */
function RangeChip({ dataset, range, question, onQuestion }: RangeChipProps) {
  const remove = () => onQuestion(withoutRange(dataset, question, range));
  return (
    <button type="button" class="chip" aria-label={t.panel.removeRange(range.label)} onClick={remove}>
      <span>
        {range.label}: {describeRange(range, question)}
      </span>{' '}
      <span aria-hidden="true">×</span>
    </button>
  );
}

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

function ChoiceField({ field, facet, values, onValues }: ChoiceFieldProps) {
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
  return facet !== null && (facet.get(value) ?? 0) === 0 ? ` – ${t.panel.noRows}` : '';
}

interface YearFieldProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  onQuestion(question: Question): void;
}

function YearField({ dataset, state, onQuestion }: YearFieldProps) {
  const { question } = state;
  const { years } = levelOf(dataset, question.detail);
  const { schema, yearColumn } = dataset;
  const label = schema.columns.find(({ name }) => name === yearColumn)?.label || t.panel.year;
  const [first, last] = [years[0] ?? null, years.at(-1) ?? null];
  const ask = (min: number | null, max: number | null) => onQuestion({ ...question, years: { min, max } });
  const list = withAsked(years, question);
  const options = list.map(year => (
    <option key={year} value={year}>
      {year}
    </option>
  ));
  const from = question.years.min ?? first;
  const to = question.years.max ?? last;
  return (
    <fieldset class="field explore-years">
      <legend>{label}</legend>
      <div class="explore-pair">
        <select
          aria-label={`${label}: ${t.panel.from}`}
          value={from ?? ''}
          onChange={event => {
            const year = Number(event.currentTarget.value);
            ask(year, to === null ? null : Math.max(year, to));
          }}
        >
          {options}
        </select>
        <span aria-hidden="true">{t.panel.to}</span>
        <select
          aria-label={`${label}: ${t.panel.to}`}
          value={to ?? ''}
          onChange={event => {
            const year = Number(event.currentTarget.value);
            ask(from === null ? null : Math.min(year, from), year);
          }}
        >
          {options}
        </select>
      </div>
    </fieldset>
  );
}

/** Lists the level's years, and the question's own: a reader must see a choice to change it. */
function withAsked(years: readonly number[], { years: { min, max } }: Question): number[] {
  const asked = [min, max].filter(year => year !== null);
  return [...new Set([...years, ...asked])].sort((a, b) => a - b);
}

interface PeriodFieldProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  onQuestion(question: Question): void;
}

function PeriodField(props: PeriodFieldProps) {
  return hasMoments(props.dataset) ? <MomentField {...props} /> : <Years {...props} />;
}

function Years({ dataset, question, onQuestion }: PeriodFieldProps) {
  const { years } = levelOf(dataset, question.detail);
  const shown = oneYear(question.years) ?? latestYear(dataset, question.detail, question.years);
  if (years.length === 0) return null;
  const label = dataset.schema.columns.find(({ name }) => name === dataset.yearColumn)?.label || t.panel.year;
  return (
    <div class="field">
      <label for="explore-year">{label}</label>
      <select
        id="explore-year"
        value={String(shown ?? '')}
        onChange={event => {
          const year = Number(event.currentTarget.value);
          onQuestion({ ...question, years: { min: year, max: year } });
        }}
      >
        {[...years].reverse().map(year => (
          <option key={year} value={String(year)}>
            {year}
          </option>
        ))}
      </select>
    </div>
  );
}

interface MomentFieldProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  onQuestion(question: Question): void;
}

function MomentField({ dataset, question, onQuestion }: MomentFieldProps) {
  const { timeline } = dataset;
  const ends = momentEnds(dataset, question.detail);
  const shown = momentOf(dataset, question) ?? ends?.last ?? null;
  const [at, setAt] = useState(shown);
  useEffect(() => setAt(shown), [shown]);
  if (timeline === null || ends === null || at === null) return null;
  const { first, last } = ends;
  const label = titleName(nameUnit(timeline));
  const ask = (place: number) => onQuestion(withMoment(dataset, question, place));
  const isDated = timeline.unit === 'day' || timeline.unit === 'instant';
  // A field of a browser shows a moment without its zone.
  const fieldText = (place: number) => timeline.text(place, '').replace(/Z$/, '');
  return (
    <div class="explore-slider">
      <label for={timeline.unit === 'instant' ? 'explore-moment' : 'explore-slider'}>{label}</label>
      {timeline.unit !== 'instant' && (
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
      {isDated && (
        <input
          id="explore-moment"
          type={timeline.unit === 'day' ? 'date' : 'datetime-local'}
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
      <output for={timeline.unit === 'instant' ? 'explore-moment' : 'explore-slider'}>
        {timeline.label(at)}
      </output>
    </div>
  );
}
