/** The form for a question: figure, level, years, places, axes. */
import { useState } from 'preact/hooks';
import { hasPlaceNames } from '../../view/chosen-places.ts';
import type { ExploredDataset, Field } from '../../view/dataset.ts';
import { deriveFacet } from '../../view/facets.ts';
import { countOf } from '../../view/format.ts';
import { levelTitle } from '../../view/levels.ts';
import { hasMoments } from '../../view/moment.ts';
import { levelOf, type Question, type ViewState, withDetail, withValues } from '../../view/question.ts';
import { describeRange, listRanges } from '../../view/ranges.ts';
import { comparedAxis, withComparison } from '../../view/views.ts';
import { ChoiceField } from './choice-field.tsx';
import { PlacePicker } from './place-picker.tsx';
import { RangeFields } from './range-fields.tsx';
import { SearchField } from './search-field.tsx';
import { useStatistics } from './statistics.ts';
import { YearField } from './year-field.tsx';

interface QuestionFormProps {
  readonly dataset: ExploredDataset;
  readonly state: ViewState;
  readonly root: URL;
  onState(state: ViewState): void;
}

/** A field with more values is a search field. */
const MOST_LISTED = 40;

export function QuestionForm({ dataset, state, root, onState }: QuestionFormProps) {
  const { question, view, metric } = state;
  const onQuestion = (next: Question) => onState({ ...state, question: next });
  const picked = hasPlaceNames(dataset, question.detail);
  const { places } = levelOf(dataset, question.detail);
  const drawn = view !== 'table';
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
  const ranges = listRanges(dataset);
  const statistics = useStatistics(dataset, question.detail, root);
  const facetOf = (field: Field) => statistics && deriveFacet(dataset, statistics, question, field);
  // Bars and maps have a control of their own for the day, the month or the moment.
  const hasOwnTime = (view === 'bars' || view === 'map') && hasMoments(dataset);
  const chosen =
    [...more, ...within].filter(field => question.filters.has(field.param)).length +
    ranges.filter(range => describeRange(range, question) !== null).length;
  // Stays open when its last filter is removed, since the focus is in it.
  const [opened, setOpened] = useState(chosen > 0);
  const axes = dataset.fields.filter(field => field.kind === 'axis' && field.choices.length > 1);
  return (
    <form class="explore-form" aria-label="Question" onSubmit={event => event.preventDefault()}>
      <div class="fields">
        {drawn && (
          <div class="field">
            <label for="explore-metric">Figure</label>
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
        <div class="field">
          <label for="explore-detail">Level</label>
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
        {(view === 'table' || view === 'chart') && dataset.timeline !== null && (
          <YearField dataset={dataset} state={state} onQuestion={onQuestion} />
        )}
        {searched.map(field => (
          <SearchField
            key={field.param}
            dataset={dataset}
            field={field}
            question={question}
            onQuestion={onQuestion}
          />
        ))}
        {drawn && view !== 'map' && axes.length > 0 && (
          <div class="field">
            <label for="explore-by">Compare</label>
            <select
              id="explore-by"
              value={comparedAxis(dataset, question)?.param ?? ''}
              onChange={event => {
                const field = axes.find(({ param }) => param === event.currentTarget.value) ?? null;
                onQuestion(withComparison(dataset, question, field));
              }}
            >
              <option value="">Places only</option>
              {axes.map(({ param, label }) => (
                <option key={param} value={param}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        )}
        {main.map(field => (
          <ChoiceField
            key={field.param}
            field={field}
            facet={facetOf(field)}
            values={question.filters.get(field.param) ?? null}
            onValues={values => onQuestion(withValues(dataset, question, field.param, values))}
          />
        ))}
      </div>
      {more.length + within.length + ranges.length > 0 && (
        <details open={opened} onToggle={event => setOpened(event.currentTarget.open)}>
          <summary>More filters{chosen > 0 ? ` (${countOf(chosen, 'filter')} set)` : ''}</summary>
          <div class="fields">
            {within.map(field => (
              <SearchField
                key={field.param}
                dataset={dataset}
                field={field}
                question={question}
                onQuestion={onQuestion}
              />
            ))}
            {more.map(field => (
              <ChoiceField
                key={field.param}
                field={field}
                facet={facetOf(field)}
                values={question.filters.get(field.param) ?? null}
                onValues={values => onQuestion(withValues(dataset, question, field.param, values))}
              />
            ))}
            <RangeFields
              dataset={dataset}
              question={question}
              statistics={statistics}
              without={hasOwnTime ? (dataset.timeline?.column ?? null) : null}
              onQuestion={onQuestion}
            />
          </div>
        </details>
      )}
    </form>
  );
}
