/** The text of a JSON page around its rows, to the byte; FORMAT.md section 3. Imports nothing but types. */
import type { DimensionEnvelope, FactEnvelope } from './documents.ts';

/** First notice of every answer made from a sample lake. */
export const SAMPLE_NOTICE = 'Synthetic sample data: no figure here describes a real place.';

/** What every document of an extract's tree says of it, as far as it has words. */
export function extractNotice({
  only,
  release,
}: {
  readonly only: string;
  readonly release?: string;
}): string {
  const whole = release === undefined ? '' : ` Release ${release} has all of them.`;
  return `Extract: of this service's datasets, only ${only.split(',').join(', ')} are here.${whole}`;
}

/** Everything before the first row. The envelope's own order of fields is the published one. */
export function pageHead(envelope: FactEnvelope | DimensionEnvelope): string {
  return `${JSON.stringify(envelope).slice(0, -1)},"data":[\n`;
}

/** Between two rows. */
export const ROW_SEPARATOR = ',\n';

/** Everything after the last row of a page that has rows, and of one that has none. */
export function pageTail(rows: number): string {
  return rows === 0 ? ']}\n' : '\n]}\n';
}

/** The notices of a tree as a whole; null where there is none. */
export function treeNotice(
  sample: boolean,
  extract: { readonly only: string; readonly release?: string } | null,
): string | null {
  const notices = [...(sample ? [SAMPLE_NOTICE] : []), ...(extract === null ? [] : [extractNotice(extract)])];
  return notices.length === 0 ? null : notices.join(' ');
}
