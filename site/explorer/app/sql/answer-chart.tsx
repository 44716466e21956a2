/** The chart of an answer, drawn as the views of datasets are. */
import { useMemo, useState } from 'preact/hooks';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { bars } from '../../panel/bars.tsx';
import { Figure } from '../../panel/figure.tsx';
import { lines } from '../../panel/lines.tsx';
import { pictureOf } from '../../panel/pictures.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import type { CommonWords } from '../../view/drawing.ts';
import { formatTick, titleName } from '../../view/format.ts';
import type { Rows } from '../../view/rows.ts';
import { ANSWER_QUESTION, type AnswerChoice, hasDoubles } from '../../view/sql-dataset.ts';
import { explain } from '../explanation.tsx';

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
  if (rows.rows > MOST_ROWS) return <p class="notice warn">{t.sql.tooMany}</p>;
  if (hasDoubles(rows, choice)) {
    const { label, time } = choice;
    const columns = label !== null && time !== null ? t.sql.both(label, time) : (label ?? time ?? '');
    return (
      <p class="notice warn" role="status">
        {t.sql.doubles(columns)}
      </p>
    );
  }
  if (!metric || !picture || picture.drawing.empty) return <p class="notice">{t.sql.nothingToDraw}</p>;
  const save = (kind: 'svg' | 'png') =>
    inTime(import('../explore/picture.tsx'))
      .then(({ saveDrawing }) => saveDrawing(picture, null, kind, dataset.schema.topic))
      .catch((reason: unknown) => setError(explain(reason)));
  // An answer has no places, so no part of the drawing links to a page.
  return (
    <Figure dataset={dataset} detail="" metric={metric} picture={picture} shapes={null} root={null}>
      <div class="toolbar">
        <button type="button" class="button quiet small" onClick={() => save('svg')}>
          {t.sql.saveAs('SVG')}
        </button>
        <button type="button" class="button quiet small" onClick={() => save('png')}>
          {t.sql.saveAs('PNG')}
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
    subtitle: `${dataset.schema.title}. ${t.counts.rows(rows.rows)}`,
    source: dataset.schema.source ?? '',
    sample: dataset.manifest.sample === true,
    unit: null,
    nullMeaning: t.sql.nullMeaning,
    labelTitle: label ?? t.sql.figure,
  };
  if (time === null) return pictureOf(bars, bars.draw(dataset, ANSWER_QUESTION, metric, rows, [], words));
  const drawing = lines.draw(dataset, ANSWER_QUESTION, metric, rows, [], words);
  const [start = 0] = drawing.panels[0]?.ticks ?? [];
  // The unit of an answer is not known, so no axis is taken to begin at zero.
  const bottom = start > 0 ? [t.sql.axisBegins(formatTick(start, null))] : [];
  return pictureOf(lines, { ...drawing, notes: [...drawing.notes, ...bottom, t.sql.unknownBreaks] });
}
