/** Runs the checks of a dataset or a dimension, and binds rules without a lake. */
import type { Contracts, Dataset, Dimension, Expectation, Place } from '../contract/dataset.ts';
import { type Diagnostic, diagnosticAt } from '../contract/diagnostic.ts';
import {
  Database,
  type DatabaseOptions,
  databaseMessage,
  isMemoryShortage,
  MemoryExceeded,
  type Session,
  type SqlRow,
} from '../lake/database.ts';
import {
  createEmptyTables,
  dimensionTable,
  factTable,
  type LoadedTable,
  SLICE_COLUMN,
  SLICE_NAME,
} from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, identifiers, rowOrder } from '../lake/sql.ts';
import { type Check, type CheckOutcome, NONE, nameCode, type WrongCode } from './check.ts';
import { COUNT_COLUMN, profileTable } from './profile.ts';
import { bindRule, countedRows, parseRule, type RuleProblem } from './rule-statement.ts';
import { type Counts, countsOf, countTable, type SliceCounts } from './slice-counts.ts';

const OFFENDING_ROWS = 5;

const RULE_SECONDS = 60;

interface CheckInput {
  readonly session: Session;
  readonly subject: LoadedTable;
  /** By their number in the table; none for a dimension. */
  readonly slices: readonly LakeSlice[];
  readonly checks: readonly Check[];
  /** Of all checks except contracts' queries. */
  readonly counts: Counts;
  /** Tables (`domain/topic`, `_dimensions/name`) that rules may read. */
  readonly loaded: ReadonlySet<string>;
  /** Tables that the lake lacks. A rule that reads one is skipped. */
  readonly absent: ReadonlySet<string>;
  /** A rule that takes longer is stopped and fails. */
  readonly ruleSeconds?: number | undefined;
}

/**
 * Checks a table in a locked database. Outcomes have the order of the checks. `counting`: a second session; `axes`: columns
 * that get a profile besides those that checks read.
 */
export async function checkTable(
  input: Omit<CheckInput, 'counts'>,
  counting = input.session,
  axes: readonly string[] = [],
): Promise<CheckOutcome[]> {
  const { session, subject, checks } = input;
  const counts = await countTable([session, counting], subject, checks, axes);
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) outcomes.push(await runCheck({ ...input, counts }, check));
  return outcomes;
}

async function runCheck(input: CheckInput, check: Check): Promise<CheckOutcome> {
  const counts = input.counts.get(check) ?? new Map();
  const { measure } = check;
  switch (measure.kind) {
    case 'values': {
      const judged = await judge(input, check, NONE, counts, predicateRows(input, measure.violation));
      const { meant } = measure;
      if (judged.result === 'passed' || meant === undefined) return judged;
      return { ...judged, codes: await wrongCodes(input, { ...measure, meant }) };
    }
    case 'duplicates':
      return judge(input, check, measure.expectation, counts, duplicateRows(input, measure.columns));
    case 'rows':
      return judge(input, check, measure.expectation, counts, predicateRows(input, measure.condition));
    case 'query':
      return runQuery(input, check, measure.query, measure.expectation);
    default:
      return measure satisfies never;
  }
}

async function wrongCodes(
  { session, subject }: CheckInput,
  { columns, violation, meant }: Required<Extract<Check['measure'], { kind: 'values' }>>,
): Promise<NonNullable<CheckOutcome['codes']>> {
  const code = `concat_ws(' ', ${columns.map(name => `t.${identifier(name)}::VARCHAR`).join(', ')})`;
  const codes = await session.rows<WrongCode & { count: number }>(
    `SELECT code, sum(n)::DOUBLE AS rows, min(meant) AS meant, count(*) OVER () AS count FROM (SELECT ${code} AS code, t.${COUNT_COLUMN} AS n, ${meant} AS meant FROM ${profileTable(subject, columns)} t WHERE ${violation}) GROUP BY code ORDER BY code LIMIT ${OFFENDING_ROWS}`,
  );
  return { count: codes[0]?.count ?? 0, named: codes.map(nameCode) };
}

type Expected = Extract<Check['measure'], { kind: 'query' }>['expectation'];

/** `sample` selects offending rows and runs only if the check fails. */
async function judge(
  input: CheckInput,
  check: Check,
  expectation: Expected,
  counts: SliceCounts,
  sample: string,
): Promise<CheckOutcome> {
  const found = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (meets(expectation, found)) return outcome(check, 'passed', found, [], []);
  const rows = await offendingRows(input, sample);
  return outcome(check, failed(check), found, slicesOf(input, counts), rows);
}

function failed(check: Check): 'failed' | 'warned' {
  return check.severity === 'error' ? 'failed' : 'warned';
}

function outcome(
  check: Check,
  result: CheckOutcome['result'],
  found: number | null,
  slices: CheckOutcome['slices'],
  rows: readonly SqlRow[],
  reason: string | null = null,
): CheckOutcome {
  return { check, result, found, slices, rows, reason };
}

function slicesOf({ slices }: CheckInput, counts: SliceCounts): CheckOutcome['slices'] {
  return [...counts].flatMap(([index, count]) => {
    const slice = slices[index];
    return slice === undefined ? [] : [{ year: slice.year, detail: slice.detail, count }];
  });
}

function predicateRows({ subject }: CheckInput, predicate: string): string {
  return `SELECT t.* FROM ${subject.table} t WHERE ${predicate}`;
}

function duplicateRows({ subject }: CheckInput, columns: readonly string[]): string {
  const { table } = subject;
  const keys = identifiers(columns);
  const equal = columns
    .map(name => `t.${identifier(name)} IS NOT DISTINCT FROM k.${identifier(name)}`)
    .join(' AND ');
  return `SELECT t.* FROM ${table} t JOIN (SELECT ${keys} FROM ${table} GROUP BY ${keys} HAVING count(*) > 1) k ON ${equal}`;
}

async function offendingRows({ session, subject }: CheckInput, sql: string): Promise<SqlRow[]> {
  // Sorted by all columns, so that the same rows are always shown.
  const names = new Set([...subject.order, ...subject.columns]);
  const order = rowOrder(names);
  try {
    const rows = await session.rows(`SELECT * FROM (${sql}) ORDER BY ${order} LIMIT ${OFFENDING_ROWS}`);
    return rows.map(shownRow);
  } catch {
    // A contract's query may select rows without the grain's columns; these stay unsorted.
    const rows = await session.rows(`SELECT * FROM (${sql}) LIMIT ${OFFENDING_ROWS}`);
    return rows.map(shownRow);
  }
}

/** JSON has no NaN and infinity, so these become text. */
function shownRow(row: SqlRow): SqlRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== SLICE_NAME)
      .map(([name, value]) => [
        name,
        typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
      ]),
  );
}

function countBySlice({ session }: CheckInput, sql: string): Promise<SliceCounts> {
  return countsOf(
    session,
    `SELECT ${SLICE_COLUMN} AS slice, count(*) AS count FROM (${sql}) GROUP BY 1 ORDER BY 1`,
  );
}

async function runQuery(
  input: CheckInput,
  check: Check,
  query: string,
  expectation: Expected,
): Promise<CheckOutcome> {
  const { session, subject, loaded, absent, ruleSeconds = RULE_SECONDS } = input;
  const statement = await parseRule(session, subject, { query, column: check.column });
  if (!statement.ok) return unable(check, statement.code, statement.message);
  const lacking = statement.reads.filter(name => absent.has(name));
  if (lacking.length > 0) {
    return outcome(check, 'skipped', null, [], [], `Not run: the lake lacks ${lacking.join(', ')}.`);
  }
  const guarded: Guard = run =>
    session.within(ruleSeconds, run, () => check.place && endRunawayRule(check.name, check.place));
  // Binding computes constant parts of a query.
  const problem = await guarded(() => bindRule(session, statement, name => loaded.has(name))).catch(noAnswer);
  if (problem !== null) return unable(check, problem.code, problem.message);
  const answer = await answerWithin(session, statement.sql, ruleSeconds, guarded);
  if (typeof answer === 'string') return unable(check, 'rule-no-answer', answer);
  if (meets(expectation, answer.found)) return outcome(check, 'passed', answer.found, [], []);
  const { rows, slices } = await guarded(() => explainRows(input, query, check.column));
  return outcome(check, failed(check), answer.found, slices, rows);
}

/** Runs a contract's SQL within its limits of time and memory. */
type Guard = <Result>(run: () => Promise<Result>) => Promise<Result>;

function noAnswer(error: unknown): { code: RuleProblem; message: string } {
  if (error instanceof MemoryExceeded) return { code: 'rule-no-answer', message: TOO_MUCH_MEMORY };
  throw error;
}

/**
 * A rule without a number fails whatever its severity, because the contract is wrong, not the rows. If it is
 * written for another tool, it is skipped.
 */
function unable(check: Check, code: RuleProblem, message: string): CheckOutcome {
  const { name, place, foreign } = check;
  if (foreign) return outcome(check, 'skipped', null, [], [], `Not run: ${message}`);
  return {
    ...outcome(check, 'failed', null, [], [], message),
    ...(place && { problem: diagnosticAt(place, 'error', code, `Rule ${name}: ${message}`) }),
  };
}

/** Returns the reason if the query gave no number. */
async function answerWithin(
  session: Session,
  sql: string,
  seconds: number,
  guarded: Guard,
): Promise<{ found: number | null } | string> {
  const started = performance.now();
  try {
    const [first, ...more] = await guarded(() => session.firstRows(sql, 2));
    if (first === undefined || more.length > 0)
      return `The query returned ${first === undefined ? 'no row' : 'several rows'}, but a rule returns one number.`;
    const value = Object.values(first)[0] ?? null;
    return { found: value === null ? null : Number(value) };
  } catch (error) {
    if (error instanceof MemoryExceeded) return TOO_MUCH_MEMORY;
    if (performance.now() - started >= seconds * 1000)
      return `The query took longer than ${seconds} s and was stopped. Make it simpler, or raise the limit with --rule-seconds.`;
    if (isMemoryShortage(error)) {
      // The dataset's rows fit into memory, so the query itself needs too much.
      const [message] = error.message.split('\n');
      return `The query failed: ${message}. Make it simpler, or raise the limit with --memory.`;
    }
    return `The query failed: ${databaseMessage(error)}`;
  }
}

/** The rows that a counting rule counts, and their slices if the rows still have them. */
async function explainRows(
  input: CheckInput,
  query: string,
  column: string | null,
): Promise<{ rows: readonly SqlRow[]; slices: CheckOutcome['slices'] }> {
  try {
    const sql = await countedRows(input.session, input.subject, { query, column });
    if (sql === null) return { rows: [], slices: [] };
    const rows = await offendingRows(input, sql);
    const slices = await countBySlice(input, sql).then(
      counts => slicesOf(input, counts),
      () => [],
    );
    return { rows, slices };
  } catch {
    // Rows only illustrate a failure that is reported anyway.
    return { rows: [], slices: [] };
  }
}

let end: (diagnostic: Diagnostic) => void = () => undefined;

/** `act` reports the diagnostic and ends the process. */
export function onRunawayRule(act: (diagnostic: Diagnostic) => void): void {
  end = act;
}

const TOO_MUCH_MEMORY =
  'The query took far more memory than --memory allows and was stopped. Make it simpler.';

function endRunawayRule(name: string, place: Place): void {
  end(diagnosticAt(place, 'error', 'rule-no-answer', `Rule ${name}: ${TOO_MUCH_MEMORY}`));
}

/** NULL (a query over no rows) meets only mustNotBe and mustNotBeBetween. */
function meets(expectation: Expectation, found: number | null): boolean {
  if (found === null || Number.isNaN(found)) {
    return expectation.operator === 'mustNotBe' || expectation.operator === 'mustNotBeBetween';
  }
  switch (expectation.operator) {
    case 'mustBe':
      return found === expectation.value;
    case 'mustNotBe':
      return found !== expectation.value;
    case 'mustBeGreaterThan':
      return found > expectation.value;
    case 'mustBeGreaterOrEqualTo':
      return found >= expectation.value;
    case 'mustBeLessThan':
      return found < expectation.value;
    case 'mustBeLessOrEqualTo':
      return found <= expectation.value;
    case 'mustBeBetween':
      return found >= expectation.low && found <= expectation.high;
    case 'mustNotBeBetween':
      return found < expectation.low || found > expectation.high;
    default:
      return expectation satisfies never;
  }
}

const WORDS = {
  mustBe: 'must be',
  mustNotBe: 'must not be',
  mustBeGreaterThan: 'must be greater than',
  mustBeGreaterOrEqualTo: 'must be at least',
  mustBeLessThan: 'must be less than',
  mustBeLessOrEqualTo: 'must be at most',
  mustBeBetween: 'must be between',
  mustNotBeBetween: 'must not be between',
} as const satisfies Record<Expectation['operator'], string>;

/** `must be 0` */
export function describeExpectation(expectation: Expectation): string {
  const words = WORDS[expectation.operator];
  return 'low' in expectation
    ? `${words} ${expectation.low} and ${expectation.high}`
    : `${words} ${expectation.value}`;
}

/** Binding takes milliseconds, unless it computes a constant. */
const BIND_SECONDS = 10;

function tableOf(contract: Dataset | Dimension) {
  return contract.kind === 'dataset' ? factTable(contract) : dimensionTable(contract);
}

export async function bindRules(contracts: Contracts, options: DatabaseOptions): Promise<Diagnostic[]> {
  const all: (Dataset | Dimension)[] = [...contracts.datasets, ...contracts.dimensions.values()];
  if (!all.some(contract => contract.rules.some(rule => rule.measure.kind === 'sql'))) return [];
  const database = await Database.open(options);
  try {
    const session = await database.connect();
    await createEmptyTables(session, all);
    // Queries are only bound, so they need no optimized plan.
    await session.run('PRAGMA disable_optimizer');
    await database.lock();
    const tables = new Set(all.map(contract => tableOf(contract).name));
    const found: Diagnostic[] = [];
    for (const contract of all) {
      for (const { name, place, column, measure } of contract.rules) {
        if (measure.kind !== 'sql') continue;
        const statement = await parseRule(session, tableOf(contract), { query: measure.query, column });
        const problem = statement.ok
          ? await session
              .within(
                BIND_SECONDS,
                () => bindRule(session, statement, table => tables.has(table)),
                () => endRunawayRule(name, place),
              )
              .catch(noAnswer)
          : statement;
        if (problem === null) continue;
        found.push(
          contract.native
            ? diagnosticAt(place, 'error', problem.code, `Rule ${name}: ${problem.message}`)
            : diagnosticAt(
                place,
                'warning',
                'rule-not-run',
                `Rule ${name} does not run here: ${problem.message}`,
              ),
        );
      }
    }
    return found;
  } finally {
    database.close();
  }
}
