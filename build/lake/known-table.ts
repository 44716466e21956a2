/** What a reader of tables is given: a file, and what a contract knows of its table. */
import type { FileLayout } from '../contract/dataset.ts';
import type { LakeFile } from './lake-files.ts';

export type TextFile = Pick<LakeFile, 'path' | 'absolute' | 'bytes'>;

export interface KnownTable {
  /** Names of columns. */
  readonly expected: ReadonlySet<string>;
  readonly layout: FileLayout;
  /** Values that columns may have: a total among them is a row like others. */
  readonly values: ReadonlySet<string>;
}

export const UNKNOWN_TABLE: KnownTable = { expected: new Set(), layout: {}, values: new Set() };
