/** Horizontal bars, each with its figure, or with the words for a missing one. */
import { axisY, barX, type PlotOptions, ruleX, ruleY, text } from '@observablehq/plot';
import type { BarDrawing } from '../../../view/drawing.ts';
import { formatNumber } from '../../../view/format.ts';
import type { Bar } from '../../../view/series.ts';
import { shortenApart } from '../../../view/wording.ts';
import type { Theme } from '../theme.ts';

const BAR = 26;

export function barOptions({ bars, unit }: BarDrawing, width: number, theme: Theme): PlotOptions {
  // A phone has no room for names next to the bars, so they stand above them.
  const narrow = width < 520;
  const longest = Math.max(...bars.map(({ label }) => label.length));
  const marginLeft = narrow ? 6 : Math.min(280, Math.max(60, longest * 7 + 16));
  const room = Math.floor((narrow ? width - 20 : marginLeft - 12) / 6.6);
  const names = shortenApart(
    bars.map(({ label }) => label),
    room,
  );
  const nameOf = (index: string | number) => names[Number(index)] ?? '';
  const at = (bar: Bar) => String(bars.indexOf(bar));
  const known = bars.filter(bar => bar.value !== null);
  const end = ({ value, interval }: Bar) => Math.max(0, value ?? 0, interval?.[1] ?? 0);
  const least = Math.min(0, ...known.map(({ value, interval }) => interval?.[0] ?? value ?? 0));
  const most = Math.max(0, ...known.map(end));
  const name = narrow
    ? text(bars, {
        y: at,
        frameAnchor: 'left',
        textAnchor: 'start',
        text: bar => nameOf(at(bar)),
        dy: -17,
        fill: theme.ink,
      })
    : axisY({ tickSize: 0, tickFormat: nameOf, label: null, fill: theme.ink });
  return {
    width,
    height: bars.length * (narrow ? BAR + 20 : BAR) + 32,
    marginLeft,
    marginRight: narrow ? 70 : 90,
    marginTop: narrow ? 16 : 8,
    marginBottom: 16,
    x: { axis: null, domain: [least, most === least ? most + 1 : most] },
    y: { axis: null, domain: bars.map((_, index) => String(index)), padding: narrow ? 0.6 : 0.25 },
    style: { background: 'none' },
    marks: [
      name,
      barX(known, {
        x: 'value',
        y: at,
        fill: theme.series[0] ?? theme.ink,
        title: bar => `${bar.label}: ${formatNumber(bar.value, unit)}`,
      }),
      ruleY(
        known.filter(bar => bar.interval !== null),
        {
          x1: bar => bar.interval[0],
          x2: bar => bar.interval[1],
          y: at,
          stroke: theme.ink,
          strokeWidth: 1.5,
        },
      ),
      text(known, {
        x: end,
        y: at,
        text: bar => formatNumber(bar.value, unit),
        textAnchor: 'start',
        dx: 6,
        fill: theme.ink,
      }),
      text(
        bars.filter(bar => bar.value === null),
        {
          x: 0,
          y: at,
          text: () => 'not published',
          textAnchor: 'start',
          dx: 6,
          fill: theme.soft,
          fontStyle: 'italic',
        },
      ),
      ruleX([0], { stroke: theme.soft }),
    ],
  };
}
