/** A table of any length: the page has only the rows in sight. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rows, Sort } from '../../view/rows.ts';
import type { ShownColumn } from '../../view/table-columns.ts';

type GridColumn = Pick<
  ShownColumn,
  'name' | 'at' | 'label' | 'description' | 'numeric' | 'nullMark' | 'nullMeaning' | 'width'
>;

interface RowsTableProps<Column extends GridColumn> {
  readonly rows: Rows;
  readonly columns: readonly Column[];
  readonly label: string;
  /** All rows of the answer, also those not read yet; null if unknown. */
  readonly total: number | null;
  /** When one of these changes, the table scrolls to its top. */
  readonly top: readonly unknown[];
  /** Present if the reader may sort. */
  readonly sort?: { readonly by: Sort | null; onSort(sort: Sort | null): void };
  /** Formats a value that isn't NULL. */
  show(value: NonNullable<ReturnType<Rows['cell']>>, column: Column): string;
  /** The page of a figure; null for no link. */
  addressOf?(row: number, column: Column): string | null;
  /** Called near the last row that has been read. */
  onEnd?(): void;
}

const ROW_HEIGHT = 34;
const MOST_IN_SIGHT = 14;
const TALLEST_VIEWPORT = 2000;

/** The focus is on the box that scrolls, so the browser's own keys move it. */
export function RowsTable<Column extends GridColumn>(props: RowsTableProps<Column>) {
  const { rows, columns, label, total, sort, show, addressOf, onEnd } = props;
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [viewport, setViewport] = useState(MOST_IN_SIGHT * ROW_HEIGHT);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setTop(0);
  }, props.top);
  useLayoutEffect(() => {
    const element = scroller.current;
    const head = element?.querySelector('thead');
    if (!element || !head) return;
    // On paper, or without CSS, the element is as high as all its rows.
    const measure = () => setViewport(Math.min(TALLEST_VIEWPORT, element.clientHeight - head.offsetHeight));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(head);
    return () => observer.disconnect();
  }, []);
  const { from, to, above, below } = scrollWindow({ rows: rows.rows, rowHeight: ROW_HEIGHT, viewport }, top);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    setTop(element.scrollTop);
    const end = element.scrollHeight - element.clientHeight - element.scrollTop < 20 * ROW_HEIGHT;
    if (end && element.scrollTop > 0) onEnd?.();
  };
  return (
    <section
      class="table-scroll explore-scroll"
      aria-label={label}
      tabIndex={0}
      ref={scroller}
      onScroll={onScroll}
    >
      <table
        class="data explore-grid"
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={columns.length}
      >
        <colgroup>
          {columns.map(column => (
            <col key={column.name} style={{ width: `${column.width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(column => (
              <HeaderCell key={column.name} column={column} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length} />
          {Array.from({ length: to - from }, (_, i) => (
            <tr key={from + i} aria-rowindex={from + i + 2}>
              {columns.map(column => {
                const value = rows.cell(from + i, column.at);
                const shown = value === null ? column.nullMark : show(value, column);
                const address = addressOf?.(from + i, column) ?? null;
                return (
                  <td
                    key={column.name}
                    class={`${column.numeric ? 'number' : ''}${value === null ? ' null' : ''}`}
                  >
                    {address === null ? shown : <a href={address}>{shown}</a>}
                    {value === null && column.nullMeaning !== '' && (
                      <span class="visually-hidden">: {column.nullMeaning}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr class="explore-spacer" role="presentation" aria-hidden="true" style={{ height: `${height}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

interface HeaderCellProps {
  readonly sort: RowsTableProps<GridColumn>['sort'] | undefined;
  readonly column: GridColumn;
}

/** Clicking sorts ascending, then descending, then not at all. */
function HeaderCell({ column, sort }: HeaderCellProps) {
  const { name, label, description, numeric } = column;
  const sorted = sort?.by?.column === name ? (sort.by.descending ? 'descending' : 'ascending') : null;
  const next = sorted === null ? { column: name, descending: false } : { column: name, descending: true };
  return (
    <th
      scope="col"
      class={numeric ? 'number' : undefined}
      aria-sort={sort && (sorted ?? 'none')}
      title={description === '' ? undefined : description}
    >
      {sort ? (
        <button type="button" onClick={() => sort.onSort(sorted === 'descending' ? null : next)}>
          {label}
          <span class="explore-order" aria-hidden="true">
            {sorted === null ? '↕' : sorted === 'ascending' ? '↑' : '↓'}
          </span>
        </button>
      ) : (
        label
      )}
    </th>
  );
}

/** Pixels. The lowest limit of a browser is about 17.8 million. */
const TALLEST = 12_000_000;

interface ScrollFrame {
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** The height of the visible rows. */
  readonly viewport: number;
}

interface ScrollWindow {
  /** Rows to render, without `to`. */
  readonly from: number;
  readonly to: number;
  /** Pixels of the spacers. */
  readonly above: number;
  readonly below: number;
}

/** The height of all rows, up to the limit of browsers. */
export function scrollHeight({ rows, rowHeight }: ScrollFrame): number {
  return Math.min(rows * rowHeight, TALLEST);
}

/** Pixels of rows per scrolled pixel. */
function scaleOf(frame: ScrollFrame): number {
  const reach = scrollHeight(frame) - frame.viewport;
  return reach <= 0 ? 1 : Math.max(1, (frame.rows * frame.rowHeight - frame.viewport) / reach);
}

/** Extra rows at each edge. */
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
  // At any scale, the top row is at the scroll position.
  const above = Math.max(
    0,
    Math.min(scrolled - (position - from * rowHeight), height - (to - from) * rowHeight),
  );
  return { from, to, above, below: Math.max(0, height - above - (to - from) * rowHeight) };
}
