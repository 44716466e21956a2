/** Answers what releases changed in the rows of a place or a group, as an Atom feed. */
import { renderAtom, urnOf } from '../../../build/format/atom.ts';
import { describeChanges } from '../../../build/format/change-words.ts';
import type { ChangesDocument } from '../../../build/format/changes.ts';
import type { FollowedRelease, FollowedRows } from '../../query/followed.ts';
import type { Value } from '../../query/order.ts';
import { asScan, planRequest, selectSlices } from '../../query/planner.ts';
import { describeConditions, type RowsRequest } from '../../query/request.ts';
import type { Table } from '../../query/table.ts';
import { type Answer, bodyAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { BudgetExceeded, type Executor, type ScanContext } from '../executors/executor.ts';
import { sha256 } from '../files/sha256.ts';
import { answerConditions } from './conditional.ts';
import { reasonsOf } from './figure-history.ts';
import { answerHeaders, contentType } from './headers.ts';
import { refuse } from './refusal.ts';

/** More figures of a release are counted, not told. */
const MOST_FIGURES = 20;

export interface Followed {
  readonly table: Table;
  readonly request: RowsRequest;
  readonly changes: ChangesDocument;
  /** Newest first. */
  readonly releases: readonly FollowedRelease[];
}

export async function respondFollowed(exchange: Exchange, followed: Followed): Promise<Answer> {
  const here = async () => {
    try {
      return await answerFeed(exchange, followed);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      return refuse(501, `This feed costs more than the server allows (${error.message}). Follow one place.`);
    }
  };
  return exchange.compute ? exchange.compute(exchange.incoming, 'middle', here) : here();
}

async function answerFeed(exchange: Exchange, followed: Followed): Promise<Answer> {
  const { table, request, changes } = followed;
  const entries = await readEntries(exchange, followed);
  const filters = Object.entries(describeConditions(request.conditions)).map(
    ([param, values]) => `${param} ${values.join(', ')}`,
  );
  const subject = [table.name, request.detail, ...filters].join(', ');
  const encode = (text: string) => sha256(new TextEncoder().encode(text));
  const urn = async (text: string) => urnOf(await encode(text));
  const body = renderAtom({
    id: await urn(subject),
    title: `${subject}: what changed`,
    updated: entries[0]?.release.date ?? changes.since,
    author: table.stamp.attribution ?? table.name,
    links: [{ rel: 'alternate', type: 'application/json', href: 'changes.json' }],
    entries: await Promise.all(
      entries.map(async ({ release, sentences }) => ({
        id: await urn(`${subject}\n${release.release}`),
        title: `${release.date}: ${sentences[0] ?? ''}`,
        link: (release.rows?.json ?? release.rows?.file)?.path ?? 'changes.json',
        updated: release.date,
        content: sentences.join(' '),
      })),
    ),
  });
  const validators = { etag: `"${(await encode(body)).slice(0, 32)}"`, modified: null };
  const headers = answerHeaders(contentType('.xml'), validators);
  return answerConditions(exchange.incoming, validators, headers) ?? bodyAnswer(200, headers, body);
}

interface Entry extends Pick<FollowedRelease, 'release'> {
  readonly sentences: readonly string[];
}

/** The releases that changed something in these rows, newest first. */
async function readEntries(exchange: Exchange, followed: Followed): Promise<readonly Entry[]> {
  const { table, request, releases } = followed;
  const context = { files: exchange.files, signal: exchange.incoming.signal };
  const executor = exchange.executors.at(-1);
  if (executor === undefined) return [];
  // The rows of a new slice are not repeated among the changes: those of today and later changes tell of them.
  const known = await readYears(exchange, followed);
  const entries: Entry[] = [];
  for (const { release, slices, rows } of releases) {
    const changed = rows === null ? [] : await readRows(executor, rows, context);
    for (const { key } of changed) known.add(yearOf(table, key));
    const whole = slices.filter(
      ({ change, year }) => change === 'forgotten' || (change === 'added' && known.has(year)),
    );
    if (changed.length === 0 && whole.length === 0) continue;
    const counts = { added: 0, removed: 0, revised: 0 };
    for (const { change } of changed) counts[change]++;
    const [first = '', ...more] = describeChanges({ ...release, ...counts, slices: whole });
    const why = slices.flatMap(({ year }) => reasonsOf(release, year, request.detail));
    entries.push({
      release,
      sentences: [
        changed.length === 0 && more.length > 0 ? '' : first,
        ...more,
        ...describeFigures(table, changed),
        ...new Set(why),
      ].filter(Boolean),
    });
  }
  return entries;
}

/** A row that a release changed. */
interface ChangedRow {
  readonly change: 'added' | 'removed' | 'revised';
  readonly key: readonly Value[];
  readonly old: readonly Value[];
  readonly now: readonly Value[];
}

async function readRows(
  executor: Executor,
  { plan, change, key, old, now }: FollowedRows,
  context: ScanContext,
): Promise<readonly ChangedRow[]> {
  const found: ChangedRow[] = [];
  for await (const { columns, rows } of executor.scan(plan, null, context))
    for (let row = 0; row < rows; row++) {
      const pick = (positions: readonly number[]) =>
        positions.map(position => (columns[position]?.[row] as Value | undefined) ?? null);
      const kind = columns[change]?.[row] as ChangedRow['change'];
      found.push({ change: kind, key: pick(key), old: pick(old), now: pick(now) });
    }
  return found;
}

/** The years in which there are such rows today. Reads none where no release added whole years. */
async function readYears(
  { files, executors, incoming: { signal } }: Exchange,
  { table, request, releases }: Followed,
): Promise<Set<number>> {
  const level = table.levels.get(request.detail);
  const added = new Set(
    releases.flatMap(({ slices }) => slices.flatMap(one => (one.change === 'added' ? [one.year] : []))),
  );
  const slices = level ? selectSlices(level, request.years).filter(({ year }) => added.has(year)) : [];
  if (slices.length === 0) return new Set();
  if (request.conditions.length === 0 || table.year < 0) return new Set(slices.map(({ year }) => year));
  const executor = executors.at(-1);
  const plan = asScan(planRequest(table, { ...request, format: 'parquet', limit: null }), slices);
  const years = new Set<number>();
  if (executor !== undefined)
    for await (const { columns, rows } of executor.scan(plan, null, { files, signal }))
      for (let row = 0; row < rows; row++) years.add(Number(columns[table.year]![row]));
  return years;
}

/** 0 in a dataset without time. */
function yearOf(table: Table, key: ChangedRow['key']): number {
  return table.year < 0 ? 0 : Number(key[table.order.indexOf(table.year)]);
}

/** Old and new values of revised rows. */
function describeFigures(table: Table, changed: readonly ChangedRow[]): string[] {
  const figures = changed.flatMap(({ change, key, old, now }) => {
    if (change !== 'revised') return [];
    const words = table.columns.flatMap(({ name }, position) =>
      table.order.includes(position) || old[position] === now[position]
        ? []
        : [`${name} ${say(old[position])} → ${say(now[position])}`],
    );
    return words.length === 0
      ? []
      : [`${key.filter(part => part !== null).join(', ')}: ${words.join(', ')}.`];
  });
  return figures.length <= MOST_FIGURES
    ? figures
    : [...figures.slice(0, MOST_FIGURES), `And ${figures.length - MOST_FIGURES} more.`];
}

function say(value: unknown): string {
  return value === null || value === undefined ? 'NULL' : String(value);
}
