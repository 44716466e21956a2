/** The exact text of a JSON page around its rows (section 3 of FORMAT.md). Imports only types. */
import type { DimensionEnvelope, FactEnvelope } from './documents.ts';

/** The first notice of every answer from a sample lake. */
export const SAMPLE_NOTICE = 'Synthetic sample data: no figure here describes a real place.';

/** The same, on pages in Spanish. */
export const SPANISH_SAMPLE_NOTICE = 'Datos sintéticos de muestra: ninguna cifra describe un lugar real.';

/** The sentence with which documents of an extract describe it. */
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

/** Everything before the first row. The published order of fields is the envelope's own. */
export function pageHead(envelope: FactEnvelope | DimensionEnvelope): string {
  return `${JSON.stringify(envelope).slice(0, -1)},"data":[\n`;
}

export const ROW_SEPARATOR = ',\n';

/** Everything after the last row of a page with `rows` rows. */
export function pageTail(rows: number): string {
  return rows === 0 ? ']}\n' : '\n]}\n';
}

/** The notices of a whole tree, where `sampleNotice` is that of a sample; null if it has none. */
export function treeNotice(
  sample: boolean,
  extract: { readonly only: string; readonly release?: string } | null,
  sampleNotice = SAMPLE_NOTICE,
): string | null {
  const notices = [...(sample ? [sampleNotice] : []), ...(extract === null ? [] : [extractNotice(extract)])];
  return notices.length === 0 ? null : notices.join(' ');
}
