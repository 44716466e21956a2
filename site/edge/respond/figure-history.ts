/** Answers each value that a figure had: from when to when, and why it changed. */
import type { ChangesDocument, ReleaseChanges } from '../../../build/format/changes.ts';
import { jsonRowEncoder } from '../../query/encode.ts';
import { completeKey, type HistoryPlan, planExamples, planHistory } from '../../query/history.ts';
import type { Value } from '../../query/order.ts';
import type { ScanPlan } from '../../query/plan.ts';
import { formatQuery, parseReadable } from '../../query/query-string.ts';
import { type Condition, describeConditions, type RowsRequest } from '../../query/request.ts';
import { selectRows } from '../../query/residual.ts';
import type { Table } from '../../query/table.ts';
import { type Answer, bodyAnswer, linkPath } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { Executor, ScanContext } from '../executors/executor.ts';
import { type Patch, readSource, scanRows } from '../executors/past-scan.ts';
import { sha256 } from '../files/sha256.ts';
import { answerConditions } from './conditional.ts';
import { answerHeaders, contentType } from './headers.ts';
import { refuseParameters } from './refusal.ts';

/** A value of a figure while it stood. */
interface Period {
  /** YYYY-MM-DD: the date of the release that published it. */
  readonly from: string;
  /** The date of the release that changed it; null for the value of today. */
  readonly until: string | null;
  /** The release that changed it; null for the value of today. */
  readonly changed_by: string | null;
  /** What that release says about its reason. */
  readonly why: readonly string[];
  /** Null while there was no such row; a text while its values are told to nobody. */
  readonly row: readonly Value[] | null | 'forgotten';
}

export async function respondHistory(
  exchange: Exchange,
  table: Table,
  request: RowsRequest,
  changes: ChangesDocument,
): Promise<Answer> {
  const here = async () => {
    const plan = planHistory(table, request, changes);
    const periods = plan && (await readPeriods(exchange, table, plan, changes));
    const hasRow = periods?.some(({ row }) => row !== null && row !== 'forgotten') === true;
    const wrong = hasRow || plan?.isPartial === false ? null : await findMissing(exchange, table, request);
    if (wrong) return refuseParameters([wrong.problem], wrong.correctedUrl);
    if (!plan || !periods) throw new Error('A question of more than one figure has a whole key.');
    return answerPeriods(exchange, table, plan, periods, changes);
  };
  return exchange.compute ? exchange.compute(exchange.incoming, 'middle', here) : here();
}

/** What a key lacks; null if the row in question has NULL in all columns that are not given. */
async function findMissing(exchange: Exchange, table: Table, request: RowsRequest) {
  const { files, incoming } = exchange;
  const [executor] = exchange.executors.slice(-1);
  let row: readonly Value[] | null = null;
  for (const plan of executor ? planExamples(table, request) : [])
    if (executor && row === null) row = await readFirst(executor, plan, { files, signal: incoming.signal });
  const found = completeKey(table, request, parseReadable(incoming.query), row);
  const { path, root } = incoming;
  return found && { ...found, correctedUrl: linkPath({ path, root }) + formatQuery(found.corrected) };
}

async function readFirst(
  executor: Executor,
  plan: ScanPlan,
  context: ScanContext,
): Promise<readonly Value[] | null> {
  let first: readonly Value[] | null = null;
  for await (const batch of scanRows(executor, plan, 1, context))
    if (batch.rows > 0) first ??= batch.columns.map(column => column[0] ?? null);
  return first;
}

async function answerPeriods(
  exchange: Exchange,
  table: Table,
  plan: HistoryPlan,
  periods: readonly Period[],
  changes: ChangesDocument,
): Promise<Answer> {
  const { incoming } = exchange;
  const encode = jsonRowEncoder(table.columns);
  const lines = periods.map(({ row, ...period }) => {
    const text =
      row === null || row === 'forgotten'
        ? 'null'
        : encode(
            row.map(value => [value]),
            0,
          );
    const head = JSON.stringify(row === 'forgotten' ? { ...period, forgotten: true } : period);
    return `${head.slice(0, -1)},"row":${text}}`;
  });
  const { stamp } = table;
  const { request } = plan;
  const head = JSON.stringify({
    dataset: table.name,
    version: stamp.version,
    schema_hash: stamp.schemaHash,
    release: stamp.release,
    license: stamp.license,
    attribution: stamp.attribution,
    ...(stamp.sample && { sample: true }),
    detail: request.detail,
    years: table.year < 0 ? [] : [plan.year],
    filters: describeConditions(request.conditions),
    since: changes.since,
    count: lines.length,
  });
  const body = `${head.slice(0, -1)},"history":[\n${lines.join(',\n')}\n]}\n`;
  const etag = `"${(await sha256(new TextEncoder().encode(body))).slice(0, 32)}"`;
  const validators = { etag, modified: null };
  const headers = answerHeaders(contentType('.json'), validators);
  return answerConditions(incoming, validators, headers) ?? bodyAnswer(200, headers, body);
}

async function readPeriods(
  exchange: Exchange,
  table: Table,
  { releases, today, year }: HistoryPlan,
  { since }: ChangesDocument,
): Promise<readonly Period[]> {
  const { files, incoming } = exchange;
  const context = { files, signal: incoming.signal };
  const periods: Period[] = [];
  let from = since;
  for (const { release, source } of releases) {
    const slice = release.slices.find(one => one.year === year && one.detail === today.request.detail);
    if (slice === undefined) continue;
    const found = source === null ? [] : await readSource(source, context);
    const [patch] = await selectByKey(table, found, today.request.conditions);
    const isWhole = slice.change === 'added' || slice.change === 'forgotten';
    if (patch === undefined && !isWhole) continue;
    const row = slice.change === 'forgotten' ? 'forgotten' : (patch?.row ?? null);
    periods.push({
      from,
      until: release.date,
      changed_by: release.release,
      why: reasonsOf(release, year, today.request.detail),
      row,
    });
    from = release.date;
  }
  const [executor] = exchange.executors.slice(-1);
  const now = executor ? await readFirst(executor, today, context) : null;
  return [...periods, { from, until: null, changed_by: null, why: [], row: now }];
}

/** What a release says about a slice: an erratum without years or levels concerns all. */
export function reasonsOf({ errata = [] }: ReleaseChanges, year: number, detail: string): readonly string[] {
  const concerns = <Item>(list: readonly Item[], one: Item) => list.length === 0 || list.includes(one);
  return errata
    .filter(({ years, levels }) => concerns(years, year) && concerns(levels, detail))
    .map(({ wrong, corrected }) => `${wrong} ${corrected}`);
}

/** The patches whose keys satisfy conditions on columns of the grain. */
export async function selectByKey(
  { order }: Table,
  patches: readonly Patch[],
  conditions: readonly Condition[],
): Promise<readonly Patch[]> {
  let rows: readonly number[] = patches.map((_, index) => index);
  const column = (position: number) => patches.map(({ key }) => key[order.indexOf(position)] ?? null);
  for (const condition of conditions) {
    if (rows.length === 0) break;
    rows = await selectRows(condition, column, rows);
  }
  return rows.map(index => patches[index]!);
}
