/** Writes rows as a file, batch by batch: in the API's formats, or as a workbook. */
import { TYPES } from '../../../../build/format/media-type.ts';
import type { Workbook } from '../../../edge/respond/workbook.ts';
import type { Batch, DescribedTable } from '../../../edge/rows/parquet.ts';
import { cellEncoders, encodeCsvHeader } from '../../../query/encode.ts';
import type { Value } from '../../../query/order.ts';
import { inTime } from '../../engine/patience.ts';
import { t } from '../../messages/messages.ts';
import { saveFile } from '../../panel/save-bar.tsx';
import { formatCount } from '../../view/format.ts';
import type { ViewState } from '../../view/question.ts';
import { columnAt, type Rows } from '../../view/rows.ts';
import type { PageWorkbook } from './view-workbook.ts';

export type ExportFormat = 'csv' | 'parquet' | 'xlsx';

export interface FileContent {
  readonly table: DescribedTable;
  /** In the order of the file. */
  readonly rows: Rows;
  workbook(): Promise<PageWorkbook>;
}

interface ExportJob extends FileContent {
  readonly signal: AbortSignal;
  onRows(written: number): void;
}

/** The file of a view, with all rows of its question. */
export function viewContent(state: ViewState, rows: Rows): FileContent {
  return {
    table: state.dataset.table,
    rows,
    workbook: async () => (await inTime(import('./view-workbook.ts'))).viewWorkbook(state, rows),
  };
}

/** Returns what to say of the saved file. Throws the signal's reason if cancelled. */
export async function saveRows(
  content: FileContent,
  name: string,
  format: ExportFormat,
  signal: AbortSignal,
  onStage: (stage: string) => void,
): Promise<string> {
  const saved = t.counts.rows(content.rows.rows);
  const onRows = (written: number) => onStage(t.save.written(formatCount(written), saved));
  saveFile(await writeExport({ ...content, signal, onRows }, format), name);
  return t.save.saved(saved);
}

/** Throws the signal's reason if cancelled, and an Error if a workbook can't hold the rows. */
export async function writeExport(job: ExportJob, format: ExportFormat): Promise<Blob> {
  const { table } = job;
  const batches = batchRows(job);
  switch (format) {
    case 'csv':
      return collect(renderLines(table, batches), 'text/csv;charset=utf-8');
    case 'parquet': {
      const { renderParquet } = await inTime(import('../../../edge/rows/parquet.ts'));
      return collect(renderParquet(table, batches), 'application/vnd.apache.parquet');
    }
    case 'xlsx': {
      const { renderWorkbook } = await inTime(import('../../../edge/respond/workbook.ts'));
      const book: Workbook = {
        ...(await job.workbook()),
        names: { rows: t.nouns.rows, notes: t.workbook.notes },
        mostCells: Number.POSITIVE_INFINITY,
        modified: new Date(),
        refuse: () => new Error(t.workbook.tooLong()),
      };
      const bytes = await renderWorkbook(book, batches);
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES.xlsx! });
    }
    default:
      return format satisfies never;
  }
}

async function collect(content: AsyncIterable<string | Uint8Array>, type: string): Promise<Blob> {
  const parts: BlobPart[] = [];
  for await (const part of content) parts.push(part as string | Uint8Array<ArrayBuffer>);
  return new Blob(parts, { type });
}

async function* renderLines(
  { columns }: DescribedTable,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<string> {
  const encoders = cellEncoders(columns, 'csv');
  yield encodeCsvHeader(columns);
  for await (const batch of batches) {
    let text = '';
    for (let row = 0; row < batch.rows; row++)
      for (const [column, encode] of encoders.entries()) text += encode(batch.columns[column]![row]!);
    yield text;
  }
}

const BATCH = 8192;

/** The page stays responsive between batches. */
async function* batchRows({ table, rows, signal, onRows }: ExportJob): AsyncGenerator<Batch> {
  const positions = table.columns.map(({ name }) => columnAt(rows, name));
  for (let from = 0; from < rows.rows; from += BATCH) {
    await new Promise(done => setTimeout(done));
    signal.throwIfAborted();
    const count = Math.min(BATCH, rows.rows - from);
    const columns = positions.map((position, i) => {
      const { utc } = table.columns[i]!;
      return Array.from({ length: count }, (_, row): Value => {
        const value = position < 0 ? null : rows.cell(from + row, position);
        // The encoders write the Z of timestamps in UTC.
        return utc && value !== null ? String(value).replace(/Z$/, '') : value;
      });
    });
    yield { rows: count, columns };
    onRows(from + count);
  }
}
