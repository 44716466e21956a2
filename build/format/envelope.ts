/**
 * The text of a JSON page around its rows (section 3 of FORMAT.md), and the notices of samples and extracts.
 * Imports only types.
 */
import type { DimensionEnvelope, FactEnvelope, TreeExtract } from './documents.ts';

/** The first notice of every answer from a sample lake. */
export const SAMPLE_NOTICE = 'Synthetic sample data: no figure here describes a real place.';

export const SPANISH_SAMPLE_NOTICE = 'Datos sintéticos de muestra: ninguna cifra describe un lugar real.';

export function extractNotice({ only, release }: TreeExtract): string {
  const whole = release === undefined ? '' : ` Release ${release} has all of them.`;
  return `Extract: of this service's datasets, only ${only.split(',').join(', ')} are here.${whole}`;
}

/** Everything before the first row. */
export function pageHead(envelope: FactEnvelope | DimensionEnvelope): string {
  return `${JSON.stringify(envelope).slice(0, -1)},"data":[\n`;
}

export const ROW_SEPARATOR = ',\n';

export function pageTail(rows: number): string {
  return rows === 0 ? ']}\n' : '\n]}\n';
}

/** The notices of a whole tree; null if it has none. */
export function treeNotice(
  sample: boolean,
  extract: TreeExtract | null,
  sampleNotice = SAMPLE_NOTICE,
): string | null {
  const notices = [sample && sampleNotice, extract !== null && extractNotice(extract)].filter(Boolean);
  return notices.length === 0 ? null : notices.join(' ');
}
