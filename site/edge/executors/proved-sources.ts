/** Checks what a scan will read before its first row is sent, where the host can tell that a file stays the same. */
import type { ScanSource } from '../../query/plan.ts';
import type { ByteRange, Files } from '../files/files.ts';
import { proveVersion, statListed } from '../files/proof.ts';
import { planRuns } from './group-runs.ts';

/**
 * Throws TreeMismatch where a file is not as its manifest says. `footers`: whether the reader reads the ends of files
 * too, as every Parquet reader does that does not know the manifest.
 */
export async function proveSources(
  files: Files,
  sources: readonly ScanSource[],
  { footers }: { readonly footers: boolean },
  signal?: AbortSignal,
): Promise<void> {
  for (const source of sources) {
    const { file } = source;
    const { version } = await statListed(files, file, signal);
    if (version === undefined) continue;
    const ranges: ByteRange[] = planRuns([source]).map(({ start, end }) => ({ start, end }));
    if (footers) {
      const last = file.entry.row_groups.length - 1;
      const end = (file.entry.row_groups[last]?.start ?? 0) + (file.groupBytes[last] ?? 0);
      ranges.push({ start: 0, end: MAGIC_BYTES }, { start: end, end: file.entry.bytes });
    }
    for (const range of ranges) await proveVersion(files, file, version, range, signal);
  }
}

/** A Parquet file begins with these. */
const MAGIC_BYTES = 4;
