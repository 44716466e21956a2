import type { Publisher } from '../contract/dataset.ts';
import { identifier, literal } from '../lake/sql.ts';

/** Rows of a row group: of slices and dimensions, which are read whole or by key, and of history, by place. */
const GROUP_ROWS = { slice: 4096, history: 2048 };

/** Of a larger file the groups are larger: whoever writes it, or reads its manifest, has all of them in memory. */
const MOST_GROUPS = 4096;

/** Rows of each row group of a file but the last. */
export function groupRows(kind: keyof typeof GROUP_ROWS, rows: number): number {
  const least = GROUP_ROWS[kind];
  return least * Math.max(1, Math.ceil(rows / least / MOST_GROUPS));
}

/** What every Parquet file says of itself in its footer. */
export interface FooterMetadata {
  readonly subject: { readonly dataset: string } | { readonly dimension: string };
  readonly version: string;
  readonly publisher: Publisher;
  readonly sample: boolean;
}

/**
 * COPY options. Bloom filters are left out: the manifest says more about row groups, and they cost a tenth of a
 * file. The same rows and options give the same bytes whatever the number of threads. */
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
