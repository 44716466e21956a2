import type { Publisher } from '../contract/dataset.ts';
import { identifier, literal } from '../lake/sql.ts';

/** Most rows of a row group: of slices and dimensions, which are read whole or by key, and of history, by place. */
export const SLICE_GROUP_ROWS = 4096;
export const HISTORY_GROUP_ROWS = 2048;

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
export function parquetOptions(groupRows: number, metadata: FooterMetadata): string {
  const { license, attribution } = metadata.publisher;
  const entries = Object.entries({
    ...metadata.subject,
    version: metadata.version,
    ...(license === null ? {} : { license }),
    ...(attribution === null ? {} : { attribution }),
    ...(metadata.sample ? { sample: 'true' } : {}),
  });
  const pairs = entries.map(([name, value]) => `${identifier(name)}: ${literal(value)}`).join(', ');
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows}, WRITE_BLOOM_FILTER false, KV_METADATA {${pairs}}`;
}
