/** The period of bars and maps: a slider over the level's years, or a field for a shorter period. */
import { useEffect, useState } from 'preact/hooks';
import type { ExploredDataset } from '../../view/dataset.ts';
import { hasMoments } from '../../view/moment.ts';
import { latestYear, levelOf, oneYear, type Question } from '../../view/question.ts';
import { MomentField } from './moment-field.tsx';

interface YearSliderProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  onQuestion(question: Question): void;
}

export function YearSlider(props: YearSliderProps) {
  return hasMoments(props.dataset) ? <MomentField {...props} /> : <Years {...props} />;
}

function Years({ dataset, question, onQuestion }: YearSliderProps) {
  const { years } = levelOf(dataset, question.detail);
  const shown = oneYear(question.years) ?? latestYear(dataset, question.detail, question.years);
  const [year, setYear] = useState(shown);
  useEffect(() => setYear(shown), [shown]);
  if (years.length < 2) return null;
  const label = dataset.schema.columns.find(({ name }) => name === dataset.yearColumn)?.label || 'Year';
  const at = Math.max(0, years.indexOf(year ?? Number.NaN));
  return (
    <div class="explore-slider">
      <label for="explore-slider">{label}</label>
      <input
        id="explore-slider"
        type="range"
        min={0}
        max={years.length - 1}
        step={1}
        value={at}
        aria-valuetext={String(year ?? '')}
        // Moving shows the year; letting go asks for its rows.
        onInput={event => setYear(years[Number(event.currentTarget.value)] ?? null)}
        onChange={event => {
          const chosen = years[Number(event.currentTarget.value)] ?? null;
          onQuestion({ ...question, years: { min: chosen, max: chosen } });
        }}
      />
      <output for="explore-slider">{year ?? ''}</output>
    </div>
  );
}
