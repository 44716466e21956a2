/** The figures of a chart as a table. */
import { t } from '../messages/messages.ts';
import type { Metric } from '../view/dataset.ts';
import type { Drawing } from '../view/drawing-parts.ts';
import { formatMargin, formatNumber, NULL_MARK, titleName } from '../view/format.ts';
import { isUnreliable } from '../view/series.ts';
import { nameUnit } from '../view/timeline.ts';

const MOST_LISTED = 500;

export function FigureTable({ drawing, metric }: { readonly drawing: Drawing; readonly metric: Metric }) {
  const { unit } = metric.column;
  const cells = drawing.figures.slice(0, MOST_LISTED);
  const dated = drawing.kind === 'lines';
  return (
    <details>
      <summary>{t.panel.asTable}</summary>
      <div class="table-scroll explore-figures" role="region" tabIndex={0} aria-label={t.panel.figures}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{drawing.labelTitle}</th>
              {dated && <th scope="col">{titleName(nameUnit(drawing.timeline))}</th>}
              <th scope="col" class="number">
                {metric.column.label}
              </th>
              {metric.margin && (
                <th scope="col" class="number">
                  {metric.margin.label}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {cells.map(({ key, label, year, value, margin }) => (
              <tr key={`${key} ${year}`}>
                <th scope="row">{label || drawing.figure}</th>
                {dated && <td>{year === null ? '' : (drawing.timeline?.label(year) ?? year)}</td>}
                <td class={value === null ? 'number null' : 'number'}>
                  {value === null ? drawing.nullMeaning : formatNumber(value, unit)}
                  {isUnreliable({ value, margin }) ? ` (${t.words.unreliable})` : ''}
                </td>
                {metric.margin && (
                  <td class="number">{margin === null ? NULL_MARK : formatMargin(margin, unit, 'points')}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drawing.figures.length > cells.length && <p class="hint">{t.panel.firstFigures(MOST_LISTED)}</p>}
    </details>
  );
}
