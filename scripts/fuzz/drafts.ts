/** Drafts random tables, builds the drafts, and compares every published value with the table's. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { type DraftedTable, draft } from '../../build/draft/draft.ts';
import { RefusedError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import { type Reading, readText } from './cell-forms.ts';
import { type RandomTable, TABLES } from './random-table.ts';
import { trySeeds } from './seeds.ts';

interface DraftCounts {
  drafted: number;
  /** Tables whose drafts ask something and build after an answer. */
  asked: number;
  /** Tables that `init` refuses as it should. */
  refused: number;
}

/** The most tables of one lake. */
const MOST_TABLES = 10;
/** Lakes per seed. Further seeds follow until there are enough tables. */
const BATCHES = 5;
/** Time for shrinking a failure: each smaller lake is a build. */
const SHRINKING_MS = 180_000;

/** `failure`: the fewest tables that show one, and how to repeat it; null if all are right. */
export async function fuzzDrafts(tables: number, seed: number) {
  const sums: DraftCounts = { drafted: 0, asked: 0, refused: 0 };
  const batch = fc.array(TABLES, { minLength: MOST_TABLES / 2, maxLength: MOST_TABLES, size: 'max' });
  const property = fc.asyncProperty(batch, async list => {
    const problem = await tryTables(new Map(list.map((table, i) => [`t${i}.${table.format}`, table])), sums);
    if (problem !== null) throw new Error(problem);
  });
  const numRuns = Math.min(BATCHES, Math.ceil(tables / MOST_TABLES));
  const options = { numRuns, interruptAfterTimeLimit: SHRINKING_MS };
  const failure = await trySeeds(property, seed, options, () => sums.drafted + sums.refused >= tables);
  return { ...sums, failure };
}

/** Null if all is right, and the tables are counted; otherwise what is wrong. */
async function tryTables(
  tables: ReadonlyMap<string, RandomTable>,
  sums: DraftCounts,
): Promise<string | null> {
  if (tables.size === 0) return null;
  const root = await mkdtemp(path.join(os.tmpdir(), 'civic-drafts-'));
  try {
    const given = path.join(root, 'given');
    await mkdir(given);
    for (const [name, table] of tables) await writeFile(path.join(given, name), await table.write());
    let drafted: readonly DraftedTable[];
    try {
      const options = { folder: root, domain: 'd', memory: '512MB', jobs: 1 };
      drafted = (await draft({ ...options, inputs: [given] })).tables;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const said = new Map(error.diagnostics.map(one => [path.basename(one.file), one.message]));
      for (const [name, { refusal, dialect }] of tables) {
        const why = said.get(name);
        if (why !== undefined && (refusal === null || !why.includes(refusal)))
          return `refused, ${dialect}: ${why}`;
      }
      const others = [...tables].filter(([name]) => !said.has(name));
      if (others.length === tables.size) return `refused: ${[...said.values()]}`;
      sums.refused += tables.size - others.length;
      return tryTables(new Map(others), sums);
    }
    const tableOf = ({ file }: DraftedTable) => tables.get(path.basename(file))!;
    const asked = drafted.filter(isAsked);
    const unasked = asked.length === 0 ? null : await unansweredBuild(root, asked);
    if (unasked !== null) return unasked;
    const answers = new Map<DraftedTable, Answers>();
    for (const one of drafted)
      answers.set(one, await answerQuestions(path.join(root, one.contract), one, tableOf(one).answer));
    await buildAll(root);
    for (const one of drafted) {
      const wrong = await compareRows(root, tableOf(one), one, answers.get(one)!);
      if (wrong !== null) return `${tableOf(one).dialect}: ${wrong}`;
    }
    sums.drafted += tables.size;
    sums.asked += asked.length;
    return null;
  } catch (error) {
    const dialects = [...tables.values()].map(({ dialect }) => dialect);
    if (error instanceof RefusedError) return `drafted, but ${reasonsOf(error).join(' | ')}: ${dialects}`;
    return `failed: ${error instanceof Error ? error.stack : String(error)}: ${dialects}`;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
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

const isAsked = ({ questions, columns }: DraftedTable) =>
  questions.length > 0 || columns.some(({ reading }) => reading.doubt !== null);

/** Null if the build refuses each question by name. */
async function unansweredBuild(root: string, asked: readonly DraftedTable[]): Promise<string | null> {
  try {
    await buildAll(root);
    return 'builds before its question is answered';
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const open = asked.flatMap(({ columns }) => columns.filter(({ reading }) => reading.doubt !== null));
    // If a contract can't be compiled, the build doesn't get to questions about rows.
    const others = reasonsOf(error).filter(
      why => !why.includes('file_layout') && !open.some(({ name }) => why.includes(name)),
    );
    return others.length === 0 ? null : `before an answer, the build says ${others[0]!.slice(0, 300)}`;
  }
}

interface Answers {
  /** The reading that an answer gave each column; null: nothing was asked. */
  readonly columns: readonly (Reading | null)[];
  readonly missing: readonly ReadonlySet<string>[];
  /** Texts that begin lines that aren't rows. */
  readonly skipped: readonly string[];
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
  const chosen: (Reading | null)[] = [];
  const missing: ReadonlySet<string>[] = [];
  const rest = blocks.map((block, i) => {
    const column = columns[i];
    if (column === undefined) return block;
    const { doubt } = column.reading;
    let own = block;
    chosen.push(null);
    if (doubt !== null && doubt.answers.length > 0) {
      const { yaml } = doubt.answers[(answer + i) % doubt.answers.length]!;
      if (yaml.includes('column_role')) own = own.replace(/^ *- \{ property: column_role.*\n/m, '');
      own = own.replace(`# ${yaml}`, () => yaml);
      const said = parse(yaml);
      chosen[i] = Array.isArray(said) ? { [said[0].property]: said[0].value } : said.logicalTypeOptions;
    }
    const none = column.type === 'string' ? [] : (column.odd?.missing ?? []);
    const far = (answer >> i) % 2 === 0 ? (column.far?.values ?? []) : [];
    own = own.replace(
      /# (- \{ property: (?:missing_values|value_m..), .*\}) # (there is no figure|it is a figure).*/g,
      (all, line, what) => ((what === 'there is no figure') === far.length > 0 ? line : all),
    );
    if (far.length > 0 && none.length > 0)
      own = own.replace(/^ *- \{ property: missing_values.*# guess.*\n/m, '');
    missing.push(new Set([...none, ...far.map(({ value }) => String(value))]));
    return own;
  });
  await writeFile(contract, [settled, ...rest].join(''));
  return { columns: chosen, missing, skipped };
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
  const columns = drafted.columns.map(one => ({ ...one, at: clean.indexOf(one.name) }));
  const lost = columns.find(({ at }) => at < 0);
  // A header with an empty cell may be read as the first of two header lines.
  const isJoined = table.refusal !== null && drafted.notes.some(note => note.startsWith('The header has'));
  if (lost !== undefined) return isJoined ? null : `column ${JSON.stringify(lost.name)} is not in the file`;
  const isText = table.format !== 'parquet';
  // In JSON lines and Parquet, an empty text is a value.
  const isTable = isText && table.format !== 'jsonl';
  const isRow = (row: readonly (string | null)[]) => {
    const texts = row.flatMap(text => text?.trim() ?? []).filter(text => text !== '');
    const isSkipped = answers.skipped.some(start => texts[0]?.startsWith(start) || texts.includes(start));
    // Formatting leaves spaces in rows of a sheet that nobody filled in.
    const isFilled =
      table.format === 'xlsx' ? texts.length > 0 : row.some(text => text !== null && text !== '');
    return !isSkipped && (!isTable || isFilled);
  };
  const meantBy = (row: readonly (string | null)[], i: number) => {
    const { at, type } = columns[i]!;
    const text = isText ? (row[at]?.replace(/\r\n?/g, '\n') ?? null) : (row[at] ?? null);
    if (text === null || (text === '' && isTable)) return null;
    const own = table.readings[at]!;
    const said = answers.columns[i];
    // An answer about marks or the order of a date replaces the table's own reading.
    const reading = said?.decimal || said?.group || said?.format ? said : { ...own, ...said };
    // The answer may spell the number differently.
    const spellings = [text.trim(), String(readText(text, 'number', reading))];
    if (spellings.some(one => answers.missing[i]!.has(one))) return null;
    return readText(text, type, reading);
  };
  const wanted = table.rows.filter(isRow).map(row => JSON.stringify(columns.map((_, i) => meantBy(row, i))));
  const got = found.map(row => JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
  const [a, b] = [wanted.sort(), got.sort()];
  const differs = a.findIndex((line, i) => line !== b[i]);
  if (a.length === b.length && differs < 0) return null;
  const at = differs < 0 ? Math.min(a.length, b.length) : differs;
  return `${a.length} rows in the file, ${b.length} published; of ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')} ${String(a[at]).slice(0, 300)} became ${String(b[at]).slice(0, 300)}`;
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
