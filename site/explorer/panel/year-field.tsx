/** The field for a range of years. */
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { levelOf, type Question, type ViewState } from '../view/question.ts';

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
