/** The chart of an answer, drawn as the views of datasets are. */
import { useMemo, useState } from 'preact/hooks';
import { inTime } from '../../engine/patience.ts';
import { bars } from '../../panel/bars.tsx';
import { Figure } from '../../panel/figure.tsx';
import { lines } from '../../panel/lines.tsx';
import { pictureOf } from '../../panel/pictures.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { CommonWords } from '../../view/drawing.ts';
import { countOf, formatTick, titleName } from '../../view/format.ts';
import type { Rows } from '../../view/rows.ts';
import { ANSWER_QUESTION, type AnswerChoice, hasDoubles } from '../../view/sql-dataset.ts';
import { explain } from '../explanation.ts';

interface AnswerChartProps {
  readonly dataset: ExploredDataset;
  readonly rows: Rows;
  readonly choice: AnswerChoice;
}

/** The chart of more rows would be unreadable, and slow. */
const MOST_ROWS = 10_000;

export function AnswerChart({ dataset, rows, choice }: AnswerChartProps) {
  const picture = useMemo(() => draw(dataset, rows, choice), [dataset, rows, choice]);
  const [metric] = dataset.metrics;
  const [error, setError] = useState<string | null>(null);
  if (rows.rows > MOST_ROWS)
    return <p class="notice warn">A chart cannot show this many rows. Group them, or add a LIMIT.</p>;
  if (hasDoubles(rows, choice)) {
    const columns = [choice.label, choice.time].filter(name => name !== null).join(' and ');
    return (
      <p class="notice warn" role="status">
        Several rows have the same {columns || 'place in the chart'}, so no chart can tell them apart. Choose
        another column, or group the rows in SQL.
      </p>
    );
  }
  if (!metric || !picture || picture.drawing.empty) return <p class="notice">No row has a figure to draw.</p>;
  const save = (kind: 'svg' | 'png') =>
    inTime(import('../explore/picture.tsx'))
      .then(({ saveDrawing }) => saveDrawing(picture, null, kind, dataset.schema.topic))
      .catch((reason: unknown) => setError(explain(reason)));
  // An answer has no places, so no part of the drawing links to a page.
  return (
    <Figure dataset={dataset} detail="" metric={metric} picture={picture} shapes={null} root={null}>
      <div class="toolbar">
        <button type="button" class="button quiet small" onClick={() => save('svg')}>
          Save as SVG
        </button>
        <button type="button" class="button quiet small" onClick={() => save('png')}>
          Save as PNG
        </button>
        <span role="status">{error}</span>
      </div>
    </Figure>
  );
}

function draw(dataset: ExploredDataset, rows: Rows, { label, time }: AnswerChoice) {
  const [metric] = dataset.metrics;
  if (!metric) return null;
  const words: CommonWords = {
    title: titleName(metric.column.label),
    figure: metric.column.label,
    subtitle: `${dataset.schema.title}. ${countOf(rows.rows, 'row')}`,
    source: dataset.schema.source ?? '',
    sample: dataset.manifest.sample === true,
    unit: null,
    nullMeaning: 'The answer has NULL here.',
    labelTitle: label ?? 'Figure',
  };
  if (time === null) return pictureOf(bars, bars.draw(dataset, ANSWER_QUESTION, metric, rows, [], words));
  const drawing = lines.draw(dataset, ANSWER_QUESTION, metric, rows, [], words);
  const [start = 0] = drawing.panels[0]?.ticks ?? [];
  // The unit of an answer is not known, so no axis is taken to begin at zero.
  const bottom = start > 0 ? [`The axis begins at ${formatTick(start, null)}, not at zero.`] : [];
  return pictureOf(lines, { ...drawing, notes: [...drawing.notes, ...bottom, UNKNOWN_BREAKS] });
}

const UNKNOWN_BREAKS =
  'A line joins what the query computed. Whether the years compare is said on the page of each dataset.';
