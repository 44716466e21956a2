import type { Importer } from './importer.ts';
import { type HeaderProblem, plainHeader } from './source-headers.ts';
import type { SourceText } from './source-text.ts';
import { type About, type Question, SUBJECTS } from './subjects.ts';

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
