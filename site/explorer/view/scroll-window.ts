/** Which rows of a long table are in sight. Browsers cannot make an element tall enough for millions: then it is scaled. */

/** The least of the browsers' limits is about 17.8 million pixels. */
const TALLEST = 12_000_000;

export interface ScrollFrame {
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Of the part in sight that shows rows. */
  readonly viewport: number;
}

export interface ScrollWindow {
  /** Rows to render: from, and up to but not with. */
  readonly from: number;
  readonly to: number;
  /** Pixels of nothing above and below them. */
  readonly above: number;
  readonly below: number;
}

/** Height of all rows, as far as a browser can show it. */
export function scrollHeight({ rows, rowHeight }: ScrollFrame): number {
  return Math.min(rows * rowHeight, TALLEST);
}

/** Pixels of rows for one pixel of scrolling. */
function scaleOf(frame: ScrollFrame): number {
  const reach = scrollHeight(frame) - frame.viewport;
  return reach <= 0 ? 1 : Math.max(1, (frame.rows * frame.rowHeight - frame.viewport) / reach);
}

/** `top`: pixels scrolled. `spare`: rows to render beyond both edges. */
export function scrollWindow(frame: ScrollFrame, top: number, spare = 6): ScrollWindow {
  const { rows, rowHeight, viewport } = frame;
  const height = scrollHeight(frame);
  const scrolled = Math.max(0, Math.min(top, height - viewport));
  const position = scrolled * scaleOf(frame);
  const first = Math.floor(position / rowHeight);
  const from = Math.max(0, first - spare);
  const to = Math.min(rows, Math.ceil((position + viewport) / rowHeight) + spare);
  // The row at the upper edge stands where the reader has scrolled to, whatever the scale.
  const above = Math.max(
    0,
    Math.min(scrolled - (position - from * rowHeight), height - (to - from) * rowHeight),
  );
  return { from, to, above, below: Math.max(0, height - above - (to - from) * rowHeight) };
}

/** Where to scroll so that the row is wholly in sight; `top` itself where it is already. */
export function scrollTo(frame: ScrollFrame, top: number, row: number): number {
  const { rowHeight, viewport } = frame;
  const scale = scaleOf(frame);
  const position = top * scale;
  if (row * rowHeight < position) return (row * rowHeight) / scale;
  if ((row + 1) * rowHeight > position + viewport) return ((row + 1) * rowHeight - viewport) / scale;
  return top;
}
