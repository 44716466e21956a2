/** Finds withheld counts that follow from a published share and its total. */
import type { Column, Contracts, Dataset } from '../contract/dataset.ts';
import type { Session } from '../lake/database.ts';
import { SLICE_COLUMN } from '../lake/fact-table.ts';
import type { LakeSlice } from '../lake/inventory.ts';
import { identifier, literal } from '../lake/sql.ts';
import {
  ADDING_PERCENT,
  type DisclosureFamily,
  deriveFamilies,
  disclosureMetrics,
} from './disclosure-family.ts';

export interface SharedCells {
  readonly metric: string;
  readonly share: string;
  /** In words: a column, or the count itself at an axis's total or in the level above. */
  readonly total: string;
  /** Rows that publish all three, and how many of them agree within the share's rounding. */
  readonly whole: number;
  readonly agreeing: number;
  /** Withheld counts, those that follow, and those for which only one whole number fits. */
  readonly withheld: number;
  readonly cells: number;
  readonly exact: number;
  readonly slices: readonly { readonly year: number; readonly detail: string; readonly cells: number }[];
}

/** With the SQL of the rows that follow, from FROM on; `t` is the table. */
interface FollowingCells extends SharedCells {
  readonly rows: string;
}

/** Fewer rows agree by chance. */
const LEAST_ROWS = 3;

/** The whole in the share's unit. */
const SCALES = [1, 100, 1000, 100_000] as const;

/**
 * Limits of tried pairs (count, share) and triples (with a total), nearest columns first. All triples of
 * hundreds of figures would take minutes.
 */
const MOST_PAIRS = 200;
const MOST_TRIALS = 2000;
/** Sampled rows. */
const TRIED_ROWS = 50_000;
/** Each adds to the plan of its statement. */
const TOGETHER = 64;

/** A rounded share of a large total doesn't reveal a small count: more whole numbers than these fit. */
const WIDEST = 10;

/** With more decimals, a share is as good as exact. */
const MOST_DECIMALS = 6;

/** Where the total is: in the row itself, or in the row of a family's total. */
interface Base {
  readonly alias: string;
  readonly join: string;
  readonly words: (column: string) => string;
  readonly family: DisclosureFamily | null;
}

interface Trial {
  readonly metric: string;
  readonly share: string;
  readonly total: string;
  readonly base: Base;
  readonly scale: number;
  readonly decimals: number;
}

/**
 * `table` has the dataset's columns and SLICE_COLUMN. One finding for each count and share: the total that
 * reveals most withheld counts. Only the rows show what a share is of.
 */
export async function readShares(
  session: Session,
  dataset: Dataset,
  contracts: Contracts,
  table: string,
  slices: readonly LakeSlice[],
): Promise<FollowingCells[]> {
  const counts = disclosureMetrics(dataset);
  const shares = dataset.columns.filter(isShare);
  if (counts.length === 0 || shares.length === 0) return [];
  const place = (name: string) => dataset.columns.findIndex(column => column.name === name);
  const all = counts.flatMap(metric => shares.map(share => ({ metric, share })));
  const far = ({ metric, share }: (typeof all)[number]) => Math.abs(place(metric) - place(share.name));
  const near = all.sort((a, b) => far(a) - far(b)).slice(0, MOST_PAIRS);
  const pairs = await openPairs(session, table, near);
  if (pairs.length === 0) return [];
  const decimals = await decimalsOf(session, table, [...new Set(pairs.map(one => one.share))]);
  const totals = dataset.columns.filter(isCount).map(one => one.name);
  const trials = basesOf(dataset, contracts, table, slices, [...new Set([...counts, ...totals])]).flatMap(
    base =>
      pairs.flatMap(({ metric, share }) =>
        (base.family === null ? totals.filter(name => name !== metric) : [metric]).flatMap(total =>
          scalesOf(share).map(scale => {
            return { metric, total, base, scale, share: share.name, decimals: decimals.get(share.name) ?? 0 };
          }),
        ),
      ),
  );
  const found: FollowingCells[] = [];
  for (const trial of await tryAll(session, table, trials.slice(0, MOST_TRIALS))) {
    const counted = await countCells(session, table, trial, slices);
    const { metric, share, total, base } = trial;
    if (counted.cells > 0 && agrees(counted))
      found.push({ metric, share, total: base.words(total), ...counted });
  }
  return pairs.flatMap(({ metric, share: { name } }) => {
    const all = found.filter(one => one.metric === metric && one.share === name);
    return all.sort((a, b) => b.cells - a.cells).slice(0, 1);
  });
}

function isCount({ role, type, unit }: Column): boolean {
  return role === 'metric' && type === 'integer' && (unit === 'count' || unit === null);
}

function isShare({ role, type, unit }: Column): boolean {
  return (
    role === 'metric' && (type === 'number' || (type === 'integer' && unit !== 'count' && unit !== null))
  );
}

function scalesOf({ unit }: Column): readonly number[] {
  if (unit === 'percent') return [100];
  return unit === 'proportion' ? [1] : SCALES;
}

/** Pairs of a count and a share that is published where the count is withheld. */
async function openPairs<Pair extends { readonly metric: string; readonly share: Column }>(
  session: Session,
  table: string,
  all: readonly Pair[],
): Promise<Pair[]> {
  const open: Pair[] = [];
  for (let at = 0; at < all.length; at += TOGETHER) {
    const some = all.slice(at, at + TOGETHER);
    const tests = some.map(
      ({ metric, share }, i) =>
        `coalesce(bool_or(t.${identifier(metric)} IS NULL AND t.${identifier(share.name)} IS NOT NULL), false) AS p${i}`,
    );
    const row = await session.row<Record<string, boolean>>(`SELECT ${tests.join(', ')} FROM ${table} t`);
    open.push(...some.filter((_, i) => row[`p${i}`] === true));
  }
  return open;
}

/** The decimals to which 99 of 100 values of a share are rounded. */
async function decimalsOf(
  session: Session,
  table: string,
  shares: readonly Column[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { name } of shares) {
    const value = `t.${identifier(name)}::DOUBLE`;
    const fits = Array.from({ length: MOST_DECIMALS }, (_, d) => {
      const scaled = `(${value} * 1e${d})`;
      return `count(*) FILTER (abs(${scaled} - round(${scaled})) <= 1e-6) AS d${d}`;
    });
    const row = await session.row<Record<string, number>>(
      `SELECT count(${value}) AS n, ${fits.join(', ')} FROM ${table} t`,
    );
    const least = fits.findIndex((_, d) => (row[`d${d}`] ?? 0) >= 0.99 * (row['n'] ?? 0));
    found.set(name, least < 0 ? MOST_DECIMALS : least);
  }
  return found;
}

/** The total row of each axis, the place's row in each level above, and the row itself. */
function basesOf(
  dataset: Dataset,
  contracts: Contracts,
  table: string,
  slices: readonly LakeSlice[],
  columns: readonly string[],
): Base[] {
  const own: Base = { alias: 't', join: '', words: column => column, family: null };
  const bases = deriveFamilies(dataset, contracts).map((family, i): Base => {
    const alias = `b${i}`;
    const keys = family.keys.map(
      name => ` AND ${alias}.${identifier(name)} IS NOT DISTINCT FROM t.${identifier(name)}`,
    );
    const selected = [...family.keys, ...columns].map(name => `s.${identifier(name)}`).join(', ');
    const join = (slice: string, from: string) =>
      `LEFT JOIN (SELECT ${slice} AS ${SLICE_COLUMN}, ${selected} FROM ${from}) ${alias} ON ${alias}.${SLICE_COLUMN} = t.${SLICE_COLUMN}${keys.join('')}`;
    if (family.kind === 'level') {
      const roles = slices.flatMap(({ year, detail }, child) => {
        const parent = slices.findIndex(one => one.year === year && one.detail === family.parent);
        return detail === family.child && parent >= 0 ? [`(${child}, ${parent})`] : [];
      });
      const from = `${table} s JOIN (VALUES ${roles.join(', ') || '(-1, -1)'}) r(child, parent) ON s.${SLICE_COLUMN} = r.parent`;
      return { alias, family, join: join('r.child', from), words: column => `${column} of ${family.parent}` };
    }
    const from = `${table} s WHERE s.${identifier(family.column)}::VARCHAR = ${literal(family.total)}`;
    return {
      ...{ alias, family, join: join(`s.${SLICE_COLUMN}`, from) },
      words: column => `${column} where ${family.column} is ${family.total}`,
    };
  });
  // Few totals are elsewhere, so these are tried first.
  return [...bases, own];
}

const shareOf = ({ share }: Trial) => `t.${identifier(share)}::DOUBLE`;
const totalOf = ({ base, total }: Trial) => `${base.alias}.${identifier(total)}::DOUBLE`;
const halfUnit = ({ decimals }: Trial) => `${0.5 * 10 ** -decimals}`;

/** Counts rows that publish all three, and those that agree. Shares of 0 and 1 prove nothing. */
function evidenceSql(trial: Trial) {
  const [count, share, total] = [`t.${identifier(trial.metric)}`, shareOf(trial), totalOf(trial)];
  const whole = `${count} IS NOT NULL AND ${total} > 0 AND ${share} <> 0 AND ${share} <> ${trial.scale}`;
  const near = `abs(${share} - ${trial.scale} * (${count}::DOUBLE / ${total})) <= ${halfUnit(trial)} * 1.0001 + 1e-9`;
  return {
    whole: `count(*) FILTER (${whole})`,
    agreeing: `count(*) FILTER (${whole} AND ${near})`,
  };
}

function agrees({ whole, agreeing }: Pick<SharedCells, 'whole' | 'agreeing'>): boolean {
  return whole >= LEAST_ROWS && 100 * agreeing >= ADDING_PERCENT * whole;
}

async function tryAll(session: Session, table: string, trials: readonly Trial[]): Promise<Trial[]> {
  const found: Trial[] = [];
  const { rows } = await session.row<{ rows: number }>(`SELECT count(*) AS rows FROM ${table} t`);
  const every = Math.ceil(rows / TRIED_ROWS);
  for (const base of new Set(trials.map(one => one.base))) {
    const own = trials.filter(one => one.base === base);
    for (let at = 0; at < own.length; at += TOGETHER) {
      const some = own.slice(at, at + TOGETHER);
      const counts = some.flatMap((trial, i) => {
        const { whole, agreeing } = evidenceSql(trial);
        return [`${whole} AS w${i}`, `${agreeing} AS a${i}`];
      });
      const sample = every > 1 ? ` WHERE hash(t) % ${every} = 0` : '';
      const row = await session.row<Record<string, number>>(
        `SELECT ${counts.join(', ')} FROM ${table} t ${base.join}${sample}`,
      );
      found.push(...some.filter((_, i) => agrees({ whole: row[`w${i}`] ?? 0, agreeing: row[`a${i}`] ?? 0 })));
    }
  }
  return found;
}

const COUNTED = ['whole', 'agreeing', 'withheld', 'cells', 'exact'] as const;

/** The evidence of a triple in all rows, and the withheld counts that follow. */
async function countCells(session: Session, table: string, trial: Trial, slices: readonly LakeSlice[]) {
  const { metric, scale, base } = trial;
  const [share, total, half] = [shareOf(trial), totalOf(trial), halfUnit(trial)];
  const withheld = `t.${identifier(metric)} IS NULL`;
  const [least, most] = [`(${share} - ${half})`, `(${share} + ${half})`].map(
    bound => `${bound} * ${total} / ${scale}`,
  );
  const follows = `${withheld} AND ${most} - ${least} <= ${WIDEST}`;
  const { whole, agreeing } = evidenceSql(trial);
  const rows = await session.rows<Record<(typeof COUNTED)[number] | 'slice', number>>(
    `SELECT t.${SLICE_COLUMN} AS slice, ${whole} AS whole, ${agreeing} AS agreeing, count(*) FILTER (${withheld}) AS withheld, count(*) FILTER (${follows}) AS cells, count(*) FILTER (${follows} AND ceil(${least} - 1e-9) >= floor(${most} + 1e-9)) AS exact FROM ${table} t ${base.join} GROUP BY 1 ORDER BY 1`,
  );
  const where = `FROM ${table} t ${base.join} WHERE ${follows}`;
  const sum = (name: (typeof COUNTED)[number]) => rows.reduce((all, row) => all + row[name], 0);
  return {
    ...{ whole: sum('whole'), agreeing: sum('agreeing'), withheld: sum('withheld') },
    ...{ cells: sum('cells'), exact: sum('exact'), rows: where },
    slices: rows.flatMap(({ slice, cells }) => {
      const { year, detail } = slices[slice] ?? {};
      return cells > 0 && year !== undefined && detail !== undefined ? [{ year, detail, cells }] : [];
    }),
  };
}
