/** Which datasets a file feeds, by its headers and by what it says that it is about. */
import { basename } from 'node:path';
import type { Importer, Shape } from './importer.ts';
import { readParts, type SourcePart } from './source-parts.ts';
import {
  type HeaderProblem,
  parseSource,
  plainHeader,
  type Renamed,
  type SourceText,
} from './source-text.ts';
import { type About, type Question, SUBJECTS } from './subjects.ts';

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
  const fitting = (importer: Importer, shapes: readonly Shape[]): Candidate[] => {
    if (shapes.length === 0) return [];
    const text = parseSource(head, shapes, renamed);
    if ('problem' in text) return [];
    const other = findOtherSubject(importer, file, part.name, text);
    const candidate = { importer, text };
    if (other === undefined) return [candidate];
    others.push({ ...candidate, problem: other.problem });
    return [];
  };
  const isOfDataset = ({ importer }: Candidate) => importer.target.kind === 'dataset';
  let fits = importers.flatMap(importer => fitting(importer, importer.published));
  // Reading all contracts takes longer than reading most files.
  if (!fits.some(isOfDataset) && others.length === 0)
    fits = importers.flatMap(importer => fitting(importer, importer.shapes));
  const datasets = fits.filter(isOfDataset);
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

/** Headers of columns that name the report in every row, as in GOSA's files since 2023. */
const LABELS = /^(rptname|reportname|report|assmtcd|assessmentcode|assessmentname|assessmenttype|testname)$/;

/** Headers of columns that name the figure of a row. */
const KINDS = /^(highestrecentind|.*(label|indicator|cmpnt|component|measure|ratetype).*)$/;

const LONGEST_TEXT = 200;
const MOST_TEXTS = 1000;

interface Statement {
  readonly texts: readonly { readonly place: string; readonly text: string; readonly remedy?: string }[];
  /** True if a text without a known subject is about something else too. */
  readonly label?: boolean;
}

/**
 * Why a table isn't of the importer's dataset, if its file says that it is about something else: in its name, in that of
 * its sheet or member, in the lines above the header, or in a column of labels.
 */
export function findOtherSubject(
  { name: dataset, about: own }: Importer,
  file: string,
  part: string,
  source: SourceText,
): HeaderProblem | undefined {
  const { shape, cells } = source.match;
  const about: About = { ...own, ...shape.about?.(new Set(cells.keys())) };
  for (const { texts, label } of statementsOf(file, part, source)) {
    const other = Object.entries(about).flatMap(([question, own]) =>
      // A shared layout has both attempts.
      shape.shared && question === 'attempt' ? [] : findOthers(question as Question, own, texts, label),
    )[0];
    if (other !== undefined) {
      const problem = `is about something else than ${dataset}: ${other.place} "${other.text}"`;
      return { problem: `${problem}${other.remedy ?? ''}`, near: true };
    }
  }
  return undefined;
}

function findOthers(
  question: Question,
  own: readonly string[],
  texts: Statement['texts'],
  label = false,
): Statement['texts'] {
  const subjects: Readonly<Record<string, RegExp>> = SUBJECTS[question];
  const named = texts.map(({ text }) =>
    Object.keys(subjects).filter(subject => subjects[subject]!.test(plainText(text))),
  );
  const isOwn = (found: readonly string[]) => found.some(subject => own.includes(subject));
  if (label && question === 'report') return texts.filter((_, index) => !isOwn(named[index]!));
  return named.some(isOwn) ? [] : texts.filter((_, index) => named[index]!.length > 0);
}

function statementsOf(file: string, part: string, { records, match, unit }: SourceText): Statement[] {
  const line = (record: number) => `${unit} ${records[record]!.line}`;
  const titles = records.slice(0, match.record).map(({ cells }, record) => ({
    place: `${line(record)} says`,
    text: cells
      .filter(cell => cell !== '')
      .join(' ')
      .slice(0, LONGEST_TEXT),
  }));
  return [
    { texts: [{ place: 'its name is', text: file, remedy: '; rename it if that is wrong' }] },
    ...(part === '' ? [] : [{ texts: [{ place: 'the name of its sheet or member is', text: part }] }]),
    { texts: titles },
    ...match.header.flatMap((header, index): Statement[] => {
      const plain = plainHeader(header);
      const label = LABELS.test(plain) && ![...match.cells.values()].includes(index);
      if (match.shape.records || !(label || KINDS.test(plain))) return [];
      const seen = new Map<string, string>();
      for (const [record, { cells }] of records.entries()) {
        const text = (cells[index] ?? '').slice(0, LONGEST_TEXT);
        if (record < match.body || text === '' || seen.has(text) || seen.size === MOST_TEXTS) continue;
        // A note below the rows fills one or two cells.
        if (cells.filter(cell => cell !== '').length > 2)
          seen.set(text, `the column ${header} on ${line(record)} says`);
      }
      return [{ texts: [...seen].map(([text, place]) => ({ place, text })), label }];
    }),
  ];
}

/** Small letters and digits, with a space between words however they are joined. */
function plainText(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Columns of lists of places that may hold numbers, by their last word or any word. */
const OF_LISTS =
  /\b(zip|phone|fax|lat|lon|long|latitude|longitude|code|cd|id|nces|fips|geoid|number|num|no|year|grades?|served|x|y)$|\b(zip|phone|aland|awater|intpt\w*)\b/;

/** A figure that a list of places wouldn't have, with its column: such a file is about something else. */
export function findFigure({ records, match, unit }: SourceText): string | undefined {
  const used = new Set(match.cells.values());
  const body = records.slice(match.body);
  for (const [index, header] of match.header.entries()) {
    if (used.has(index) || header === '' || OF_LISTS.test(plainText(header))) continue;
    const filled = body.filter(({ cells }) => (cells[index] ?? '') !== '');
    const figures = filled.filter(({ cells }) =>
      /^([-+]?(\d{1,3}(,\d{3})+|\d*)(\.?\d+)?\s*%?|TFS|Too Few Students)$/i.test(cells[index]!),
    );
    if (figures.length > 0 && 2 * figures.length >= filled.length)
      return `the column ${header} holds "${figures[0]!.cells[index]}" on ${unit} ${figures[0]!.line}`;
  }
  return undefined;
}
