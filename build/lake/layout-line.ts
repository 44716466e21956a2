/** The line of a contract that settles where the table of a file is. */
import type { FileLayout } from '../contract/dataset.ts';

/** The whole property, with what the contract states already. */
export function layoutLine(stated: FileLayout, settled: FileLayout): string {
  const entries = Object.entries({ ...stated, ...settled }).map(([key, value]) => `${key}: ${flow(value)}`);
  return `{ property: file_layout, value: { ${entries.join(', ')} } }`;
}

function flow(value: NonNullable<FileLayout[keyof FileLayout]>): string {
  if (typeof value === 'number' || value === 'skip' || value === 'read') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(one => JSON.stringify(one)).join(', ')}]`;
  const entries = Object.entries(value).map(pair => pair.map(one => JSON.stringify(one)).join(': '));
  return `{ ${entries.join(', ')} }`;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** Asks whether rows that begin with one of the texts, or have it as a value, are rows. */
export function askRows(what: string, texts: readonly string[], stated: FileLayout): string {
  const skipped = [...(stated.skip_rows ?? []), ...texts.map(text => text.slice(0, 40).trim())];
  return `${what}. Say in the contract whether it is a row: ${layoutLine(stated, { skip_rows: skipped })} leaves out rows that begin so, ${layoutLine(stated, { skip_rows: [] })} publishes all rows.`;
}

/** Says how a contract confirms that the last lines are no rows. */
export function settleFooter(texts: readonly string[], stated: FileLayout): string {
  const starts = texts.map(text => text.trim().slice(0, 20).trim());
  const skipped = [...new Set([...(stated.skip_rows ?? []), ...starts.filter(Boolean)])];
  return `If that is right, say so in the contract: ${layoutLine(stated, { skip_rows: skipped })}.`;
}
