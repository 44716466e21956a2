/** Drafts random tables, builds what is drafted, and reads every value back. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { type DraftedTable, draft } from '../../build/draft/draft.ts';
import { RefusedError } from '../../build/failure.ts';
import { build } from '../../build/pipeline/build.ts';
import { randomTable } from './random-table.ts';
import {
  type Cell,
  pick,
  type Random,
  type RandomTable,
  randomOf,
  readFigure,
  readTime,
} from './random-values.ts';

export interface DraftCounts {
  readonly drafted: number;
  /** Tables that ask a person something, and build once it is answered. */
  readonly asked: number;
  /** Tables that `init` refuses, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  /** Tables that are drafted and don't build, or whose values change. */
  readonly failures: readonly string[];
}

/** How many tables one lake has. */
const TOGETHER = 10;

type Sums = { -readonly [Key in keyof DraftCounts]: DraftCounts[Key] } & {
  readonly refused: Map<string, number>;
  readonly failures: string[];
};

export async function fuzzDrafts(
  { tables, seed }: { readonly tables: number; readonly seed: number },
  onFailure: (failure: string) => void = () => undefined,
): Promise<DraftCounts> {
  const sums: Sums = { drafted: 0, asked: 0, refused: new Map(), failures: [] };
  const all = Array.from({ length: tables }, (_, i) => randomTable(seed, i));
  const fail = (table: RandomTable, why: string) => {
    const failure = `--seed ${seed}, table ${all.indexOf(table)} (${table.dialect}): ${why}`;
    sums.failures.push(failure);
    onFailure(failure);
  };
  const settle = async (batch: readonly RandomTable[]): Promise<void> => {
    if (batch.length === 0) return;
    const problem = await tryTables(batch, sums, randomOf(seed + all.indexOf(batch[0]!)));
    if (problem === null) return;
    if (typeof problem !== 'string') {
      for (const [table, why] of problem) {
        const isMeant = table.refusal !== undefined && why.includes(table.refusal);
        const reason = why.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '…');
        if (isMeant) sums.refused.set(reason, (sums.refused.get(reason) ?? 0) + 1);
        else fail(table, `refused: ${why}`);
      }
      await settle(batch.filter(table => !problem.has(table)));
    } else if (batch.length === 1) fail(batch[0]!, problem);
    // One table that fails hides what the others do.
    else for (const table of batch) await settle([table]);
  };
  for (let at = 0; at < all.length; at += TOGETHER) await settle(all.slice(at, at + TOGETHER));
  return sums;
}

/** Null if all is right; counts the tables in that case. Otherwise what is wrong, or the tables that `init` refuses. */
async function tryTables(
  tables: readonly RandomTable[],
  sums: Sums,
  random: Random,
): Promise<ReadonlyMap<RandomTable, string> | string | null> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'civic-drafts-'));
  try {
    const given = path.join(root, 'given');
    await mkdir(given);
    for (const table of tables) await writeFile(path.join(given, table.name), await table.write());
    const options = { folder: root, domain: 'd', memory: '512MB', jobs: 1 };
    let drafted: readonly DraftedTable[];
    try {
      drafted = (await draft({ ...options, inputs: [given] })).tables;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const why = error.diagnostics.map(one => [path.basename(one.file), one.message] as const);
      const refused = tables.flatMap(table => {
        const own = why.find(([name]) => name === table.name);
        return own === undefined ? [] : [[table, own[1]] as const];
      });
      return refused.length === 0 ? `refused: ${why.join()}` : new Map(refused);
    }
    const asked = drafted.filter(isAsked);
    if (asked.length > 0) {
      const unasked = await unansweredBuild(root, asked);
      if (unasked !== null) return unasked;
    }
    const answers = new Map<DraftedTable, Answers>();
    for (const one of drafted)
      answers.set(one, await answerQuestions(path.join(root, one.contract), one, random));
    await buildAll(root);
    for (const table of tables) {
      for (const one of drafted.filter(({ file }) => path.basename(file) === table.name)) {
        const wrong = await compareRows(root, table, one, answers.get(one)!);
        if (wrong !== null) return wrong;
      }
    }
    sums.drafted += tables.length;
    sums.asked += asked.length;
    return null;
  } catch (error) {
    if (error instanceof RefusedError) return `drafted, but ${reasonsOf(error).join(' | ')}`.slice(0, 400);
    return `failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`.slice(0, 600);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function reasonsOf({ diagnostics, failures }: RefusedError): string[] {
  const rules = failures.map(({ subject, outcome }) => `${subject} ${outcome.check.name}`);
  return [...diagnostics.filter(({ severity }) => severity === 'error').map(one => one.message), ...rules];
}

async function buildAll(root: string): Promise<void> {
  const folders = {
    contracts: path.join(root, 'contracts'),
    data: path.join(root, 'data'),
    out: path.join(root, 'dist'),
  };
  const rest = { only: null, strict: false, previous: null, baseUrl: null, jobs: 1, memory: '512MB' };
  await build({ ...folders, ...rest, releaseDate: '2026-11-21' }, () => undefined);
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
    // A contract that cannot be compiled hides what is open of the rows.
    const others = reasonsOf(error).filter(
      why => !why.includes('file_layout') && !open.some(({ name }) => why.includes(name)),
    );
    return others.length === 0 ? null : `before an answer, the build says ${others[0]!.slice(0, 300)}`;
  }
}

/** What the contract says after the questions: of each column as YAML, and the rows that are none. */
interface Answers {
  readonly columns: readonly (Readonly<Record<string, unknown>> | null)[];
  readonly missing: readonly ReadonlySet<string>[];
  readonly skipped: readonly string[];
}

/** Takes the `#` from one of the answers to each question, at random. */
async function answerQuestions(
  contract: string,
  { columns }: DraftedTable,
  random: Random,
): Promise<Answers> {
  const [head = '', ...blocks] = (await readFile(contract, 'utf8')).split(/^(?= {6}- name: )/m);
  const skipped: string[] = [];
  // The first answer leaves the rows out in question; the draft has not looked at them.
  const settled = head.replace(
    /# question: .*\n( *)# (- \{ property: file_layout, value: (.*) \})/g,
    (_all, space, line, value) => {
      skipped.push(...(parse(value).skip_rows ?? []));
      return `${space}${line}`;
    },
  );
  const chosen: (Readonly<Record<string, unknown>> | null)[] = [];
  const missing: ReadonlySet<string>[] = [];
  const rest = blocks.map((block, i) => {
    const column = columns[i];
    if (column === undefined) return block;
    const { doubt } = column.reading;
    let own = block;
    chosen.push(null);
    if (doubt !== null && doubt.answers.length > 0) {
      const { yaml } = pick(random, doubt.answers);
      if (yaml.includes('column_role')) own = own.replace(/^ *- \{ property: column_role.*\n/m, '');
      own = own.replace(`# ${yaml}`, () => yaml);
      const said = parse(yaml);
      chosen[i] = Array.isArray(said) ? { [said[0].property]: said[0].value } : said.logicalTypeOptions;
    }
    const none = column.type === 'string' ? [] : (column.odd?.missing ?? []);
    const far = random(2) === 0 ? (column.far?.values ?? []) : [];
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
  // A header with a blank may be the upper one of two lines, which a note says.
  const isJoined =
    table.refusal !== undefined && drafted.notes.some(note => note.startsWith('The header has'));
  if (lost !== undefined) return isJoined ? null : `column ${JSON.stringify(lost.name)} is not in the file`;
  const isText = !table.dialect.startsWith('parquet');
  // A line of a text without any value is no row.
  const isTable = isText && table.dialect !== 'jsonl';
  const isRow = (row: readonly Cell[]) => {
    const texts = row.flatMap(({ text }) => text?.trim() ?? []).filter(text => text !== '');
    const isSkipped = answers.skipped.some(start => texts[0]?.startsWith(start) || texts.includes(start));
    return !isSkipped && (!isTable || row.some(({ text }) => text !== null && text !== ''));
  };
  const wanted = table.rows.filter(isRow).map(row =>
    JSON.stringify(
      columns.map(({ at, type }, i) =>
        // A figure may be written in two ways.
        [row[at]!.text?.trim() ?? '', String(row[at]!.number)].some(one => answers.missing[i]!.has(one))
          ? null
          : readAs(answered(row[at]!, answers.columns[i]!), type, isText, isTable),
      ),
    ),
  );
  const got = found.map(row => JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
  const [a, b] = [wanted.sort(), got.sort()];
  const differs = a.findIndex((line, i) => line !== b[i]);
  if (a.length === b.length && differs < 0) return null;
  const at = differs < 0 ? Math.min(a.length, b.length) : differs;
  return `${a.length} rows in the file, ${b.length} published; of ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')} ${String(a[at]).slice(0, 300)} became ${String(b[at]).slice(0, 300)}`;
}

/** What a cell says under an answer of the contract. */
function answered(cell: Cell, answer: Answers['columns'][number]): Cell {
  const { text, time } = cell;
  if (answer === null || text === null) return cell;
  const { format, defaultTimezone: zone } = answer;
  if (answer['decimal'] ?? answer['group']) return { text, number: readFigure(text.trim(), answer) };
  if (typeof format === 'string') return { text, time: readTime(text, format) };
  if (zone === undefined || time === undefined || time.endsWith('Z')) return cell;
  // New York is four hours behind from the end of March to the start of November, and five in the other months drawn.
  const [clock = '', fraction] = time.split('.');
  const hours = zone === 'UTC' ? 0 : /-(0[4-9]|10)-/.test(clock) ? 4 : 5;
  const moment = new Date(Date.parse(`${clock}Z`) + hours * 3_600_000).toISOString().slice(0, 19);
  return { text, time: `${moment}${fraction === undefined ? '' : `.${fraction}`}Z` };
}

/** What the API must give for a cell; a text says it if the cell has no such reading. */
function readAs(
  cell: Cell,
  type: DraftedTable['columns'][number]['type'],
  isText: boolean,
  isTable: boolean,
): unknown {
  const own = cell.text === null ? null : isText ? cell.text.replace(/\r\n?/g, '\n') : cell.text;
  switch (type) {
    case 'string':
      return own === '' && isTable ? null : own;
    case 'integer':
    case 'number':
      return own === null ? null : (cell.number ?? `no number: ${own}`);
    case 'boolean':
      return own === null ? null : (cell.boolean ?? `no boolean: ${own}`);
    case 'date':
      return cell.time?.slice(0, 10) ?? (own === null ? null : `no time: ${own}`);
    case 'timestamp':
      return cell.time ?? (own === null ? null : `no time: ${own}`);
    default:
      return type satisfies never;
  }
}

async function readRows(folder: string): Promise<Readonly<Record<string, unknown>>[]> {
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter(name => /(^|\/)(all|rows)(\.page-\d+)?\.json$/.test(name));
  const rows = await Promise.all(
    pages.map(async name => JSON.parse(await readFile(path.join(folder, name), 'utf8')).data),
  );
  // Other documents of a level have no rows.
  return rows.filter(Array.isArray).flat();
}
