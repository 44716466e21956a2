import type { Publisher } from '../contract/dataset.ts';
import { identifier, literal } from '../lake/sql.ts';

/** Rows of a row group. Readers take a slice whole or by key, and a copy by value. */
const GROUP_ROWS = { slice: 4096, copy: 2048 };

/** Larger files have larger groups, because writers and readers of manifests hold all groups in memory. */
const MOST_GROUPS = 4096;

/** Rows of each row group of a file except the last. */
export function groupRows(kind: keyof typeof GROUP_ROWS, rows: number): number {
  const least = GROUP_ROWS[kind];
  return least * Math.max(1, Math.ceil(rows / least / MOST_GROUPS));
}

/** Metadata in the footer of every Parquet file. */
export interface FooterMetadata {
  readonly subject: { readonly dataset: string } | { readonly dimension: string };
  readonly version: string;
  readonly publisher: Publisher;
  readonly sample: boolean;
}

/**
 * COPY options. They omit Bloom filters, which take a tenth of a file and say less than the manifest. The same rows and
 * options give the same bytes with any number of threads.
 */
export function parquetOptions(rows: number, metadata: FooterMetadata): string {
  const { license, attribution } = metadata.publisher;
  const entries = Object.entries({
    ...metadata.subject,
    version: metadata.version,
    ...(license === null ? {} : { license }),
    ...(attribution === null ? {} : { attribution }),
    ...(metadata.sample ? { sample: 'true' } : {}),
  });
  const pairs = entries.map(([name, value]) => `${identifier(name)}: ${literal(value)}`).join(', ');
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rows}, WRITE_BLOOM_FILTER false, KV_METADATA {${pairs}}`;
}
