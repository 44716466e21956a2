/** The rows of a view as a table. */
import { useMemo } from 'preact/hooks';
import { t } from '../../messages/messages.ts';
import { Facts } from '../../pages/text.tsx';
import type { Shown } from '../../panel/pictures.ts';
import { figureAddress } from '../../view/figure-address.ts';
import { formatCell, formatCount } from '../../view/format.ts';
import { cellsOf, type Sort } from '../../view/rows.ts';
import { type ShownColumn, tableColumns } from '../../view/table-columns.ts';
import { describeNoRows } from '../../view/wording.ts';
import { RowsTable } from './rows-table.tsx';

interface TableViewProps {
  readonly view: Omit<Shown, 'failure'>;
  readonly isReading: boolean;
  /** Reads the remaining rows. */
  onEnd(): void;
  onSort(sort: Sort | null): void;
}

export function TableView({ view, isReading, onEnd, onSort }: TableViewProps) {
  const { rows, total, complete, state } = view;
  const columns = useMemo(() => tableColumns(state, rows), [state, rows]);
  const count = rows.rows;
  const known = t.counts.rows(complete ? count : (total ?? count));
  return (
    <div class="explore-table">
      <p class="explore-count hint" role="status">
        {complete || total !== null ? known : t.table.moreThan(known)}.{' '}
        {!complete && t.table.scroll(formatCount(count))}{' '}
        {!complete && (
          <button type="button" class="button quiet small" disabled={isReading} onClick={onEnd}>
            {t.table.readAll}
          </button>
        )}
      </p>
      {count > 0 && (
        <RowsTable
          rows={rows}
          columns={columns}
          label={t.table.rowsOf(state.dataset.schema.title)}
          total={complete ? count : total}
          top={[state]}
          sort={{ by: state.sort, onSort }}
          show={(value, { names, ...column }) => names.get(String(value)) ?? formatCell(value, column)}
          addressOf={(row, { name, numeric, isMargin }) =>
            numeric && !isMargin ? figureAddress(state, name, column => cellsOf(rows, column)(row)) : null
          }
          onEnd={() => {
            if (!complete && !isReading) onEnd();
          }}
        />
      )}
      {count > 0 && <NullLegend columns={columns} />}
      {count === 0 && complete && (
        <p class="notice">
          {describeNoRows(state)} {t.panel.chooseAnother}
        </p>
      )}
    </div>
  );
}

/** Explains each column's empty cells. */
function NullLegend({ columns }: { readonly columns: readonly ShownColumn[] }) {
  const nullable = columns.filter(column => column.nullable);
  if (nullable.length === 0) return null;
  return (
    <details>
      <summary>{t.table.legend}</summary>
      <Facts facts={nullable.map(({ label, nullMeaning }) => [label, nullMeaning])} />
    </details>
  );
}
