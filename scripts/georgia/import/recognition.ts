import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Importer } from './importer.ts';
import type { HeaderMatch, Renamed } from './source-headers.ts';
import { type SourcePart, splitSource } from './source-parts.ts';
import { parseSource } from './source-text.ts';

/** The importers that a file feeds, or why it feeds none. */
export type Recognised = { readonly importers: readonly Importer[] } | { readonly problem: string };

/** A header, its title and some rows; a JSON document is read whole. */
const HEAD_BYTES = 200_000;
const HEAD_RECORDS = 40;

interface Candidate {
  readonly importer: Importer;
  readonly match: HeaderMatch;
}

/**
 * Finds the datasets whose layouts a file has, by its headers. Among layouts that fit, that which reads most of the file
 * wins; of several alike, those that the file's name calls. A list of places is one only if no dataset reads the file.
 */
export async function recogniseFile(
  path: string,
  importers: readonly Importer[],
  renamed: Renamed = new Map(),
): Promise<Recognised> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parts = await splitSource(path, bytes);
  if ('problem' in parts) return parts;
  const found = new Set<Importer>();
  for (const part of parts) {
    const fed = recognisePart(part, `${basename(path)} ${part.name}`, importers, renamed);
    if ('problem' in fed) return fed;
    for (const importer of fed.importers) found.add(importer);
  }
  if (found.size > 0) return { importers: importers.filter(importer => found.has(importer)) };
  const all = importers.flatMap(({ shapes }) => shapes);
  const nearest = parts.map(part => parseSource(headOf(part), all, renamed));
  const near = nearest.find(text => 'problem' in text && text.near) ?? nearest[0]!;
  return { problem: 'problem' in near ? near.problem : 'fits no known layout' };
}

function recognisePart(
  part: SourcePart,
  name: string,
  importers: readonly Importer[],
  renamed: Renamed,
): Recognised {
  const head = headOf(part);
  const fits = importers.flatMap((importer): Candidate[] => {
    if (importer.shapes.length === 0) return [];
    const text = parseSource(head, importer.shapes, renamed);
    return 'problem' in text ? [] : [{ importer, match: text.match }];
  });
  const datasets = fits.filter(({ importer }) => importer.target.kind === 'dataset');
  const candidates = datasets.length > 0 ? datasets : fits;
  const most = Math.max(...candidates.map(readCells));
  const nearest = candidates.filter(one => readCells(one) === most);
  // A shared file has more for one dataset than for another, and something for each.
  const best = nearest.some(({ match }) => match.shape.shared)
    ? candidates.filter(({ match }) => match.shape.shared)
    : nearest;
  if (best.length < 2) return { importers: best.map(({ importer }) => importer) };
  const called = best.filter(({ importer }) => importer.words?.test(name));
  if (called.length > 0) return { importers: called.map(({ importer }) => importer) };
  if (best.every(({ match }) => match.shape.shared))
    return { importers: best.map(({ importer }) => importer) };
  const names = best.map(({ importer }) => importer.name).join(' and ');
  return { problem: `fits ${names} alike: import it under one of these names, before the files` };
}

/** How many of the file's columns a layout reads. */
function readCells({ match }: Candidate): number {
  return new Set(match.cells.values()).size;
}

function headOf({ content }: SourcePart): SourcePart['content'] {
  if (!(content instanceof Uint8Array)) return content.slice(0, HEAD_RECORDS);
  const begins = new TextDecoder('latin1').decode(content.subarray(0, 100));
  return /^\W*[[{]/.test(begins) ? content : matchableHead(content);
}

/** Whole lines, so that no quote stays open but one of the file's own. */
function matchableHead(content: Uint8Array): Uint8Array {
  if (content.length <= HEAD_BYTES) return content;
  const head = content.subarray(0, HEAD_BYTES);
  return head.subarray(0, head.lastIndexOf(0x0a) + 1);
}
