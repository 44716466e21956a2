/** A table of any length: the page has only the rows in sight. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rows, Sort } from '../../view/rows.ts';
import type { ShownColumn } from '../../view/table-columns.ts';

export type GridColumn = Pick<
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
  /** Called near the last row that has been read. */
  onEnd?(): void;
}

const ROW_HEIGHT = 34;
const MOST_IN_SIGHT = 14;
const TALLEST_VIEWPORT = 2000;

export function RowsTable<Column extends GridColumn>(props: RowsTableProps<Column>) {
  const { rows, columns, label, total, sort, show, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [viewport, setViewport] = useState(MOST_IN_SIGHT * ROW_HEIGHT);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setTop(0);
    setActive({ row: 0, column: 0 });
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
  const count = rows.rows;
  const frame = { rows: count, rowHeight: ROW_HEIGHT, viewport };
  const { from, to, above, below } = scrollWindow(frame, top);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    setTop(element.scrollTop);
    const end = element.scrollHeight - element.clientHeight - element.scrollTop < 20 * ROW_HEIGHT;
    if (end && element.scrollTop > 0) onEnd?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1);
    const next = nextCell(event, active, count, columns.length, page);
    if (!next) return;
    event.preventDefault();
    setActive(next);
    const element = scroller.current;
    if (element) {
      element.scrollTop = scrollTo(frame, element.scrollTop, next.row);
      showColumn(element, next.column);
    }
    if (next.row === count - 1) onEnd?.();
  };
  return (
    <div class="table-scroll explore-scroll" ref={scroller} onScroll={onScroll}>
      <table
        class="data explore-grid"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={total === null ? -1 : total + 1}
        aria-colcount={columns.length}
        aria-activedescendant={
          active.row >= from && active.row < to ? `cell-${active.row}-${active.column}` : undefined
        }
        onKeyDown={onKeyDown}
        onCopy={event => copyRaw(event, rows, columns, active)}
      >
        <colgroup>
          {columns.map(column => (
            <col key={column.name} style={{ width: `${column.width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column, index) => (
              <HeaderCell key={column.name} column={column} index={index} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={columns.length} />
          {Array.from({ length: to - from }, (_, i) => (
            <TableRow
              key={from + i}
              rows={rows}
              row={from + i}
              columns={columns}
              active={active.row === from + i ? active.column : -1}
              show={show}
              onActive={column => setActive({ row: from + i, column })}
            />
          ))}
          <Spacer height={below} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls sideways until the column is in sight: a sticky header can't scroll itself into view. */
function showColumn(scroller: HTMLElement, column: number): void {
  const header = scroller.querySelector(`th[data-column="${column}"]`);
  if (!header) return;
  const [edge, cell] = [scroller.getBoundingClientRect(), header.getBoundingClientRect()];
  if (cell.left < edge.left) scroller.scrollLeft -= edge.left - cell.left;
  else if (cell.right > edge.right) scroller.scrollLeft += cell.right - edge.right;
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
  readonly index: number;
}

/** Clicking sorts ascending, then descending, then not at all. */
function HeaderCell({ column, index, sort }: HeaderCellProps) {
  const { name, label, description, numeric } = column;
  const sorted = sort?.by?.column === name ? (sort.by.descending ? 'descending' : 'ascending') : null;
  const next = sorted === null ? { column: name, descending: false } : { column: name, descending: true };
  return (
    <th
      scope="col"
      class={numeric ? 'number' : undefined}
      aria-colindex={index + 1}
      aria-sort={sort && (sorted ?? 'none')}
      data-column={index}
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

interface TableRowProps<Column extends GridColumn>
  extends Pick<RowsTableProps<Column>, 'rows' | 'columns' | 'show'> {
  readonly row: number;
  /** The column of the active cell; -1 if it is in another row. */
  readonly active: number;
  onActive(column: number): void;
}

function TableRow<Column extends GridColumn>(props: TableRowProps<Column>) {
  const { rows, row, columns, active, show, onActive } = props;
  return (
    <tr aria-rowindex={row + 2}>
      {columns.map((column, index) => {
        const value = rows.cell(row, column.at);
        return (
          <td
            key={column.name}
            id={`cell-${row}-${index}`}
            data-row={row}
            data-column={index}
            aria-colindex={index + 1}
            class={`${column.numeric ? 'number' : ''}${value === null ? ' null' : ''}${index === active ? ' active' : ''}`}
            onClick={() => onActive(index)}
          >
            {value === null ? (
              <>
                {column.nullMark}
                {column.nullMeaning !== '' && <span class="visually-hidden">: {column.nullMeaning}</span>}
              </>
            ) : (
              show(value, column)
            )}
          </td>
        );
      })}
    </tr>
  );
}

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Null if the key doesn't move the active cell. */
function nextCell(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: CellPlace,
  rows: number,
  columns: number,
  page: number,
): CellPlace | null {
  const far = ctrlKey || metaKey;
  const at = (nextRow: number, nextColumn: number): CellPlace => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowDown':
      return at(far ? rows : row + 1, column);
    case 'ArrowUp':
      return at(far ? 0 : row - 1, column);
    case 'ArrowRight':
      return at(row, far ? columns : column + 1);
    case 'ArrowLeft':
      return at(row, far ? 0 : column - 1);
    case 'PageDown':
      return at(row + page, column);
    case 'PageUp':
      return at(row - page, column);
    case 'Home':
      return at(far ? 0 : row, 0);
    case 'End':
      return at(far ? rows : row, columns);
    default:
      return null;
  }
}

/** Copies the raw values of the selected cells, or of the active cell, separated by tabs. NULL is empty. */
function copyRaw(event: ClipboardEvent, rows: Rows, columns: readonly GridColumn[], active: CellPlace): void {
  const table = event.currentTarget;
  const selection = getSelection();
  if (!(table instanceof HTMLElement) || !event.clipboardData) return;
  const cells =
    selection === null || selection.isCollapsed
      ? []
      : [...table.querySelectorAll('td[data-row]')].filter(cell => selection.containsNode(cell, true));
  const places = cells.map(cell => ({
    row: Number(cell.getAttribute('data-row')),
    column: Number(cell.getAttribute('data-column')),
  }));
  // Within one cell, the browser copies the selected text.
  if (places.length === 1) return;
  let text = '';
  let before: number | null = null;
  for (const { row, column } of places.length === 0 ? [active] : places) {
    text += before === null ? '' : before === row ? '\t' : '\n';
    text += String(rows.cell(row, columns[column]?.at ?? 0) ?? '');
    before = row;
  }
  event.clipboardData.setData('text/plain', text);
  event.preventDefault();
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

/** The scroll position that shows the whole row; `top` if it is already in sight. */
export function scrollTo(frame: ScrollFrame, top: number, row: number): number {
  const { rowHeight, viewport } = frame;
  const scale = scaleOf(frame);
  const position = top * scale;
  if (row * rowHeight < position) return (row * rowHeight) / scale;
  if ((row + 1) * rowHeight > position + viewport) return ((row + 1) * rowHeight - viewport) / scale;
  return top;
}
