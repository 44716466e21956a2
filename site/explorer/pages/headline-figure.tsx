/** The headline of a dataset's page: one large figure, and its line over the years. */
import type { SchemaDocument } from '../../../build/format/schema.ts';
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
} from '../view/format.ts';
import { describeLine, LineChart } from '../view/line-chart.tsx';
import { lineEnds } from '../view/line-path.ts';
import { describePooling } from '../view/notices.ts';
import { describeStart } from '../view/wording.ts';
import type { Headline } from './headline.ts';
import { TableScroll } from './text.tsx';

export interface HeadlineProps {
  readonly headline: Headline;
  readonly explored: ExploredDataset;
  readonly sample: boolean;
}

export function HeadlineFigure({ headline, explored, sample }: HeadlineProps) {
  const { metric, points } = headline;
  const { column } = metric;
  const latest = points.at(-1);
  if (latest === undefined) return null;
  const breaks = explored.comparability.breaksOf(column.name, headline.level.name);
  // A reader of the figure alone must know that it does not compare with the year before.
  const before = points.at(-2)?.year;
  const apart = breaks.find(({ after }) => before !== undefined && after >= before && after < latest.year);
  const name = headlineName(headline);
  const run = describeLine(
    points,
    column.unit,
    breaks.map(one => one.after),
  );
  const figure = latest.value === null ? NULL_MARK : formatNumber(latest.value, column.unit);
  const unit = spellUnit(column.unit);
  return (
    <section class="headline" aria-labelledby="headline">
      <div>
        <h2 id="headline">
          {name}, {latest.year}
        </h2>
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
        {latest.value === null && <NoFigure headline={headline} />}
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
            label={`${name} over the years. ${run}`}
            width={640}
            height={330}
          />
          <figcaption>
            {name}
            {unit && ` (${unit})`}. {run} {describeStart(lineEnds(points), column.unit)}{' '}
            <Gaps headline={headline} />
            {breaks.map(({ after, reason }) => (
              <span key={after}>
                {' '}
                The line breaks after {after}: {reason}
              </span>
            ))}
            {explored.comparability.pooledYears !== null &&
              ` ${describePooling(explored.comparability.pooledYears)}`}
          </figcaption>
          <Figures headline={headline} schema={explored.schema} name={name} />
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

function NoFigure({ headline: { metric, points } }: { readonly headline: Headline }) {
  const known = points.findLast(point => point.value !== null);
  return (
    <p>
      This year has no {points.at(-1)?.hasRow ? 'figure' : 'row for this choice'}.{' '}
      {points.at(-1)?.hasRow && metric.column.null_meaning}
      {known && (
        <>
          {' '}
          The last figure is {formatNumber(known.value ?? 0, metric.column.unit)}, for {known.year}.
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

function Gaps({ headline: { points, metric } }: { readonly headline: Headline }) {
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

function Figures(props: {
  readonly headline: Headline;
  readonly schema: SchemaDocument;
  readonly name: string;
}) {
  const { points, metric } = props.headline;
  const margins = points.some(point => point.margin !== null);
  return (
    <details>
      <summary>Show the figures as a table</summary>
      <TableScroll label={`${props.name} by year`}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Year</th>
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
                <th scope="row">{year}</th>
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
    </details>
  );
}
