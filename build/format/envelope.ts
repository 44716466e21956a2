/** The text of a JSON page around its rows, to the byte; FORMAT.md section 3. Imports nothing but types. */
import type { DimensionEnvelope, FactEnvelope } from './documents.ts';

/** First notice of every answer made from a sample lake. */
export const SAMPLE_NOTICE = 'Synthetic sample data: no figure here describes a real place.';

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
