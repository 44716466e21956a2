/**
 * Reads what a state shows, and draws it. Each kind of drawing is a script of its own, which loads with its first view.
 */
import { type ComponentChild, type ComponentType, h } from 'preact';
import { besideQuestions } from '../view/chosen-places.ts';
import type { BesideRows, DrawInput, Drawing } from '../view/drawing.ts';
import type { Question, ViewName, ViewState } from '../view/question.ts';
import type { Rows } from '../view/rows.ts';
import { type Sentence, writeSentence } from '../view/sentence.ts';
import type { PictureOf, PictureProps, Topology } from './picture-parts.tsx';

/** Rows, and the state whose question they answer. */
export interface Shown {
  readonly state: ViewState;
  readonly rows: Rows;
  /** Rows of places of other levels, and of the year before. */
  readonly beside: readonly BesideRows[];
  /** Whether `rows` are all rows of the answer. */
  readonly complete: boolean;
  /** Rows of the whole answer; null if that takes more reading. */
  readonly total: number | null;
  /** Why rows beside the view's own are missing: what could be read is shown without them. Null if none are. */
  readonly failure: unknown;
}

/** Reads all that a state shows. `read` gives the rows of a question, and how many its whole answer has if that is known. */
export async function readShown(
  state: ViewState,
  read: (question: Question) => Promise<{ readonly table: Rows; readonly total: number | null }>,
): Promise<Shown> {
  const others = besideQuestions(state);
  const [{ table: rows, total }, found] = await Promise.all([
    read(state),
    Promise.allSettled(others.map(({ question }) => read(question))),
  ]);
  const beside = others.flatMap((one, i): BesideRows[] => {
    const its = found[i];
    return its?.status === 'fulfilled' ? [{ ...one, rows: its.value.table }] : [];
  });
  const failed = found.find(one => one.status === 'rejected');
  return { state, rows, beside, complete: total === rows.rows, total, failure: failed?.reason ?? null };
}

/** What is drawn of rows. */
export interface DrawnView {
  readonly drawing: Drawing;
  /** Its figure, or the greatest and the least. */
  readonly sentence: Sentence;
  /** Whether all rows of the answer are drawn. */
  readonly complete: boolean;
  show(props: Omit<PictureProps, 'shapes'>): ComponentChild;
}

interface Kind<One extends Drawing> {
  readonly Picture: ComponentType<PictureOf<One>>;
  draw(input: DrawInput): One;
}

function drawnBy<One extends Drawing>({ draw, Picture }: Kind<One>) {
  return (input: DrawInput, shapes: Topology | null): Omit<DrawnView, 'complete'> => {
    const drawing = draw(input);
    return {
      drawing,
      sentence: writeSentence(drawing),
      show: props => h(Picture, { drawing, shapes, ...props }),
    };
  };
}

/** Null for the table, which shows the rows themselves. */
const KINDS = {
  chart: () => import('./lines.tsx').then(({ lines }) => drawnBy(lines)),
  bars: () => import('./bars.tsx').then(({ bars }) => drawnBy(bars)),
  map: () => import('./map.tsx').then(({ map }) => drawnBy(map)),
  table: null,
} as const satisfies Readonly<Record<ViewName, unknown>>;

/** Loads what draws a view. */
export async function loadKind(view: ViewName): Promise<void> {
  await KINDS[view]?.();
}

/** Null if the view shows the rows themselves. `shapes`: those of a map; null if they aren't read. */
export async function drawView(
  { state, rows, beside, complete }: Omit<Shown, 'total' | 'failure'>,
  shapes: Topology | null = null,
): Promise<DrawnView | null> {
  const metric = state.dataset.metrics.find(({ column }) => column.name === state.metric);
  const draw = await KINDS[state.view]?.();
  if (!metric || !draw) return null;
  return { ...draw({ state, metric, rows, beside }, shapes), complete };
}
