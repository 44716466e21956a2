/** Bars that a reader reads off one by one: with the pointer, a finger or the arrow keys. */
import { useMemo, useState } from 'preact/hooks';
import { t } from '../messages/messages.ts';
import { BarFigure, layOutBars } from '../view/bar-figure.tsx';
import type { BarDrawing } from '../view/drawing-parts.ts';
import { formatCount } from '../view/format.ts';
import { describeFigure } from '../view/series.ts';
import { PAGE } from '../view/theme.ts';
import { Readout } from './readout.tsx';

interface BarPlotProps {
  readonly drawing: BarDrawing;
  readonly width: number;
}

export function BarPlot({ drawing, width }: BarPlotProps) {
  const [isWhole, setWhole] = useState(false);
  const layout = useMemo(() => layOutBars(drawing, width, isWhole), [drawing, width, isWhole]);
  const [at, setAt] = useState<number | null>(null);
  const { rows } = layout;
  const say = (index: number) => {
    const row = rows[index];
    return row ? describeFigure(row.bar, drawing.unit, drawing.period) : '';
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at ?? -1) + 1,
      ArrowUp: (at ?? 1) - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(rows.length - 1, Math.max(0, next)));
  };
  const onPointer = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    const found = rows.findIndex(({ top, height }) => y >= top && y < top + height);
    setAt(found < 0 ? null : found);
  };
  const row = at === null ? undefined : rows[at];
  const plot = (
    <div
      class="explore-plot"
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t.panel.readBars(drawing.title)}
      aria-valuemin={1}
      aria-valuemax={rows.length}
      aria-valuenow={(at ?? 0) + 1}
      aria-valuetext={say(at ?? 0)}
      onKeyDown={onKeyDown}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
    >
      <BarFigure layout={layout} theme={PAGE} at={at} id="shown" />
      {row && (
        <Readout x={layout.x(row.bar.value ?? 0)} y={row.top + row.height / 2}>
          {say(at!)}
        </Readout>
      )}
    </div>
  );
  return (
    <>
      {plot}
      {drawing.brief.size < drawing.bars.length && (
        <button
          type="button"
          class="button quiet small explore-all"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.panel.fewerBars : t.panel.allBars(formatCount(drawing.bars.length))}
        </button>
      )}
    </>
  );
}
