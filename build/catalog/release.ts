/** Releases name content; FORMAT.md section 4 gives each formula. Pure. */
import { createHash } from 'node:crypto';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export interface NamedRelease {
  readonly name: string;
  readonly release: string;
}

function lines(releases: readonly NamedRelease[]): string {
  return releases.map(({ name, release }) => `${name} ${release}\n`).join('');
}

/** First 12 digits over the contract's bytes, the slices (`year/level`) and the dimensions that it joins. */
export function datasetRelease(
  contractText: string,
  slices: readonly NamedRelease[],
  dimensions: readonly NamedRelease[],
): string {
  return sha256(`${sha256(contractText)}\n${lines(slices)}${lines(dimensions)}`).slice(0, 12);
}

/** `2026-11-21-3f9a2b7c`: the date, and 8 digits over all datasets, all dimensions and the service's own words. */
export function treeRelease(date: string, parts: readonly NamedRelease[], service: string): string {
  const sorted = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${date}-${sha256(`${lines(sorted)}${sha256(service)}\n`).slice(0, 8)}`;
}
