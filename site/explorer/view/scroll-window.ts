/**
 * Computes the rows in sight of a long table. Browsers limit the height of elements, so millions of rows are scaled.
 */

/** The lowest browser limit is about 17.8 million pixels. */
const TALLEST = 12_000_000;

interface ScrollFrame {
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Height of the visible rows. */
  readonly viewport: number;
}

interface ScrollWindow {
  /** Rows to render: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** Empty pixels above and below. */
  readonly above: number;
  readonly below: number;
}

/** Height of all rows, up to the browsers' limit. */
export function scrollHeight({ rows, rowHeight }: ScrollFrame): number {
  return Math.min(rows * rowHeight, TALLEST);
}

/** Pixels of rows for one pixel of scrolling. */
function scaleOf(frame: ScrollFrame): number {
  const reach = scrollHeight(frame) - frame.viewport;
  return reach <= 0 ? 1 : Math.max(1, (frame.rows * frame.rowHeight - frame.viewport) / reach);
}

/** Extra rows at both edges. */
const SPARE = 6;

/** `top` is in scrolled pixels. */
export function scrollWindow(frame: ScrollFrame, top: number): ScrollWindow {
  const { rows, rowHeight, viewport } = frame;
  const height = scrollHeight(frame);
  const scrolled = Math.max(0, Math.min(top, height - viewport));
  const position = scrolled * scaleOf(frame);
  const first = Math.floor(position / rowHeight);
  const from = Math.max(0, first - SPARE);
  const to = Math.min(rows, Math.ceil((position + viewport) / rowHeight) + SPARE);
  // At any scale, the top row stands at the scroll position.
  const above = Math.max(
    0,
    Math.min(scrolled - (position - from * rowHeight), height - (to - from) * rowHeight),
  );
  return { from, to, above, below: Math.max(0, height - above - (to - from) * rowHeight) };
}

/** Returns the scroll position that shows the whole row; `top` if it already does. */
export function scrollTo(frame: ScrollFrame, top: number, row: number): number {
  const { rowHeight, viewport } = frame;
  const scale = scaleOf(frame);
  const position = top * scale;
  if (row * rowHeight < position) return (row * rowHeight) / scale;
  if ((row + 1) * rowHeight > position + viewport) return ((row + 1) * rowHeight - viewport) / scale;
  return top;
}
