/** What a file is to be made of. */
import type { ExploredDataset } from '../../view/dataset.ts';
import type { Question } from '../../view/question.ts';
import type { Rows } from '../../view/rows.ts';

export interface ExportJob {
  readonly dataset: ExploredDataset;
  readonly question: Question;
  /** All that are shown, in their order. */
  readonly rows: Rows;
  readonly signal: AbortSignal;
  /** Told how many rows are written. */
  onRows(written: number): void;
}
