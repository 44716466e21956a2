/** Fields for ranges of dates and numbers: the reader adds a column, and writes one or both ends. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Scalar } from '../../../../build/format/documents.ts';
import type { StatisticsDocument } from '../../../../build/format/statistics.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { columnOf, deriveBins } from '../../view/facets.ts';
import { countOf } from '../../view/format.ts';
import type { Question } from '../../view/question.ts';
import {
  chosenEnds,
  describeEnd,
  describeRange,
  type End,
  listRanges,
  type Range,
  showEnd,
  withRange,
} from '../../view/ranges.ts';

interface RangeFieldsProps {
  /** Null until they are there. */
  readonly statistics: StatisticsDocument | null;
  readonly dataset: ExploredDataset;
  readonly question: Question;
  onQuestion(question: Question): void;
}

export function RangeFields(props: RangeFieldsProps & { readonly without: string | null }) {
  const { dataset, question, statistics, without, onQuestion } = props;
  const [added, setAdded] = useState<readonly string[]>([]);
  const adder = useRef<HTMLSelectElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const ranges = listRanges(dataset).filter(({ column }) => column !== without);
  const isSet = (range: Range) => describeRange(range, question) !== null;
  const shown = ranges.filter(range => isSet(range) || added.includes(range.column));
  const others = ranges.filter(range => !shown.includes(range));
  if (ranges.length === 0) return null;
  const add = (column: string) => {
    setAdded([...added, column]);
    setTimeout(() =>
      box.current?.querySelector<HTMLElement>(`[data-range="${CSS.escape(column)}"] input`)?.focus(),
    );
  };
  const remove = (range: Range) => {
    setAdded(added.filter(column => column !== range.column));
    const cleared = withRange(dataset, question, range, { min: '', max: '' });
    if ('question' in cleared) onQuestion(cleared.question);
    setTimeout(() => adder.current?.focus());
  };
  return (
    <div ref={box}>
      {shown.map(range => (
        <RangeField
          key={range.column}
          dataset={dataset}
          range={range}
          question={question}
          statistics={statistics}
          onQuestion={onQuestion}
          onRemove={() => remove(range)}
        />
      ))}
      <div class="field">
        <label for="explore-ranges">Only rows within a range of</label>
        <select
          id="explore-ranges"
          ref={adder}
          value=""
          disabled={others.length === 0}
          onChange={event => add(event.currentTarget.value)}
        >
          <option value="">Choose a figure or a date</option>
          {others.map(({ column, label }) => (
            <option key={column} value={column}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

interface RangeFieldProps extends RangeFieldsProps {
  readonly range: Range;
  onRemove(): void;
}

const ENDS = [
  ['min', 'from'],
  ['max', 'to'],
] as const;

function RangeField(props: RangeFieldProps) {
  const { dataset, range, question, statistics, onQuestion, onRemove } = props;
  const { min, max } = chosenEnds(range, question);
  const [texts, setTexts] = useState({ min: showEnd(range, min), max: showEnd(range, max) });
  const [wrong, setWrong] = useState<{ readonly end: End; readonly error: string } | null>(null);
  const id = `explore-range-${range.column}`;
  // The address may change an end: the way back, another link. What is being written in the other one stays.
  const follow = (end: End, value: string | null) => {
    setTexts(now => ({ ...now, [end]: showEnd(range, value) }));
    setWrong(null);
  };
  // An effect after the next key would empty the field again, or remove the message about that key.
  useLayoutEffect(() => follow('min', min), [min]);
  useLayoutEffect(() => follow('max', max), [max]);
  const write = (end: End, text: string) => {
    const next = { ...texts, [end]: text };
    setTexts(next);
    const read = withRange(dataset, question, range, next);
    setWrong('error' in read ? read : null);
    if ('question' in read) onQuestion(read.question);
  };
  const unit = range.unit === 'proportion' ? ' (percent)' : '';
  return (
    <fieldset class="field explore-range" data-range={range.column}>
      <legend>
        {range.label}
        {unit}
      </legend>
      {statistics !== null && <Histogram statistics={statistics} range={range} texts={texts} />}
      <div class="explore-pair">
        {ENDS.map(([end, word]) =>
          range.ends.has(end) ? (
            <input
              key={end}
              type="text"
              inputMode={range.type === 'date' || range.type === 'timestamp' ? 'text' : 'decimal'}
              placeholder={word}
              aria-label={`${range.label}${unit}: ${word}`}
              aria-invalid={wrong?.end === end}
              aria-describedby={wrong?.end === end ? `${id}-error` : undefined}
              value={texts[end]}
              onInput={event => setTexts({ ...texts, [end]: event.currentTarget.value })}
              onChange={event => write(end, event.currentTarget.value)}
            />
          ) : null,
        )}
        <button
          type="button"
          class="button quiet small"
          aria-label={`Remove the range of ${range.label}`}
          onClick={onRemove}
        >
          ×
        </button>
      </div>
      {wrong !== null && (
        <span id={`${id}-error`} class="explore-error" role="alert">
          {wrong.error}
        </span>
      )}
    </fieldset>
  );
}

interface HistogramProps {
  readonly statistics: StatisticsDocument;
  readonly range: Range;
  readonly texts: Readonly<Record<End, string>>;
}

const BAR = { width: 5, height: 28 };

/** How the values of all years of the level lie between the least and the greatest. */
function Histogram({ statistics, range, texts }: HistogramProps) {
  const column = columnOf(statistics, range.column);
  const bins = column && deriveBins(column, range, texts);
  if (!bins) return null;
  const width = bins.length * BAR.width;
  const lacking = column.nulls.reduce((sum, count) => sum + count, 0);
  const say = (value: Scalar | null | undefined) => describeEnd(range, String(value));
  return (
    <>
      <svg
        class="explore-histogram"
        viewBox={`0 0 ${width} ${BAR.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bins.map(({ height, isWithin }, i) => (
          <rect
            key={i}
            x={i * BAR.width}
            y={BAR.height * (1 - height)}
            width={BAR.width - 1}
            height={BAR.height * height}
            data-within={isWithin}
          />
        ))}
      </svg>
      <span class="hint">
        {say(column.min)} to {say(column.max)} in all years
        {lacking === 0 ? '' : `; ${countOf(lacking, 'row')} without a value`}
      </span>
    </>
  );
}
