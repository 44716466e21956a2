/** Request → plan over the rows of an earlier release: those of today that did not change since, and those that did. */

import type { ReleaseChanges } from '../../build/format/changes.ts';
import type { RowColumn } from '../../build/format/manifest.ts';
import { nameBefore, type Past, sliceChanges } from './memory.ts';
import type { Part, PastScan, PatchSource, Plan, ScanPlan } from './plan.ts';
import { planRequest, selectSlices } from './planner.ts';
import { prepareParquet } from './preparation.ts';
import { pruneGroups } from './prune.ts';
import { ALL_YEARS, type Condition, type RowsRequest } from './request.ts';
import type { Slice, Table, TextFile } from './table.ts';

/** A slice whose earlier rows the publisher took back, so that nobody is told. */
export interface ForgottenSlice {
  readonly year: number;
  readonly detail: string;
}

export function planPast(past: Past, request: RowsRequest): Plan | { readonly forgotten: ForgottenSlice } {
  const plan = planRows(past, request);
  if (!('past' in plan)) return plan;
  const parts = listParts(past, plan);
  if (parts === null) return plan;
  const scans = parts.flatMap(part => ('scan' in part ? [part.scan] : []));
  const sum = (sizes: readonly number[]) => sizes.reduce((total, one) => total + one, 0);
  return { ...plan, parts, bytes: sum(scans.map(one => one.bytes)), rows: sum(scans.map(one => one.rows)) };
}

/**
 * What stands in stored text, and scans of the slices that changed since. Null where the rows of slices do not follow one
 * another, or nothing of them is stored.
 */
function listParts(past: Past, { request, total }: ScanPlan): readonly Part[] | null {
  const { format, conditions, offset, limit, detail } = request;
  const level = past.table.levels.get(detail);
  if (!level || format === 'parquet' || conditions.length > 0 || !past.table.yearFirst) return null;
  const end = limit === null ? (total ?? 0) : Math.min(total ?? 0, offset + limit);
  const today = past.present.levels.get(detail)?.slices ?? [];
  const parts: Part[] = [];
  let at = 0;
  for (const slice of selectSlices(level, request.years)) {
    const [from, to] = [Math.max(0, offset - at), Math.min(slice.rows, end - at)];
    const files = today.includes(slice) ? slice[format] : [];
    if (to > from && files.length === 0) {
      const years = { exact: slice.year, min: null, max: null };
      const scan = planRows(past, { ...request, years, offset: from, limit: to - from });
      if (!('kind' in scan) || scan.kind !== 'scan') return null;
      const text = from === 0 && to === slice.rows ? textOfToday(past, slice, scan) : null;
      parts.push({ scan, take: to - from, ...(text && { today: text }) });
    }
    let first = 0;
    for (const file of files) {
      const skip = Math.max(0, from - first);
      const take = Math.min(file.entry.rows, to - first) - skip;
      if (take > 0) parts.push({ piece: { file, skip, take } });
      first += file.entry.rows;
    }
    at += slice.rows;
  }
  return parts.some(part => 'piece' in part || part.today) ? parts : null;
}

/** The CSV of a slice today, if its lines are those of then but for rows that changed. */
function textOfToday({ present, table }: Past, { year }: Slice, scan: ScanPlan): TextFile | null {
  const { detail, format } = scan.request;
  const slice = present.levels.get(detail)?.slices.find(one => one.year === year);
  const isSame =
    table.columns.length === present.columns.length &&
    scan.past?.columns.every((position, index) => {
      const [then, now] = [table.columns[index], present.columns[position]];
      return position === index && then?.type === now?.type && then?.utc === now?.utc;
    });
  const [file, ...more] = format === 'csv' && isSame && slice ? slice.csv : [];
  return file && more.length === 0 && scan.past?.base.rows === file.entry.rows ? file : null;
}

function planRows(past: Past, request: RowsRequest): Plan | { readonly forgotten: ForgottenSlice } {
  const plan = planRequest(past.table, request);
  const level = past.table.levels.get(request.detail);
  const wanted = level ? selectSlices(level, request.years) : [];
  const today = past.present.levels.get(request.detail)?.slices ?? [];
  // The Parquet file of a slice that changed since is not there any more.
  const isGone =
    plan.kind === 'stored' && wanted.some(slice => slice.parquet === plan.file && !today.includes(slice));
  if (plan.kind !== 'scan' && !isGone) return plan;
  const fates = wanted.map(slice => ({
    slice,
    ...sliceChanges(past.later, { year: slice.year, detail: request.detail }),
  }));
  const forgotten = fates.find(({ end }) => end === 'forgotten');
  if (forgotten) return { forgotten: { year: forgotten.slice.year, detail: request.detail } };
  const patched = fates.filter(fate => fate.in.length > 0);
  const patches = past.later.flatMap((release, index) => {
    const years = patched.filter(fate => fate.in.includes(release)).map(fate => fate.slice.year);
    const source =
      years.length === 0
        ? null
        : patchSource(past.table, release, name => nameBefore(past.later, name, index), request, years);
    return source === null ? [] : [source];
  });
  const standing = fates.filter(({ end }) => end === null).map(({ slice }) => slice);
  const skipped = skippedSlices(request, past.table, wanted);
  const offset = request.offset - skipped.rows;
  const most = patches.reduce((sum, { rows }) => sum + rows, 0);
  const limit = request.limit === null ? null : offset + request.limit + 1 + most;
  const base = planBase(
    past,
    request,
    standing.filter(slice => !skipped.slices.includes(slice)),
    limit,
  );
  const scan: PastScan = {
    base,
    columns: past.table.columns.map(({ name }) =>
      positionOf(past.present.columns, nameBefore(past.later, name, past.later.length)),
    ),
    patches: patches.map(source => ({
      ...source,
      years: source.years.filter(year => !skipped.slices.some(slice => slice.year === year)),
    })),
    conditions: request.conditions,
  };
  const { table, years, release, total, notices } = plan;
  return {
    ...{ kind: 'scan', table, request: plan.request, years, release, total, notices },
    sources: [...base.sources, ...patches],
    residual: {
      conditions: request.conditions,
      sort: base.residual.sort,
      offset,
      skipped: 0,
      limit: request.limit,
    },
    bytes: patches.reduce((sum, source) => sum + source.bytes, base.bytes),
    rows: base.rows + most,
    past: scan,
  };
}

/** The first slices of an answer without conditions, if all their rows are before its offset. */
function skippedSlices(
  { conditions, offset }: RowsRequest,
  { yearFirst }: Table,
  slices: readonly Slice[],
): { readonly slices: readonly Slice[]; readonly rows: number } {
  const skipped: Slice[] = [];
  let rows = 0;
  for (const slice of conditions.length === 0 && yearFirst ? slices : []) {
    if (rows + slice.rows > offset) break;
    rows += slice.rows;
    skipped.push(slice);
  }
  return { slices: skipped, rows };
}

/** The plan for the rows of today in the slices that were there then. */
function planBase(
  { present, later }: Past,
  { detail, conditions }: RowsRequest,
  standing: readonly Slice[],
  limit: number | null,
): ScanPlan {
  const level = present.levels.get(detail);
  const years = new Set(standing.map(slice => slice.year));
  const mapped = conditions.map(condition =>
    mapCondition(condition, present, name => nameBefore(later, name, later.length)),
  );
  // A column that is gone is NULL in every row that did not change when it went, and no condition on it holds for NULL.
  const none = level === undefined || mapped.includes(null);
  const slices = none ? [] : level.slices.filter(slice => years.has(slice.year));
  const narrowed: Table = {
    ...present,
    levels: new Map(level ? [[detail, { ...level, slices, years: slices.map(slice => slice.year) }]] : []),
  };
  const known = mapped.filter(condition => condition !== null);
  const plan = planRequest(narrowed, {
    format: 'parquet',
    detail,
    years: ALL_YEARS,
    conditions: none ? [] : known,
    offset: 0,
    limit,
  });
  return asScan(plan, slices);
}

/** A whole slice as all of its row groups. */
export function asScan(plan: Plan, slices: readonly Slice[]): ScanPlan {
  if (plan.kind === 'scan') return plan;
  const sum = (sizes: readonly number[]) => sizes.reduce((total, one) => total + one, 0);
  return {
    ...plan,
    kind: 'scan',
    sources: slices.map(({ parquet }) => ({ file: parquet, groups: [...parquet.groupBytes.keys()] })),
    residual: { conditions: [], sort: false, offset: 0, skipped: 0, limit: plan.request.limit },
    bytes: sum(slices.map(({ parquet }) => sum(parquet.groupBytes))),
    rows: sum(slices.map(slice => slice.rows)),
  };
}

/**
 * The rows that a release changed in the slices of some years. `nameAt`: the name that a column of the table had before
 * the release; null if there was none. Null if it changed no row.
 */
export function patchSource(
  { folder, columns: wanted, order }: Table,
  { rows }: ReleaseChanges,
  nameAt: (name: string) => string | null,
  { detail, conditions }: RowsRequest,
  years: readonly number[],
): PatchSource | null {
  if (rows === null) return null;
  const { columns, key_columns: keys } = rows;
  const file = prepareParquet(folder, rows.file, [], -1);
  const find = (name: string) => columns.findIndex(column => column.name === name);
  const positions = wanted.map(({ name }) => {
    const then = nameAt(name);
    if (then === null) return -1;
    const key = find(`key_${then}`);
    return key >= 0 ? key : find(`old_${then}`);
  });
  const inFile = (position: number) => {
    const at = positions[position] ?? -1;
    const column = columns[at]?.name ?? '';
    return { column, position: at, key: keys.indexOf(column) };
  };
  const one = (name: string, values: ListValues): Condition => ({
    ...{ bound: 'list', param: name, column: name, values },
    ...{ position: find(name), key: keys.indexOf(name) },
  });
  const byKey = conditions.flatMap((condition): Condition[] => {
    if (condition.bound === 'place')
      return [{ ...condition, parts: condition.parts.map(part => inFile(part.position)) }];
    // Other values may be others by now, and the row must be known as changed all the same.
    return order.includes(condition.position) ? [{ ...condition, ...inFile(condition.position) }] : [];
  });
  const pruned = pruneGroups(file, [one('detail', [detail]), one('year', years), ...byKey]);
  return {
    ...{ file, groups: pruned.groups, bytes: pruned.bytes, rows: pruned.rows },
    ...{ columns, positions, detail, years, conditions: byKey },
    keys: order.map(position => positions[position] ?? -1),
  };
}

type ListValues = Extract<Condition, { bound: 'list' }>['values'];

function positionOf(columns: readonly RowColumn[], name: string | null): number {
  return name === null ? -1 : columns.findIndex(column => column.name === name);
}

/** The condition on the columns of today; null if one of them is gone. */
function mapCondition(
  condition: Condition,
  { columns, keyColumns }: Table,
  nameNow: (name: string) => string | null,
): Condition | null {
  const map = (column: string) => {
    const now = nameNow(column);
    const position = positionOf(columns, now);
    return now === null || position < 0 ? null : { column: now, position, key: keyColumns.indexOf(now) };
  };
  if (condition.bound !== 'place') {
    const found = map(condition.column);
    return found && { ...condition, ...found };
  }
  const parts = condition.parts.map(part => map(part.column));
  return parts.includes(null) ? null : { ...condition, parts: parts.filter(part => part !== null) };
}
