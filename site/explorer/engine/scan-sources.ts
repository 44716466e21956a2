/** Turns any plan into row groups: DuckDB and sorting need Parquet even if a stored file is the answer. */
import type { Plan, ScanSource } from '../../query/plan.ts';

/** Returns the row groups of a plan for an answer in Parquet. */
export function listSources(plan: Plan): readonly ScanSource[] {
  switch (plan.kind) {
    case 'scan':
      return plan.sources;
    case 'stored': {
      const slices = plan.table.levels.get(plan.request.detail)?.slices ?? [];
      return slices
        .filter(({ parquet }) => parquet.path === plan.file?.path)
        .map(({ parquet }) => ({ file: parquet, groups: [...parquet.groupBytes.keys()] }));
    }
    default:
      return plan satisfies never;
  }
}

/** Sums the compressed bytes of the row groups. */
export function countBytes(sources: readonly ScanSource[]): number {
  let bytes = 0;
  for (const { file, groups } of sources) for (const index of groups) bytes += file.groupBytes[index]!;
  return bytes;
}
