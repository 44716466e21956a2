import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Importer } from './importer.ts';
import type { HeaderMatch, Renamed } from './source-headers.ts';
import { type SourcePart, splitSource } from './source-parts.ts';
import { findFigure, findOtherSubject } from './source-subject.ts';
import { parseSource, type SourceText } from './source-text.ts';

/** The importers that a file feeds, or why it feeds none. */
export type Recognised =
  | { readonly importers: readonly Importer[] }
  | {
      readonly problem: string;
      /** True if it fits several, of which only a name can choose. */
      readonly alike?: true;
    };

/** A header, its title and some rows; a JSON document is read whole. */
const HEAD_BYTES = 200_000;
const HEAD_RECORDS = 40;

interface Candidate {
  readonly importer: Importer;
  readonly text: SourceText;
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
  let other: Recognised | undefined;
  for (const part of parts) {
    const fed = recognisePart(part, basename(path), importers, renamed);
    if (!('problem' in fed)) for (const importer of fed.importers) found.add(importer);
    else if (fed.alike) return fed;
    else other ??= fed;
  }
  if (found.size > 0) return { importers: importers.filter(importer => found.has(importer)) };
  if (other !== undefined) return other;
  const all = importers.flatMap(({ shapes }) => shapes);
  const nearest = parts.map(part => parseSource(headOf(part), all, renamed));
  const near = nearest.find(text => 'problem' in text && text.near) ?? nearest[0]!;
  const problem = 'problem' in near ? near.problem : 'fits no known layout';
  return { problem: problem.replace(/^no line .*/, 'fits no known layout: no line holds a header of any') };
}

function recognisePart(
  part: SourcePart,
  file: string,
  importers: readonly Importer[],
  renamed: Renamed,
): Recognised {
  const head = headOf(part);
  const others: (Candidate & { readonly problem: string })[] = [];
  const fits = importers.flatMap((importer): Candidate[] => {
    if (importer.shapes.length === 0) return [];
    const text = parseSource(head, importer.shapes, renamed);
    if ('problem' in text) return [];
    const other = findOtherSubject(importer.name, file, part.name, text);
    const candidate = { importer, text, match: text.match };
    if (other === undefined) return [candidate];
    others.push({ ...candidate, problem: other.problem });
    return [];
  });
  const datasets = fits.filter(({ importer }) => importer.target.kind === 'dataset');
  const [nearestOther] = others.sort((a, b) => readCells(b) - readCells(a));
  if (datasets.length === 0 && nearestOther !== undefined) return { problem: nearestOther.problem };
  const candidates = datasets.length > 0 ? datasets : fits;
  const most = Math.max(...candidates.map(readCells));
  const nearest = candidates.filter(one => readCells(one) === most);
  const [list] = datasets.length > 0 ? [] : nearest;
  const figure = list && findFigure(list.text);
  if (figure !== undefined) {
    const tables = importers
      .filter(({ target }) => target.kind === 'dataset')
      .flatMap(({ shapes }) => shapes);
    const nearest = parseSource(head, tables, renamed);
    return {
      problem:
        `${'problem' in nearest ? nearest.problem : 'fits no known layout'} (it has codes of places, but isn't a list ` +
        `of them: ${figure}; to read its places alone, write ${list!.importer.name} before the file)`,
    };
  }
  // A shared file has more for one dataset than for another, and something for each.
  const best = nearest.some(({ match }) => match.shape.shared)
    ? candidates.filter(({ match }) => match.shape.shared)
    : nearest;
  if (best.length < 2) return { importers: best.map(({ importer }) => importer) };
  const called = best.filter(({ importer }) => importer.words?.test(`${file} ${part.name}`));
  if (called.length > 0) return { importers: called.map(({ importer }) => importer) };
  if (best.every(({ match }) => match.shape.shared))
    return { importers: best.map(({ importer }) => importer) };
  const names = best.map(({ importer }) => importer.name).join(' and ');
  return {
    problem: `fits ${names} alike: import it under one of these names, before the files`,
    alike: true,
  };
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
