/** The table's keyboard, and its clipboard: copies are the published values. */
import type { Rows } from '../../view/rows.ts';
import type { ShownColumn } from '../../view/table-columns.ts';

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Returns the cell that a key leads to; null for any other key. */
export function nextCell(
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
export function copyRaw(
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
