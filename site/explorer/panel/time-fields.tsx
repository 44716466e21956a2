/** The fields of a question's time: a range of years, one year, or a shorter period. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { hasMoments, momentEnds, momentOf, withMoment } from '../view/moment.ts';
import { latestYear, levelOf, oneYear, type Question, type ViewState } from '../view/question.ts';
import { nameUnit } from '../view/timeline.ts';

interface YearFieldProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  onQuestion(question: Question): void;
}

export function YearField({ dataset, state, onQuestion }: YearFieldProps) {
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

export function PeriodField(props: PeriodFieldProps) {
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
