/** Drafts random tables, builds the drafts, and compares every published value with the table's. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type DraftedTable, draft } from '../../build/draft/draft.ts';
import { RefusedError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import { withTemporaryFolder } from '../../build/tree/workspace.ts';
import { type Reading, readText } from './cell-forms.ts';
import { type RandomTable, type Row, TABLES, writeTable } from './random-table.ts';
import { trySeeds } from './seeds.ts';

/** The most tables of one lake. */
const MOST_TABLES = 10;
/** Lakes per seed. Further seeds follow until there are enough tables. */
const BATCHES = 5;
/** Time for shrinking a failure: each smaller lake is a build. */
const SHRINKING_MS = 180_000;

/** `failure`: the fewest tables that show one, and how to repeat it; null if all are right. */
export async function fuzzDrafts(tables: number, seed: number) {
  // `asked`: tables whose drafts ask something and build after an answer. `refused`: tables that `init` should refuse.
  const sums = { drafted: 0, asked: 0, refused: 0 };
  const batch = fc.array(TABLES, { minLength: MOST_TABLES / 2, maxLength: MOST_TABLES, size: 'max' });
  const property = fc.asyncProperty(batch, async list => {
    const named = new Map(list.map((table, i) => [`t${i}.${table.format}`, table]));
    const problem = await tryTables(named, sums).catch((error: Error) => `failed: ${error.stack}`);
    const shapes = list.map(({ format, dialect, readings }) => JSON.stringify({ format, dialect, readings }));
    if (problem !== null) throw new Error([problem, ...shapes].join('\n'));
  });
  const numRuns = Math.min(BATCHES, Math.ceil(tables / MOST_TABLES));
  const options = { numRuns, interruptAfterTimeLimit: SHRINKING_MS };
  const failure = await trySeeds(property, seed, options, () => sums.drafted + sums.refused >= tables);
  return { ...sums, failure };
}

/** Null if all is right, and the tables are counted; otherwise what is wrong. */
async function tryTables(
  tables: ReadonlyMap<string, RandomTable>,
  sums: { drafted: number; asked: number; refused: number },
): Promise<string | null> {
  if (tables.size === 0) return null;
  return withTemporaryFolder(async root => {
    const given = path.join(root, 'given');
    await mkdir(given);
    for (const [name, table] of tables) await writeFile(path.join(given, name), await writeTable(table));
    const options = { folder: root, domain: 'd', memory: '512MB', jobs: 1 };
    const result = await orRefusal(draft({ ...options, inputs: [given] }));
    if (result instanceof RefusedError) {
      const said = new Map(result.diagnostics.map(one => [path.basename(one.file), one.message]));
      for (const [name, { refusal }] of tables) {
        const why = said.get(name);
        if (why !== undefined && (refusal === null || !why.includes(refusal))) return `refused: ${why}`;
      }
      const others = [...tables].filter(([name]) => !said.has(name));
      if (others.length === tables.size) return `refused: ${[...said.values()]}`;
      sums.refused += tables.size - others.length;
      return tryTables(new Map(others), sums);
    }
    const asked = result.tables.filter(
      ({ questions, columns }) =>
        questions.length > 0 || columns.some(({ reading }) => reading.doubt !== null),
    );
    if (asked.length > 0) {
      const refusal = await orRefusal(buildAll(root));
      if (!(refusal instanceof RefusedError)) return 'builds before its question is answered';
      const open = asked.flatMap(({ columns }) => columns.filter(({ reading }) => reading.doubt !== null));
      // If a contract can't be compiled, the build doesn't get to questions about rows.
      const others = reasonsOf(refusal).filter(
        why => !why.includes('file_layout') && !open.some(({ name }) => why.includes(name)),
      );
      if (others.length > 0) return `before an answer, the build says ${others[0]!.slice(0, 300)}`;
    }
    const drafted = result.tables.map(one => ({ ...one, table: tables.get(path.basename(one.file))! }));
    const answers: Answers[] = [];
    for (const one of drafted)
      answers.push(await answerQuestions(path.join(root, one.contract), one, one.table.answer));
    const refusal = await orRefusal(buildAll(root));
    if (refusal instanceof RefusedError) return `drafted, but ${reasonsOf(refusal).join(' | ')}`;
    for (const [i, one] of drafted.entries()) {
      const wrong = await compareRows(root, one.table, one, answers[i]!);
      if (wrong !== null) return wrong;
    }
    sums.drafted += tables.size;
    sums.asked += asked.length;
    return null;
  });
}

function orRefusal<Result>(work: Promise<Result>): Promise<Result | RefusedError> {
  return work.catch((error: unknown) => {
    if (error instanceof RefusedError) return error;
    throw error;
  });
}

function reasonsOf({ diagnostics, failures }: RefusedError): string[] {
  const rules = failures.map(({ subject, outcome }) => `${subject} ${outcome.check.name}`);
  return [...diagnostics.filter(({ severity }) => severity === 'error').map(one => one.message), ...rules];
}

async function buildAll(root: string): Promise<void> {
  const at = (name: string) => path.join(root, name);
  const folders = { contracts: at('contracts'), data: at('data'), out: at('dist'), previous: null };
  const limits = { jobs: 1, memory: '512MB', releaseDate: '2026-11-21' };
  await build({ ...folders, ...limits, only: null, strict: false, baseUrl: null }, () => undefined);
}

interface Answers {
  /** Texts that begin lines that aren't rows. */
  readonly skipped: readonly string[];
  /** `reading`: what an answer says, if something was asked. */
  readonly columns: readonly {
    readonly reading: Reading | undefined;
    readonly missing: ReadonlySet<string>;
  }[];
}

/** Uncomments one of the answers to each question of a contract. */
async function answerQuestions(
  contract: string,
  { columns }: DraftedTable,
  answer: number,
): Promise<Answers> {
  const [head = '', ...blocks] = (await readFile(contract, 'utf8')).split(/^(?= {6}- name: )/m);
  const skipped: string[] = [];
  // The first answer skips the lines in question.
  const settled = head.replace(
    /# question: .*\n( *)# (- \{ property: file_layout, value: (.*) \})/g,
    (_all, space, line, value) => {
      skipped.push(...(parse(value).skip_rows ?? []));
      return `${space}${line}`;
    },
  );
  const answered = columns.map(({ reading: { doubt }, type, odd, far }, i) => {
    let block = blocks[i]!;
    let reading: Reading | undefined;
    if (doubt !== null && doubt.answers.length > 0) {
      const { yaml } = doubt.answers[(answer + i) % doubt.answers.length]!;
      if (yaml.includes('column_role')) block = block.replace(/^ *- \{ property: column_role.*\n/m, '');
      block = block.replace(`# ${yaml}`, () => yaml);
      const said = parse(yaml);
      reading = Array.isArray(said) ? { [said[0].property]: said[0].value } : said.logicalTypeOptions;
    }
    const none = type === 'string' ? [] : (odd?.missing ?? []);
    const few = (answer >> i) % 2 === 0 ? (far?.values ?? []) : [];
    block = block.replace(
      /# (- \{ property: (?:missing_values|value_m..), .*\}) # (there is no figure|it is a figure).*/g,
      (all, line, what) => ((what === 'there is no figure') === few.length > 0 ? line : all),
    );
    if (few.length > 0 && none.length > 0)
      block = block.replace(/^ *- \{ property: missing_values.*# guess.*\n/m, '');
    return { block, reading, missing: new Set([...none, ...few.map(({ value }) => String(value))]) };
  });
  const rest = blocks.slice(columns.length);
  await writeFile(contract, [settled, ...answered.map(({ block }) => block), ...rest].join(''));
  return { columns: answered, skipped };
}

async function compareRows(
  root: string,
  table: RandomTable,
  drafted: DraftedTable,
  answers: Answers,
): Promise<string | null> {
  const folder = drafted.kind === 'dimension' ? `d/_dimensions/${drafted.name}` : `d/${drafted.name}`;
  const found = await readRows(path.join(root, 'dist/api/v1', folder));
  const clean = table.columns.map(name => name.replace(/[\r\n]+/g, ' ').trim());
  const columns = drafted.columns.map((one, i) => ({
    ...{ name: one.name, type: one.type, at: clean.indexOf(one.name) },
    ...answers.columns[i]!,
  }));
  const lost = columns.find(({ at }) => at < 0);
  // A header with an empty cell may be read as the first of two header lines.
  const isJoined = table.refusal !== null && drafted.notes.some(note => note.startsWith('The header has'));
  if (lost !== undefined) return isJoined ? null : `column ${JSON.stringify(lost.name)} is not in the file`;
  const isText = table.format !== 'parquet';
  // In JSON lines and Parquet, an empty text is a value.
  const isTable = isText && table.format !== 'jsonl';
  const isRow = (row: Row) => {
    const texts = row.flatMap(text => text?.trim() ?? []).filter(text => text !== '');
    const isSkipped = answers.skipped.some(start => texts[0]?.startsWith(start) || texts.includes(start));
    // Formatting leaves spaces in rows of a sheet that nobody filled in.
    const isFilled = table.format === 'xlsx' ? texts.length > 0 : row.some(Boolean);
    return !isSkipped && (!isTable || isFilled);
  };
  const meantBy = (row: Row, { at, type, reading: said, missing }: (typeof columns)[number]) => {
    const text = (isText ? row[at]?.replace(/\r\n?/g, '\n') : row[at]) ?? null;
    if (text === null || (text === '' && isTable)) return null;
    // An answer about marks or the order of a date replaces the table's own reading.
    const reading = said?.decimal || said?.group || said?.format ? said : { ...table.readings[at]!, ...said };
    // The answer may spell the number differently.
    // DuckDB writes NaN as nan.
    const marks = [text.trim().replace('nan', 'NaN'), String(readText(text, 'number', reading))];
    return marks.some(one => missing.has(one)) ? null : readText(text, type, reading);
  };
  const written = (rows: readonly unknown[][]) => rows.map(row => JSON.stringify(row)).sort();
  const wanted = written(table.rows.filter(isRow).map(row => columns.map(one => meantBy(row, one))));
  const got = written(found.map(row => columns.map(({ name }) => row[name] ?? null)));
  const at = [...wanted, undefined].findIndex((line, i) => line !== got[i]);
  if (at < 0) return null;
  return `${wanted.length} rows in the file, ${got.length} published; of ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')} ${String(wanted[at]).slice(0, 300)} became ${String(got[at]).slice(0, 300)}`;
}

async function readRows(folder: string): Promise<Readonly<Record<string, unknown>>[]> {
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter(name => /(^|\/)(all|rows)(\.page-\d+)?\.json$/.test(name));
  const rows = await Promise.all(
    pages.map(async name => JSON.parse(await readFile(path.join(folder, name), 'utf8')).data),
  );
  // Other documents have no list in `data`.
  return rows.filter(Array.isArray).flat();
}
