/** Rows as a table of any length: the page holds only the rows in sight. */

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../messages/messages.ts';
import type { ExploredDataset } from '../../view/dataset.ts';
import { formatCell, formatCount } from '../../view/format.ts';
import type { Question } from '../../view/question.ts';
import type { Rows, Sort } from '../../view/rows.ts';
import { scrollTo, scrollWindow } from '../../view/scroll-window.ts';
import { deriveColumns, type ShownColumn } from '../../view/table-columns.ts';
import type { Asking } from './answer.ts';

interface TableViewProps {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly answer: Asking;
  readonly sort: Sort | null;
  onSort(sort: Sort | null): void;
}

const ROW_HEIGHT = 34;
const MOST_IN_SIGHT = 14;
const TALLEST = 2000;

export function TableView({ dataset, question, answer, sort, onSort }: TableViewProps) {
  const { rows, total, complete } = answer;
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [viewport, setViewport] = useState(MOST_IN_SIGHT * ROW_HEIGHT);
  const [all, setAll] = useState(false);
  const columns = useMemo(
    () => (rows ? deriveColumns(dataset, question, rows, all) : []),
    [dataset, question, rows, all],
  );
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setTop(0);
    setActive({ row: 0, column: 0 });
  }, [question, sort]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const head = element?.querySelector('thead');
    if (!element || !head) return;
    // On paper, or without its style sheet, the table has no edge.
    const measure = () => setViewport(Math.min(TALLEST, element.clientHeight - head.offsetHeight));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(head);
    return () => observer.disconnect();
  }, [rows === null || rows.rows === 0]);
  if (rows === null) return null;
  const count = rows.rows;
  const frame = { rows: count, rowHeight: ROW_HEIGHT, viewport };
  const { from, to, above, below } = scrollWindow(frame, top);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    setTop(element.scrollTop);
    const end = element.scrollHeight - element.clientHeight - element.scrollTop < 20 * ROW_HEIGHT;
    if (end && !complete && element.scrollTop > 0 && answer.progress === null) answer.readAll();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const next = nextCell(
      event,
      active,
      count,
      columns.length,
      Math.max(1, Math.floor(viewport / ROW_HEIGHT) - 1),
    );
    if (!next) return;
    event.preventDefault();
    setActive(next);
    const element = scroller.current;
    if (element) {
      element.scrollTop = scrollTo(frame, element.scrollTop, next.row);
      showColumn(element, next.column);
    }
    if (next.row === count - 1 && !complete) answer.readAll();
  };
  const known = t.counts.rows(complete ? count : (total ?? count));
  return (
    <div class="explore-table">
      <p class="explore-count" role="status">
        {complete || total !== null ? known : t.table.moreThan(known)}.{' '}
        {!complete && t.table.scroll(formatCount(count))}{' '}
        {!complete && (
          <button
            type="button"
            class="button quiet small"
            disabled={answer.progress !== null}
            onClick={answer.readAll}
          >
            {t.table.readAll}
          </button>
        )}{' '}
        <button type="button" class="button quiet small" aria-pressed={all} onClick={() => setAll(!all)}>
          {t.table.allColumns}
        </button>
      </p>
      {count > 0 && (
        <div class="table-scroll explore-scroll" ref={scroller} onScroll={onScroll}>
          <table
            class="data explore-grid"
            role="grid"
            tabIndex={0}
            aria-label={t.table.rowsOf(dataset.schema.title)}
            aria-rowcount={(complete ? count : (total ?? -1)) + (complete || total !== null ? 1 : 0)}
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
                  <HeaderCell key={column.name} column={column} index={index} sort={sort} onSort={onSort} />
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
                  onActive={column => setActive({ row: from + i, column })}
                />
              ))}
              <Spacer height={below} columns={columns.length} />
            </tbody>
          </table>
        </div>
      )}
      {count > 0 && <NullLegend columns={columns} />}
      {count === 0 && complete && <p class="notice">{t.table.noRows}</p>}
    </div>
  );
}

/** Scrolls sideways until the column is in sight. The sticky header cannot scroll itself into view. */
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
  readonly column: ShownColumn;
  readonly index: number;
  readonly sort: Sort | null;
  onSort(sort: Sort | null): void;
}

/** Clicking sorts ascending, then descending, then in the API's order again. */
function HeaderCell({ column, index, sort, onSort }: HeaderCellProps) {
  const { name, label, description, numeric } = column;
  const sorted = sort?.column === name ? (sort.descending ? 'descending' : 'ascending') : null;
  const next = sorted === null ? { column: name, descending: false } : { column: name, descending: true };
  return (
    <th
      scope="col"
      class={numeric ? 'number' : undefined}
      aria-colindex={index + 1}
      aria-sort={sorted ?? 'none'}
      data-column={index}
      title={description === '' ? undefined : description}
    >
      <button type="button" onClick={() => onSort(sorted === 'descending' ? null : next)}>
        {label}
        <span class="explore-order" aria-hidden="true">
          {sorted === null ? '↕' : sorted === 'ascending' ? '↑' : '↓'}
        </span>
      </button>
    </th>
  );
}

/** Explains the empty cells of each column. */
function NullLegend({ columns }: { readonly columns: readonly ShownColumn[] }) {
  const nullable = columns.filter(column => column.nullable);
  if (nullable.length === 0) return null;
  return (
    <details>
      <summary>{t.table.legend}</summary>
      <dl class="facts">
        {nullable.map(({ name, label, nullMeaning }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{nullMeaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

interface TableRowProps {
  readonly rows: Rows;
  readonly row: number;
  readonly columns: readonly ShownColumn[];
  /** Column of the active cell; -1 if it is in another row. */
  readonly active: number;
  onActive(column: number): void;
}

function TableRow({ rows, row, columns, active, onActive }: TableRowProps) {
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
                <span class="visually-hidden">: {column.nullMeaning}</span>
              </>
            ) : (
              (column.names.get(String(value)) ?? formatCell(value, column))
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

/** Returns the cell that a key leads to; null for any other key. */
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

/** Copies the raw values of the selected cells, else of the active cell, separated by tabs. NULL is empty. */
function copyRaw(
  event: ClipboardEvent,
  rows: Rows,
  columns: readonly ShownColumn[],
  active: CellPlace,
): void {
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
  // The browser copies a selection within one cell.
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
