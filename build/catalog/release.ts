/** Computes releases, which name content. Section 4 of FORMAT.md gives each formula. Pure. */
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

/** 12 digits over the contract's bytes, the slices (`year/level`) and the joined dimensions. */
export function datasetRelease(
  contractText: string,
  slices: readonly NamedRelease[],
  dimensions: readonly NamedRelease[],
): string {
  return sha256(`${sha256(contractText)}\n${lines(slices)}${lines(dimensions)}`).slice(0, 12);
}

/** 12 digits over a level's slices (`year/level`). */
export function levelRelease(slices: readonly NamedRelease[]): string {
  return sha256(lines(slices)).slice(0, 12);
}

/** `2026-11-21-3f9a2b7c`: the date, and 8 digits over all datasets, all dimensions and the publisher's texts. */
export function treeRelease(date: string, parts: readonly NamedRelease[], service: string): string {
  const sorted = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${date}-${sha256(`${lines(sorted)}${sha256(service)}\n`).slice(0, 8)}`;
}
