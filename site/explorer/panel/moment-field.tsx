/** The day, month, quarter or moment of bars and maps: a slider over the level's periods, or a field for its value. */
import { useEffect, useState } from 'preact/hooks';
import type { ExploredDataset } from '../view/dataset.ts';
import { titleName } from '../view/format.ts';
import { momentEnds, momentOf, withMoment } from '../view/moment.ts';
import type { Question } from '../view/question.ts';
import { nameUnit } from '../view/timeline.ts';

interface MomentFieldProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  onQuestion(question: Question): void;
}

export function MomentField({ dataset, question, onQuestion }: MomentFieldProps) {
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
