/** A row of the table. */
import { formatCell } from '../../view/format.ts';
import type { Rows } from '../../view/rows.ts';
import type { ShownColumn } from '../../view/table-columns.ts';

interface TableRowProps {
  readonly rows: Rows;
  readonly row: number;
  readonly columns: readonly ShownColumn[];
  /** Column of the active cell; -1 if it is in another row. */
  readonly active: number;
  onActive(column: number): void;
}

export function TableRow({ rows, row, columns, active, onActive }: TableRowProps) {
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
