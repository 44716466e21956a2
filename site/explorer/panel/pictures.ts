/** Draws a view from its state and rows. Each kind of drawing is a script of its own, which loads with its first view. */
import { type ComponentChild, type ComponentType, h } from 'preact';
import type { ExploredDataset, Metric } from '../view/dataset.ts';
import { type BesideRows, type Drawing, deriveWords } from '../view/drawing.ts';
import type { ViewName, ViewState } from '../view/question.ts';
import type { Rows } from '../view/rows.ts';
import { titleView } from '../view/wording.ts';
import type { PlotProps, StillProps } from './picture-parts.tsx';

/** A drawing with the two ways to show it. */
export interface Picture {
  readonly drawing: Drawing;
  still(props: Omit<StillProps<Drawing>, 'drawing'>): ComponentChild;
  plot(props: Omit<PlotProps<Drawing>, 'drawing'>): ComponentChild;
}

interface Kind<One extends Drawing> {
  readonly Still: ComponentType<StillProps<One>>;
  readonly Plot: ComponentType<PlotProps<One>>;
}

export function pictureOf<One extends Drawing>({ Still, Plot }: Kind<One>, drawing: One): Picture {
  return {
    drawing,
    still: props => h(Still, { drawing, ...props }),
    plot: props => h(Plot, { drawing, ...props }),
  };
}

const KINDS = {
  chart: () => import('./lines.tsx'),
  bars: () => import('./bars.tsx'),
  map: () => import('./map.tsx'),
};

/** Loads what draws a view. */
export async function loadKind(view: ViewName): Promise<void> {
  if (view !== 'table') await KINDS[view]();
}

/** Null for a table. `beside`: the rows of places of other levels, and of the year before. */
export async function drawPicture(
  dataset: ExploredDataset,
  state: ViewState,
  metric: Metric,
  rows: Rows,
  beside: readonly BesideRows[] = [],
): Promise<Picture | null> {
  const words = deriveWords(dataset, state, metric);
  const { question } = state;
  switch (state.view) {
    case 'chart': {
      const { lines } = await KINDS.chart();
      const drawing = lines.draw(dataset, question, metric, rows, beside, words);
      if (drawing.empty) return pictureOf(lines, drawing);
      const yearOf = dataset.timeline?.yearOf ?? (at => at);
      const [first, last] = drawing.years;
      const title = titleView(dataset, state, [yearOf(first), yearOf(last)]);
      return pictureOf(lines, { ...drawing, title });
    }
    case 'bars': {
      const { bars } = await KINDS.bars();
      return pictureOf(bars, bars.draw(dataset, question, metric, rows, beside, words, state.rank));
    }
    case 'map': {
      const { map } = await KINDS.map();
      return pictureOf(map, map.draw(dataset, question, metric, rows, words));
    }
    case 'table':
      return null;
    default:
      return state.view satisfies never;
  }
}
