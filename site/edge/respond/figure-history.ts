/** Answers each value that a figure had: from when to when, and why it changed. */
import { type ChangesDocument, isWithin, type ReleaseChanges } from '../../../build/format/changes.ts';
import { ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { describeQuestion, lineEncoder } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import {
  completeKey,
  type FigureKey,
  findForgotten,
  nameThen,
  parseKey,
  planExamples,
  planThen,
} from '../../query/past.ts';
import { formatQuery, parseReadable } from '../../query/query-string.ts';
import type { RowsRequest } from '../../query/request.ts';
import { positionOf, type Table } from '../../query/table.ts';
import { type Answer, type Exchange, linkPath } from '../answer.ts';
import { openTurns, readChanges, readRows } from '../past.ts';
import { refuseParameters } from './refusal.ts';
import { sendText } from './representation.ts';

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
): Promise<Answer> {
  const changes = await readChanges(exchange.tree, table);
  const key = parseKey(table, request);
  const periods = key && (await readPeriods(exchange, table, key, changes));
  const hasRow = periods?.some(({ row }) => row !== null && row !== 'forgotten') === true;
  const wrong = hasRow || key?.isPartial === false ? null : await findMissing(exchange, table, request);
  if (wrong) return refuseParameters([wrong.problem], wrong.correctedUrl);
  if (!key || !periods) throw new Error('A question of more than one figure has a whole key.');
  return answerPeriods(exchange, table, request, key.year, periods, changes);
}

/** What a key lacks; null if the row in question has NULL in all columns that are not given. */
async function findMissing(exchange: Exchange, table: Table, request: RowsRequest) {
  const { incoming } = exchange;
  let row: readonly Value[] | null = null;
  for (const plan of planExamples(table, request)) row ??= (await readRows(exchange, plan, 1))[0] ?? null;
  const found = completeKey(table, request, parseReadable(incoming.query), row);
  return found && { ...found, correctedUrl: linkPath(incoming) + formatQuery(found.corrected) };
}

async function answerPeriods(
  exchange: Exchange,
  table: Table,
  request: RowsRequest,
  year: number,
  periods: readonly Period[],
  changes: ChangesDocument,
): Promise<Answer> {
  const encode = lineEncoder(table.columns, 'json');
  const lines = periods.map(({ row, ...period }) => {
    const text =
      row === null || row === 'forgotten'
        ? 'null'
        : encode(
            row.map(value => [value]),
            0,
          ).slice(0, -ROW_SEPARATOR.length);
    const head = JSON.stringify(row === 'forgotten' ? { ...period, forgotten: true } : period);
    return `${head.slice(0, -1)},"row":${text}}`;
  });
  const { release } = table.manifest;
  const years = table.year < 0 ? [] : [year];
  const head = JSON.stringify({
    ...describeQuestion({ table, release, request, years }),
    since: changes.since,
    count: lines.length,
  });
  const body = `${head.slice(0, -1)},"history":[\n${lines.join(',\n')}\n]}\n`;
  return sendText(exchange, '.json', body);
}

/** One look-up in each release that changed the figure's slice, and one in that of today. */
async function readPeriods(
  exchange: Exchange,
  today: Table,
  key: FigureKey,
  changes: ChangesDocument,
): Promise<readonly Period[]> {
  const { detail } = key.request;
  const look = async (table: Table): Promise<Period['row']> => {
    if (findForgotten(table, key.request)) return 'forgotten';
    const plan = planThen(table, key.request);
    const [found] = plan === null ? [] : await readRows(exchange, plan, 1);
    if (!found) return null;
    return today.columns.map(({ name }) => found[positionOf(table, nameThen(table, name))] ?? null);
  };
  const isOf = ({ slices }: ReleaseChanges) =>
    slices.some(one => one.year === key.year && one.detail === detail);
  const rows: { readonly release: ReleaseChanges | null; readonly row: Period['row'] }[] = [
    { release: null, row: await look(today) },
  ];
  for await (const { release, before } of openTurns(exchange.tree, today, changes, isOf))
    rows.unshift({ release, row: await look(before) });
  const periods: Period[] = [];
  let from = changes.since;
  for (const [index, { release, row }] of rows.entries()) {
    const next = rows[index + 1]?.row;
    if (next !== undefined && row !== 'forgotten' && JSON.stringify(row) === JSON.stringify(next)) continue;
    periods.push({
      from,
      until: release?.date ?? null,
      changed_by: release?.release ?? null,
      why: release === null ? [] : reasonsOf(release, key.year, detail),
      row,
    });
    from = release?.date ?? from;
  }
  return periods;
}

/** What a release says about a slice: an erratum without years or levels concerns all. */
export function reasonsOf({ errata = [] }: ReleaseChanges, year: number, detail: string): readonly string[] {
  return errata
    .filter(one => isWithin(one, { year, detail }))
    .map(({ wrong, corrected }) => `${wrong} ${corrected}`);
}
