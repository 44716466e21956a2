/** The edge of a tree that is a folder of this machine. Node only. */
import { createDuckdbExecutor } from '../executors/duckdb.ts';
import type { Executor } from '../executors/executor.ts';
import { createHyparquetExecutor } from '../executors/hyparquet.ts';
import type { Files } from '../files/files.ts';
import { createEdge, type Edge, type EdgeOptions } from '../handler.ts';
import { createFolderFiles } from './folder.ts';

/** JavaScript scans what it passes over in some 50 ms, and all in some seconds, a row group at a time. */
const HYPARQUET_BUDGET = { bytes: 8 << 20, passed: 96 << 10, rows: 50_000 };

/** DuckDB scans this much in seconds, on threads of its own. */
const DUCKDB_BUDGET = { bytes: 1 << 30, rows: 100_000_000 };

/** Milliseconds for which an edge takes a release, a manifest and an answer that is a file to be current. */
export const REFRESH_AFTER = 1000;

/** Memory for decoded row groups and their text. */
export const GROUPS_BYTES = 144 << 20;

export interface ExecutorLimits {
  /** Memory for decoded row groups, in bytes. */
  readonly groupsBytes: number;
  readonly priority?: number;
  readonly duckdbThreads?: number;
  readonly duckdbMemory?: string;
}

/** hyparquet for small scans and DuckDB for large ones. */
export function folderExecutors(root: string, limits: ExecutorLimits): Executor[] {
  const { groupsBytes, priority, duckdbThreads, duckdbMemory } = limits;
  return [
    createHyparquetExecutor(HYPARQUET_BUDGET, groupsBytes / 3, (2 * groupsBytes) / 3),
    createDuckdbExecutor({
      folder: root,
      budget: DUCKDB_BUDGET,
      ...(priority !== undefined && { priority }),
      ...(duckdbThreads !== undefined && { threads: duckdbThreads }),
      ...(duckdbMemory !== undefined && { memory: duckdbMemory }),
    }),
  ];
}

export function openFolderEdge(
  root: string,
  options: Omit<EdgeOptions, 'refreshAfter' | 'sharesReads'>,
): { readonly files: Files; readonly edge: Edge } {
  const files = createFolderFiles(root);
  return { files, edge: createEdge(files, { ...options, refreshAfter: REFRESH_AFTER, sharesReads: true }) };
}
