/** An answer as a table, and its files. */
import { useMemo } from 'preact/hooks';
import type { RowColumn } from '../../../../build/format/manifest.ts';
import type { Cell, SqlRows } from '../../engine/engine.ts';
import { t } from '../../messages/messages.ts';
import { SaveBar } from '../../panel/save-bar.tsx';
import type { FileContent } from '../explore/exports.ts';
import { type GridColumn, RowsTable } from '../explore/rows-table.tsx';
import { useExport, WorkStatus } from '../explore/save-tools.tsx';

interface AnswerViewProps {
  readonly rows: SqlRows;
  readonly statement: string;
  readonly isSample: boolean;
}

/** The API's JSON is an answer to the API's own requests. */
const FORMATS = ['csv', 'xlsx', 'parquet'] as const;

export function AnswerView({ rows, statement, isSample }: AnswerViewProps) {
  const columns = useMemo(() => deriveColumns(rows), [rows]);
  const name = `answer-rows${isSample ? '-SAMPLE' : ''}`;
  const { work, write } = useExport(name, () => answerContent(rows, columns, statement, isSample));
  const hint = rows.more ? t.sql.readRows : t.sql.allRows;
  return (
    <>
      <h2 class="visually-hidden">{t.sql.answer}</h2>
      <RowsTable
        rows={rows}
        columns={columns}
        label={t.sql.answer}
        total={rows.more ? null : rows.rows}
        top={[rows]}
        show={showCell}
      />
      <SaveBar offered={FORMATS} isDisabled={work.controller !== null} open={null} onSave={write}>
        <WorkStatus work={work} said={work.text ?? hint} />
      </SaveBar>
    </>
  );
}

/** Rounds a figure to six decimals; the file has all of them. */
function showCell(value: NonNullable<Cell>): string {
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15 ? String(value) : String(+value.toFixed(6));
}

/** Rows that decide the width of a column, in characters. */
const LOOKED_AT = 200;
const NARROWEST = 6;
const WIDEST = 40;

function deriveColumns(rows: SqlRows): readonly GridColumn[] {
  return rows.columns.map(({ name, type }, at) => {
    let widest = Math.max(NARROWEST, name.length);
    for (let row = 0; row < Math.min(rows.rows, LOOKED_AT); row++)
      widest = Math.max(widest, showCell(rows.cell(row, at) ?? '').length);
    const numeric = type === 'integer' || type === 'number';
    const width = Math.min(WIDEST, widest) + 4;
    return { name, at, label: name, description: '', numeric, nullMark: 'NULL', nullMeaning: '', width };
  });
}

const STORED = {
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  string: 'BYTE_ARRAY',
  date: 'BYTE_ARRAY',
  timestamp: 'BYTE_ARRAY',
} as const;

function answerContent(
  rows: SqlRows,
  columns: readonly GridColumn[],
  statement: string,
  sample: boolean,
): FileContent {
  return {
    table: {
      kind: 'dataset',
      name: 'sql',
      columns: rows.columns.map(
        ({ name, type }): RowColumn => ({ name, type, parquet: STORED[type], from: null }),
      ),
      manifest: { version: '', license: null, attribution: null, ...(sample && { sample }) },
    },
    rows,
    head: () => {
      throw new Error(t.save.refused);
    },
    workbook: async () => ({
      rows: rows.rows,
      columns: columns.map(({ name, width }) => ({ title: name, width, words: new Map() })),
      facts: [
        [t.workbook.sample, sample ? t.frame.sample : ''],
        [t.workbook.count, String(rows.rows)],
        [t.workbook.source, `SQL: ${statement.replace(/\s+/g, ' ').trim()}`],
      ],
      meanings: [],
    }),
  };
}
