/** The headline of a dataset's page: one large figure, and its line over time. */
import type { ExploredDataset } from '../view/dataset.ts';
import {
  countOf,
  formatInterval,
  formatMargin,
  formatNumber,
  formatRuns,
  missingYears,
  NULL_MARK,
  spellName,
  spellUnit,
  titleName,
} from '../view/format.ts';
import { describeLine, LineChart } from '../view/line-chart.tsx';
import { lineEnds } from '../view/line-path.ts';
import { describePooling } from '../view/notices.ts';
import type { Timeline } from '../view/timeline.ts';
import { describeStart } from '../view/wording.ts';
import type { Headline, HeadlinePoint } from './headline.ts';
import { TableScroll } from './text.tsx';

interface HeadlineProps {
  readonly headline: Headline;
  readonly explored: ExploredDataset;
  readonly sample: boolean;
}

export function HeadlineFigure({ headline, explored, sample }: HeadlineProps) {
  const { metric, points } = headline;
  const { column } = metric;
  const { timeline } = explored;
  const yearOf = timeline?.yearOf ?? (at => at);
  const latest = points.at(-1);
  if (latest === undefined) return null;
  const breaks = explored.comparability.breaksOf(column.name, headline.level.name);
  // A reader of the figure alone must know that it does not compare with the year before.
  const before = points.at(-2)?.year;
  const apart = breaks.find(
    ({ after }) => before !== undefined && after >= yearOf(before) && after < yearOf(latest.year),
  );
  const name = headlineName(headline);
  const run = describeLine(
    points,
    column.unit,
    breaks.map(one => one.after),
    timeline,
  );
  const figure = latest.value === null ? NULL_MARK : formatNumber(latest.value, column.unit);
  const unit = spellUnit(column.unit);
  return (
    <section class="headline" aria-labelledby="headline">
      <div>
        <h2 id="headline">{timeline === null ? name : `${name}, ${timeline.label(latest.year)}`}</h2>
        <p class="figure">
          {latest.value === null ? <span class="visually-hidden">No figure</span> : null}
          <span aria-hidden={latest.value === null ? 'true' : undefined}>{figure}</span>
          {unit && <small> {unit}</small>}
        </p>
        {latest.value !== null && latest.margin !== null && (
          <p>
            Margin of error: {formatMargin(latest.margin, column.unit)}. The true figure is likely between{' '}
            {formatInterval(latest.value, latest.margin, column.unit).join(' and ')}.
          </p>
        )}
        {latest.value === null && <NoFigure headline={headline} timeline={timeline} />}
        {timeline?.unit === 'instant' && <p>This is the latest moment, not a whole day or year.</p>}
        {apart && <p>Not comparable with earlier years: {apart.reason}</p>}
        <p class="hint">{describeScope(headline, explored)}</p>
        {sample && <p class="hint">This figure is invented: it is sample data.</p>}
      </div>
      {points.length > 1 && (
        <figure class="chart">
          <LineChart
            points={points}
            unit={column.unit}
            breaks={breaks.map(one => one.after)}
            timeline={timeline}
            label={`${name} over ${timeline === null || timeline.unit === 'year' ? 'the years' : 'time'}. ${run}`}
            width={640}
            height={330}
          />
          <figcaption>
            {name}
            {unit && ` (${unit})`}. {run} {describeStart(lineEnds(points), column.unit)}{' '}
            {headline.cut && `The chart has the latest ${countOf(points.length, timeline?.noun ?? 'year')}. `}
            <Gaps headline={headline} timeline={timeline} />
            {breaks.map(({ after, reason }) => (
              <span key={after}>
                {' '}
                The line breaks after {after}: {reason}
              </span>
            ))}
            {explored.comparability.pooledYears !== null &&
              ` ${describePooling(explored.comparability.pooledYears)}`}
          </figcaption>
          <Figures headline={headline} timeline={timeline} name={name} />
        </figure>
      )}
    </section>
  );
}

/** Names the figure, with the values of axes that have no total. */
export function headlineName({ metric, of, pins }: Headline): string {
  const parts = pins.filter(pin => pin.isPart).map(pin => pin.value);
  return [metric.column.label, ...parts, ...(of === 'median' ? ['median'] : [])].join(', ');
}

interface TimedProps {
  readonly headline: Headline;
  readonly timeline: Timeline | null;
}

function NoFigure({ headline: { metric, points }, timeline }: TimedProps) {
  const known = points.findLast(point => point.value !== null);
  return (
    <p>
      {timeline === null ? 'There is' : `This ${timeline.noun} has`} no{' '}
      {points.at(-1)?.hasRow ? 'figure' : 'row for this choice'}.{' '}
      {points.at(-1)?.hasRow && metric.column.null_meaning}
      {known && (
        <>
          {' '}
          The last figure is {formatNumber(known.value ?? 0, metric.column.unit)}, for{' '}
          {timeline?.label(known.year) ?? known.year}.
        </>
      )}
    </p>
  );
}

/** Names the place, and the value of each axis, that the figure describes. */
function describeScope({ of, level, places, pins }: Headline, explored: ExploredDataset): string {
  const { area } = explored.schema;
  const where =
    of === 'whole'
      ? area === undefined
        ? `For the whole area (level: ${spellName(level.name)}).`
        : `For ${area}.`
      : `The median of ${countOf(places, 'place')} (level: ${spellName(level.name)}).`;
  const what = pins.map(pin => `${pin.label}: ${pin.value}.`).join(' ');
  return `${where} ${what}`.trim();
}

function Gaps({ headline: { points, metric }, timeline }: TimedProps) {
  // Thousands of days without rows are not listed: the line has gaps there.
  if (timeline !== null && timeline.unit !== 'year') return <>{describeGaps(points, timeline)}</>;
  const absent = missingYears(points.map(point => point.year));
  const yearsOf = (hasRow: boolean) =>
    points.filter(point => point.value === null && point.hasRow === hasRow).map(point => point.year);
  const without = yearsOf(false);
  const empty = yearsOf(true);
  if (absent.length + without.length + empty.length === 0) return null;
  return (
    <>
      {absent.length > 0 && `Not published: ${formatRuns(absent)}. `}
      {without.length > 0 && `No rows for this choice: ${formatRuns(without)}. `}
      {empty.length > 0 && `No figure: ${formatRuns(empty)}. ${metric.column.null_meaning ?? ''}`}
    </>
  );
}

/** Says how many periods between the first and the last have no figure; empty if all have one. */
function describeGaps(points: readonly HeadlinePoint[], timeline: Timeline): string {
  const [first, last] = [points[0]?.year ?? 0, points.at(-1)?.year ?? 0];
  const known = points.filter(point => point.value !== null).length;
  const missing = timeline.unit === 'instant' ? points.length - known : last - first + 1 - known;
  return missing > 0 ? `${countOf(missing, timeline.noun)} without a figure.` : '';
}

/** Rows of the table: a page of thousands would be too large. */
const MOST_LISTED = 100;

function Figures(props: TimedProps & { readonly name: string }) {
  const { timeline } = props;
  const { metric } = props.headline;
  const points = props.headline.points.slice(-MOST_LISTED);
  const noun = timeline?.noun ?? 'year';
  const margins = points.some(point => point.margin !== null);
  return (
    <details>
      <summary>Show the figures as a table</summary>
      <TableScroll label={`${props.name} by ${noun}`}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{titleName(noun)}</th>
              <th scope="col" class="number">
                {props.name}
              </th>
              {margins && (
                <th scope="col" class="number">
                  Margin of error
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {points.map(({ year, value, margin, hasRow }) => (
              <tr key={year}>
                <th scope="row">{timeline?.label(year) ?? year}</th>
                <td class={value === null ? 'number null' : 'number'}>
                  {value !== null ? formatNumber(value, metric.column.unit) : hasRow ? 'no figure' : 'no row'}
                </td>
                {margins && (
                  <td class="number">{margin === null ? '' : formatMargin(margin, metric.column.unit)}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {points.length < props.headline.points.length && (
        <p class="hint">These are the latest {points.length}. The table below has all of them.</p>
      )}
    </details>
  );
}
