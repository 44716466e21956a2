/** The period of bars and maps: a year of the level, or a field for a shorter period. */
import { t } from '../messages/messages.ts';
import type { ExploredDataset } from '../view/dataset.ts';
import { hasMoments } from '../view/moment.ts';
import { latestYear, levelOf, oneYear, type Question } from '../view/question.ts';
import { MomentField } from './moment-field.tsx';

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
