/** Answers about earlier releases: every value that a figure had, and a feed of what changed in the rows of a place. */
import { renderAtom, urnOf } from '../../../build/format/atom.ts';
import {
  type ChangesDocument,
  describeChanges,
  isWithin,
  type ReleaseChanges,
} from '../../../build/format/changes.ts';
import { ROW_SEPARATOR } from '../../../build/format/envelope.ts';
import { parseDatasetFeed } from '../../../build/format/paths.ts';
import { describeConditions } from '../../query/condition.ts';
import { cellEncoders, describeQuestion } from '../../query/encode.ts';
import type { Value } from '../../query/order.ts';
import {
  earlierName,
  findForgotten,
  findOthers,
  parseFigureKey,
  planEarlier,
  type RowChange,
  refuseKey,
} from '../../query/past.ts';
import { planScan } from '../../query/plan.ts';
import type { Problem } from '../../query/problems.ts';
import { type Pair, parseQuery, parseReadable } from '../../query/query-string.ts';
import { holdsYear, parseRequest, type RowsRequest } from '../../query/request.ts';
import type { Route } from '../../query/route.ts';
import { positionOf, type Table } from '../../query/table.ts';
import type { Answer, Exchange } from '../answer.ts';
import { sha256 } from '../files/sha256.ts';
import { compareTurn, ofYears, openTurns, readChanges, readRows } from '../past.ts';
import { BudgetExceeded } from '../rows/scan.ts';
import { refuse, refuseParameters } from './refusal.ts';
import { sendText } from './representation.ts';

interface Asked {
  readonly table: Table;
  readonly request: RowsRequest;
  readonly changes: ChangesDocument;
}

/** The values of a figure between two releases. */
interface Period {
  /** YYYY-MM-DD: the date of the release that published them. */
  readonly from: string;
  /** The date of the release that changed them; null for the current values. */
  readonly until: string | null;
  /** The release that changed them; null for the current values. */
  readonly changed_by: string | null;
  /** What that release's errata say about it. */
  readonly why: readonly string[];
  /** Null if there was no such row; a text if the publisher took its values back, or if several rows had the key. */
  readonly row: readonly Value[] | null | 'forgotten' | 'several';
}

export async function respondHistory(
  exchange: Exchange,
  table: Table,
  request: RowsRequest,
): Promise<Answer> {
  const { incoming, tree } = exchange;
  const key = parseFigureKey(table, request);
  const changes = await readChanges(tree, table);
  const figure = key.request && { table, request: key.request, changes };
  const periods = figure ? await readPeriods(exchange, figure, key.year) : [];
  const isShared = periods.at(-1)?.row === 'several';
  const hasRow = periods.some(({ row }) => typeof row === 'object' && row !== null);
  // A part of a key that has no value can be left out.
  if (figure && !isShared && (hasRow || key.missing.length === 0))
    return sendText(exchange, '.json', renderPeriods({ table, request, changes }, key.year, periods));
  return refuseParameters(incoming, refuseKey(key, parseReadable(incoming.query), 'history'));
}

/** `year`: 0 in a table without years. */
function renderPeriods({ table, request, changes }: Asked, year: number, periods: readonly Period[]): string {
  const encoders = cellEncoders(table.columns, 'json');
  const encodeRow = (row: readonly Value[]) => row.map((value, index) => encoders[index]!(value)).join('');
  const lines = periods.map(({ row, ...period }) => {
    const text =
      typeof row === 'string' || row === null ? 'null' : encodeRow(row).slice(0, -ROW_SEPARATOR.length);
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
  return `${head.slice(0, -1)},"history":[\n${lines.join(',\n')}\n]}\n`;
}

/** Looks the figure up in the current release, and in each release that its slice had before it changed. */
export async function readPeriods(
  exchange: Exchange,
  figure: Asked,
  year: number,
  columns = figure.table.columns,
): Promise<readonly Period[]> {
  const { table: current, request, changes } = figure;
  const { detail } = request;
  const look = async (table: Table): Promise<Period['row']> => {
    if (findForgotten(table, request)) return 'forgotten';
    const plan = planEarlier(table, request);
    const [found, other] = plan === null ? [] : await readRows(exchange, plan, 2);
    if (!found || other) return other ? 'several' : null;
    return columns.map(({ name }) => found[positionOf(table, earlierName(table, name))] ?? null);
  };
  const isChanged = ({ slices }: ReleaseChanges) =>
    slices.some(one => one.year === year && one.detail === detail);
  const rows: { readonly release: ReleaseChanges | null; readonly row: Period['row'] }[] = [
    { release: null, row: await look(current) },
  ];
  for await (const { release, before } of openTurns(exchange.tree, current, changes, isChanged))
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
      why: release === null ? [] : reasonsOf(release, year, detail),
      row,
    });
    from = release?.date ?? from;
  }
  return periods;
}

/** What a release's errata say about a slice. */
function reasonsOf({ errata = [] }: ReleaseChanges, year: number, detail: string): readonly string[] {
  return errata
    .filter(one => isWithin(one, { year, detail }))
    .map(({ wrong, corrected }) => `${wrong} ${corrected}`);
}

/** The feed lists so many revised figures of a release, and counts the others. */
const MOST_FIGURES = 20;

/** Null if this isn't a dataset's feed, or if the query selects no rows and the whole feed is the answer. */
export async function respondFeed(exchange: Exchange, route: Route): Promise<Answer | null> {
  const key = route.kind === 'file' ? parseDatasetFeed(route.path) : null;
  const { incoming, tree } = exchange;
  const pairs = key === null ? null : parseQuery(incoming.query);
  if (key === null || pairs === null || pairs.length === 0) return null;
  const subject = await tree.subject(key);
  const table = subject?.table;
  if (!table || !pairs.some(({ name }) => isFollowed(table, name))) return null;
  const parsed = parseRequest(table, pairs);
  if ('problems' in parsed) return refuseParameters(incoming, parsed);
  const problem = findUnfollowed(table, parsed.request, pairs);
  if (problem) {
    const corrected = pairs.filter(({ name }) => name !== problem.param);
    return refuseParameters(incoming, { problems: [problem], corrected });
  }
  const changes = await readChanges(tree, table);
  try {
    return await answerFeed(exchange, { table, request: parsed.request, changes });
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return refuse(501, `This feed costs more than the server allows (${error.message}). Follow one place.`);
  }
}

/** Whether a parameter selects rows that a feed can follow. */
function isFollowed({ parameters }: Table, name: string): boolean {
  const parameter = parameters.get(name);
  if (parameter?.kind === 'rule') return parameter.rule.of === 'time' || parameter.rule.of === 'dataset';
  return parameter?.kind === 'place' || (parameter?.kind === 'column' && parameter.bound === 'key');
}

/** The first parameter that a feed can't follow, as a problem. */
function findUnfollowed(table: Table, request: RowsRequest, pairs: readonly Pair[]): Problem | null {
  const others = findOthers(table, request).map(({ param }) => param);
  const wrong = pairs.find(({ name }) => others.includes(name) || !isFollowed(table, name));
  if (wrong === undefined) return null;
  const msg = `A feed follows rows by their key, and '${wrong.name}' isn't part of it`;
  return { type: 'extra_forbidden', param: wrong.name, msg, input: wrong.value, ctx: {} };
}

async function answerFeed(exchange: Exchange, followed: Asked): Promise<Answer> {
  const { table, request, changes } = followed;
  const entries = await readEntries(exchange, followed);
  const filters = Object.entries(describeConditions(request.conditions)).map(
    ([param, values]) => `${param} ${values.join(', ')}`,
  );
  const subject = [table.name, request.detail, ...filters].join(', ');
  const urn = async (text: string) => urnOf(await sha256(new TextEncoder().encode(text)));
  const body = renderAtom({
    id: await urn(subject),
    title: `${subject}: what changed`,
    updated: entries[0]?.release.date ?? changes.since,
    author: table.manifest.attribution ?? table.name,
    links: [{ rel: 'alternate', type: 'application/json', href: 'changes.json' }],
    entries: await Promise.all(
      entries.map(async ({ release, sentences }) => ({
        id: await urn(`${subject}\n${release.release}`),
        title: `${release.date}: ${sentences[0] ?? ''}`,
        link: 'changes.json',
        updated: release.date,
        content: sentences.join(' '),
      })),
    ),
  });
  return sendText(exchange, '.xml', body);
}

interface Entry {
  readonly release: ReleaseChanges;
  readonly sentences: readonly string[];
}

/** The releases that changed these rows, newest first. */
async function readEntries(exchange: Exchange, followed: Asked): Promise<readonly Entry[]> {
  const { request, changes } = followed;
  // The rows of a new slice aren't compared: current rows and later changes show whether it had any.
  const known = await readYears(exchange, followed);
  const entries: Entry[] = [];
  for await (const turn of openTurns(exchange.tree, followed.table, changes)) {
    const { release } = turn;
    const slices = release.slices.filter(
      one => one.detail === request.detail && holdsYear(request.years, one.year),
    );
    const compared = await compareTurn(exchange, request, turn, slices);
    for (const { year } of compared) known.add(year);
    const whole = slices.filter(
      ({ change, year }) => change === 'forgotten' || (change === 'added' && known.has(year)),
    );
    if (compared.length === 0 && whole.length === 0) continue;
    const counts = { added: 0, removed: 0, revised: 0 };
    for (const { change } of compared) counts[change]++;
    const [first = '', ...more] = describeChanges({ ...release, ...counts, slices: whole });
    const why = slices.flatMap(({ year }) => reasonsOf(release, year, request.detail));
    entries.push({
      release,
      sentences: [
        compared.length === 0 && more.length > 0 ? '' : first,
        ...more,
        ...describeFigures(compared),
        ...new Set(why),
      ].filter(Boolean),
    });
  }
  return entries;
}

/** The years that a release added and that have such rows now. */
async function readYears(exchange: Exchange, { table, request, changes }: Asked): Promise<Set<number>> {
  const added = changes.releases.flatMap(({ slices }) =>
    slices.flatMap(one => (one.change === 'added' && one.detail === request.detail ? [one.year] : [])),
  );
  const part = ofYears(table, request.detail, added);
  const years = part.levels.get(request.detail)?.years.filter(year => holdsYear(request.years, year)) ?? [];
  if (years.length === 0 || request.conditions.length === 0 || table.year < 0) return new Set(years);
  const rows = await readRows(exchange, planScan(part, request));
  return new Set(rows.map(row => Number(row[table.year])));
}

function describeFigures(changes: readonly RowChange[]): string[] {
  const figures = changes.flatMap(({ change, key, values }) => {
    if (change !== 'revised' || values.length === 0) return [];
    const words = values.map(({ name, old, now }) => `${name} ${old ?? 'NULL'} → ${now ?? 'NULL'}`);
    return [`${key.filter(one => one !== null).join(', ')}: ${words.join(', ')}.`];
  });
  return figures.length <= MOST_FIGURES
    ? figures
    : [...figures.slice(0, MOST_FIGURES), `And ${figures.length - MOST_FIGURES} more.`];
}
