/** The rows of an answer. The page holds only the rows in sight. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Cell, TableData } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';

/** Pixels; the style sheet sets the same height. */
const ROW_HEIGHT = 34;
const IN_SIGHT = 14;
const SPARE = 10;

/** Rows that decide the width of a column. */
const LOOKED_AT = 200;
const NARROWEST = 6;
const WIDEST = 40;

export function ResultTable({ rows }: { readonly rows: TableData }) {
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const widths = useMemo(() => measureColumns(rows), [rows]);
  const from = Math.max(0, Math.min(Math.floor(top / ROW_HEIGHT), rows.rows - IN_SIGHT) - SPARE);
  const to = Math.min(rows.rows, from + IN_SIGHT + 2 * SPARE);
  return (
    <section
      ref={scroller}
      class="table-scroll sql-result"
      aria-label={t.sql.answer}
      tabindex={0}
      onScroll={() => setTop(scroller.current?.scrollTop ?? 0)}
    >
      <table class="data" aria-rowcount={rows.rows + 1}>
        <colgroup>
          {widths.map((width, index) => (
            <col key={rows.columns[index]?.name} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {rows.columns.map(({ name, type }) => (
              <th key={name} scope="col" class={isNumber(type) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={from} columns={widths.length} />
          {Array.from({ length: to - from }, (_, index) => (
            <Row key={from + index} rows={rows} row={from + index} />
          ))}
          <Gap rows={rows.rows - to} columns={widths.length} />
        </tbody>
      </table>
    </section>
  );
}

function Row({ rows, row }: { readonly rows: TableData; readonly row: number }) {
  return (
    <tr aria-rowindex={row + 2}>
      {rows.columns.map(({ name, type }, column) => {
        const value = rows.cell(row, column);
        const text = showCell(value);
        const kind = value === null ? 'null' : isNumber(type) ? 'number' : undefined;
        return (
          <td key={name} class={kind} title={text.length > WIDEST ? text : undefined}>
            {text}
          </td>
        );
      })}
    </tr>
  );
}

/** Empty room for the rows out of sight. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: empty room takes no focus
    <tr aria-hidden="true" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

function isNumber(type: TableData['columns'][number]['type']): boolean {
  return type === 'integer' || type === 'number';
}

/** Rounds a figure to six decimals; the file has all of them. */
function showCell(value: Cell): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

function measureColumns(rows: TableData): readonly number[] {
  const count = Math.min(rows.rows, LOOKED_AT);
  return rows.columns.map(({ name }, column) => {
    let widest = name.length;
    for (let row = 0; row < count; row++) widest = Math.max(widest, showCell(rows.cell(row, column)).length);
    return Math.min(WIDEST, Math.max(NARROWEST, widest)) + 4;
  });
}
