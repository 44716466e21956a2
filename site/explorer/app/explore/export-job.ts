/** The rows to write to a file. */
import type { ExploredDataset } from '../../view/dataset.ts';
import type { Question } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';

export interface ExportJob {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  /** All shown rows, in their order. */
  readonly rows: Rows;
  readonly signal: AbortSignal;
  /** Receives the number of rows written so far. */
  onRows(written: number): void;
}
