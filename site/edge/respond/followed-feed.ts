/** Answers what releases changed in the rows of a place or a group, as an Atom feed. */
import { renderAtom, urnOf } from '../../../build/format/atom.ts';
import { describeChanges } from '../../../build/format/change-words.ts';
import type { ChangesDocument, ReleaseChanges } from '../../../build/format/changes.ts';
import { parseDatasetFeed } from '../../../build/format/paths.ts';
import { describeConditions } from '../../query/condition.ts';
import type { Value } from '../../query/order.ts';
import { findStray, isFollowed, type RowChange } from '../../query/past.ts';
import { planScan } from '../../query/plan.ts';
import { formatQuery, parseQuery } from '../../query/query-string.ts';
import { holdsYear, parseRequest, type RowsRequest } from '../../query/request.ts';
import type { Route } from '../../query/route.ts';
import type { Table } from '../../query/table.ts';
import { type Answer, type Exchange, linkPath } from '../answer.ts';
import { sha256 } from '../files/sha256.ts';
import { compareTurn, ofYears, openTurns, readChanges, readRows } from '../past.ts';
import { BudgetExceeded } from '../rows/scan.ts';
import { reasonsOf } from './figure-history.ts';
import { refuse, refuseParameters } from './refusal.ts';
import { sendText } from './representation.ts';

/** More figures of a release are counted, not told. */
const MOST_FIGURES = 20;

interface Followed {
  readonly table: Table;
  readonly request: RowsRequest;
  readonly changes: ChangesDocument;
}

/** Null where the route is no dataset's feed, or its query names no rows: then the feed of all is the answer. */
export async function respondFeed(exchange: Exchange, route: Route): Promise<Answer | null> {
  const key = route.kind === 'file' ? parseDatasetFeed(route.path) : null;
  const { incoming, tree } = exchange;
  const pairs = key === null ? null : parseQuery(incoming.query);
  if (key === null || pairs === null || pairs.length === 0) return null;
  const subject = await tree.subject(key);
  const table = subject?.table;
  if (!table || !pairs.some(({ name }) => isFollowed(table, name))) return null;
  const parsed = parseRequest(table, pairs);
  const link = linkPath(incoming);
  if ('problems' in parsed) return refuseParameters(parsed.problems, link + formatQuery(parsed.corrected));
  const stray = findStray(table, parsed.request, pairs);
  if (stray) {
    const kept = pairs.filter(({ name }) => name !== stray.param);
    return refuseParameters([stray], link + formatQuery(kept));
  }
  const changes = await readChanges(tree, table);
  try {
    return await answerFeed(exchange, { table, request: parsed.request, changes });
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return refuse(501, `This feed costs more than the server allows (${error.message}). Follow one place.`);
  }
}

async function answerFeed(exchange: Exchange, followed: Followed): Promise<Answer> {
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

/** The releases that changed something in these rows, newest first. */
async function readEntries(exchange: Exchange, followed: Followed): Promise<readonly Entry[]> {
  const { request, changes } = followed;
  // The rows of a new slice are not compared: those of today and later changes tell of them.
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

/** The years in which there are such rows today. Reads none where no release added whole years. */
async function readYears(exchange: Exchange, { table, request, changes }: Followed): Promise<Set<number>> {
  const added = changes.releases.flatMap(({ slices }) =>
    slices.flatMap(one => (one.change === 'added' && one.detail === request.detail ? [one.year] : [])),
  );
  const part = ofYears(table, request.detail, added);
  const years = part.levels.get(request.detail)?.years.filter(year => holdsYear(request.years, year)) ?? [];
  if (years.length === 0 || request.conditions.length === 0 || table.year < 0) return new Set(years);
  const rows = await readRows(exchange, planScan(part, request));
  return new Set(rows.map(row => Number(row[table.year])));
}

/** Old and new values of revised rows. */
function describeFigures(changes: readonly RowChange[]): string[] {
  const figures = changes.flatMap(({ change, key, values }) => {
    if (change !== 'revised' || values.length === 0) return [];
    const words = values.map(({ name, old, now }) => `${name} ${say(old)} → ${say(now)}`);
    return [`${key.filter(one => one !== null).join(', ')}: ${words.join(', ')}.`];
  });
  return figures.length <= MOST_FIGURES
    ? figures
    : [...figures.slice(0, MOST_FIGURES), `And ${figures.length - MOST_FIGURES} more.`];
}

function say(value: Value): string {
  return value === null ? 'NULL' : String(value);
}
