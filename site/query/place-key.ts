/**
 * Whole keys of places as text: the codes of a place from the largest part to the smallest, joined by `:`. In a code,
 * `%`, `:` and `,` are percent-encoded. An empty part means NULL. FORMAT.md, section 3.
 */
import type { Value } from './order.ts';

const RESERVED = /[%:,]/g;

/** Writes a key. An empty text and NULL look alike: no key column holds an empty text that a reader could ask for. */
export function formatPlaceKey(codes: readonly Value[]): string {
  return codes.map(code => String(code ?? '').replace(RESERVED, encodeURIComponent)).join(':');
}

/** Splits a key into its codes; null for an empty part. Returns null if the percent-encoding is not UTF-8. */
export function splitPlaceKey(text: string): readonly (string | null)[] | null {
  try {
    return text.split(':').map(part => (part === '' ? null : decodeURIComponent(part)));
  } catch {
    return null;
  }
}
