import { basename } from 'node:path';
import type { Importer } from './importer.ts';
import type { Renamed } from './source-headers.ts';
import { type SourcePart, readParts } from './source-parts.ts';
import { findFigure, findOtherSubject } from './source-subject.ts';
import { parseSource, type SourceText } from './source-text.ts';

/** The importers that a file feeds, or why it feeds none. */
type Recognised =
  | { readonly importers: readonly Importer[] }
  | {
      readonly problem: string;
      /** True if it fits several importers, so that someone must name one. */
      readonly alike?: true;
    };

/** Enough for a header, its title and some rows. A JSON document is read whole. */
const HEAD_BYTES = 200_000;
const HEAD_RECORDS = 40;

interface Candidate {
  readonly importer: Importer;
  readonly text: SourceText;
}

/**
 * Finds the importers whose layouts a file has. The layout that reads most of the file's columns wins; words
 * in the file's name choose among several. A file is a list of places only if no dataset reads it.
 */
export async function recogniseFile(
  path: string,
  importers: readonly Importer[],
  renamed: Renamed = new Map(),
): Promise<Recognised> {
  const parts = await readParts(path);
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
    const other = findOtherSubject(importer, file, part.name, text);
    const candidate = { importer, text };
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
        `of them: ${figure}; to read only its places, write ${list!.importer.name} before the file)`,
    };
  }
  // A shared file feeds all its datasets, though one reads more of it than another.
  const best = nearest.some(({ text }) => text.match.shape.shared)
    ? candidates.filter(({ text }) => text.match.shape.shared)
    : nearest;
  if (best.length < 2) return { importers: best.map(({ importer }) => importer) };
  const called = best.filter(({ importer }) => importer.words?.test(`${file} ${part.name}`));
  if (called.length > 0) return { importers: called.map(({ importer }) => importer) };
  if (best.every(({ text }) => text.match.shape.shared))
    return { importers: best.map(({ importer }) => importer) };
  const names = best.map(({ importer }) => importer.name).join(' and ');
  return {
    problem: `fits ${names} alike: import it under one of these names, before the files`,
    alike: true,
  };
}

function readCells({ text }: Candidate): number {
  return new Set(text.match.cells.values()).size;
}

function headOf({ content }: SourcePart): SourcePart['content'] {
  if (!(content instanceof Uint8Array)) return content.slice(0, HEAD_RECORDS);
  const begins = new TextDecoder('latin1').decode(content.subarray(0, 100));
  return /^\W*[[{]/.test(begins) ? content : matchableHead(content);
}

/** Whole lines: a cut line might leave a quote open. */
function matchableHead(content: Uint8Array): Uint8Array {
  if (content.length <= HEAD_BYTES) return content;
  const head = content.subarray(0, HEAD_BYTES);
  return head.subarray(0, head.lastIndexOf(0x0a) + 1);
}
