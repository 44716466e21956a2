/** Answers the API's questions in plain JavaScript, from a host or from a tree on the disk of a build. */
import type { RowColumn } from '../../../build/format/manifest.ts';
import type { Files } from '../../edge/files/files.ts';
import { ColumnCache } from '../../edge/rows/column-cache.ts';
import { pickValues, Scan } from '../../edge/rows/scan.ts';
import { cutPiece, joinRows } from '../../edge/rows/text-cut.ts';
import { knownTotal } from '../../query/envelope.ts';
import type { Value } from '../../query/order.ts';
import type { CutPlan, Piece, Plan, ScanPlan } from '../../query/plan.ts';
import { planRequest } from '../../query/planner.ts';
import { parseRequest } from '../../query/request-parser.ts';
import type { Table } from '../../query/table.ts';
import { EngineError, MOST_FIRST_ROWS, type Parameters, type SortKey, type TableData } from './engine.ts';
import type { TaskResult } from './messages.ts';
import {
  type OrderKey,
  openPacked,
  orderRows,
  PackedBuilder,
  type PackedTable,
  takeRows,
} from './packed-table.ts';
import { countBytes, listSources } from './scan-sources.ts';
import type { TreeAccess } from './tree-reader.ts';

/** The page sets no limit on reading: the reader can cancel. */
const BUDGET = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };

/** Decoded columns, since a reader asks for the same slices again. */
const CACHE = new ColumnCache(32 << 20);

/** What a scan reads, in a page and in a build. */
interface RowsAccess extends Pick<TreeAccess, 'files' | 'preferWhole'> {
  subject(key: string): Promise<{ readonly table: Table }>;
}

/** Receives the progress of a task, and cancels it. */
export interface TaskControl {
  readonly signal: AbortSignal;
  /** Most bytes that the task reads. */
  expectBytes(total: number): void;
}

export async function readFirstRows(
  access: TreeAccess,
  { key, parameters, limit }: { key: string; parameters: Parameters; limit: number },
  control: TaskControl,
): Promise<TaskResult> {
  const { table } = await access.subject(key);
  const most = Math.min(limit, MOST_FIRST_ROWS);
  const isLess = ([name, value]: Parameters[number]) => name === 'limit' && !(Number(value) > most);
  const plan = planQuestion(
    table,
    parameters.some(isLess)
      ? parameters
      : [...parameters.filter(([name]) => name !== 'limit'), ['limit', String(most)]],
  );
  switch (plan.kind) {
    case 'stored':
      return cutRows(access, { ...plan, kind: 'cut', pieces: [wholePiece(plan.file)] }, control);
    case 'cut':
      return cutRows(access, plan, control);
    case 'scan': {
      const wanted = plan.request.limit;
      const packed = await scanRows(access, plan, wanted, control);
      const total = knownTotal(plan, packed.rows, packed.rows === wanted);
      return { table: packed, total };
    }
    default:
      return plan satisfies never;
  }
}

/** Reads all rows, sorted by `sort`, else in the API's order. */
export async function readAllRows(
  access: RowsAccess,
  { key, parameters, sort }: { key: string; parameters: Parameters; sort: readonly SortKey[] },
  control: TaskControl,
): Promise<TaskResult> {
  const { table } = await access.subject(key);
  const keys = sort.map(({ column, descending }): OrderKey => {
    const position = table.columns.findIndex(({ name }) => name === column);
    if (position < 0) throw new EngineError({ kind: 'refusal', words: `${key} has no column ${column}.` });
    return { position, descending };
  });
  const plan = planScan(table, parameters);
  const packed = await scanRows(access, plan, plan.request.limit, control);
  const sorted = keys.length === 0 ? packed : takeRows(packed, orderRows(packed, keys));
  return { table: sorted, total: plan.total ?? packed.rows };
}

/** Throws EngineError if the API refuses the question. */
function planQuestion(table: Table, parameters: Parameters): Plan {
  const format = parameters.findLast(([name]) => name === 'format');
  const pairs = [...parameters.filter(([name]) => name !== 'format'), ...(format ? [format] : [])];
  const parsed = parseRequest(
    table,
    pairs.map(([name, value]) => ({ name, value })),
  );
  if ('request' in parsed) return planRequest(table, parsed.request);
  const words = parsed.problems.map(({ param, msg }) => `${param}: ${msg}.`).join(' ');
  throw new EngineError({ kind: 'refusal', words });
}

/** Plans the same answer from Parquet alone: a stored slice becomes all its row groups. */
function planScan(table: Table, parameters: Parameters): ScanPlan {
  const plan = planQuestion(table, [...parameters, ['format', 'parquet']]);
  if (plan.kind === 'scan') return plan;
  const sources = listSources(plan);
  const residual = { conditions: [], sort: 'none', offset: 0, skipped: 0, limit: null } as const;
  return { ...plan, kind: 'scan', sources, residual, bytes: countBytes(sources), rows: plan.total ?? 0 };
}

function wholePiece(file: Piece['file']): Piece {
  return { file, skip: 0, take: file.entry.rows };
}

async function cutRows(
  { files }: TreeAccess,
  plan: CutPlan,
  { signal, expectBytes }: TaskControl,
): Promise<TaskResult> {
  const { columns } = plan.table;
  const builder = createTableBuilder(columns);
  const share = ({ file: { entry }, skip, take }: Piece) =>
    Math.ceil((entry.bytes * (skip + take)) / Math.max(1, entry.rows));
  expectBytes(plan.pieces.reduce((sum, piece) => sum + share(piece), 0));
  for (const piece of plan.pieces) {
    const parts: Uint8Array[] = [];
    for await (const part of cutPiece(files, piece, 'json', signal)) parts.push(part);
    const text = new TextDecoder().decode(joinRows(parts));
    const rows = JSON.parse(`[${text}]`) as readonly Readonly<Record<string, Value>>[];
    builder.append(
      columns.map(({ name }) => rows.map(row => row[name] ?? null)),
      rows.length,
    );
  }
  return { table: builder.build(), total: plan.total };
}

async function scanRows(
  { files, preferWhole }: Pick<RowsAccess, 'files' | 'preferWhole'>,
  plan: ScanPlan,
  limit: number | null,
  { signal, expectBytes }: TaskControl,
): Promise<PackedTable> {
  preferWhole(plan.sources);
  expectBytes(plan.bytes);
  const scan = new Scan(plan, { files, cache: CACHE, budget: BUDGET, signal });
  const builder = createTableBuilder(plan.table.columns);
  for await (const picked of scan.pick(limit))
    builder.append(await pickValues(scan.reader, picked), picked.rows.length);
  return builder.build();
}

function createTableBuilder(columns: readonly RowColumn[]): PackedBuilder {
  return new PackedBuilder(
    columns.map(({ name, type, parquet, utc }) => ({ name, type, wide: parquet === 'INT64', utc })),
  );
}

/** `readBytes` reads a file by its path from the tree's root; null if there is none. */
export async function readStagedRows(
  readBytes: (path: string) => Uint8Array | null,
  key: string,
  table: Table,
  parameters: Parameters,
): Promise<TableData> {
  const files: Files = {
    stat: async path => {
      const bytes = readBytes(path);
      return bytes && { bytes: bytes.length, modified: null, etag: null };
    },
    read: async (path, range) => {
      const bytes = readBytes(path);
      return (
        bytes && {
          size: bytes.length,
          bytes: range === null ? bytes : bytes.subarray(range.start, range.end),
        }
      );
    },
    stream: () => Promise.reject(new Error('Rows are read from Parquet, which is never a stream.')),
  };
  const access = { files, subject: async () => ({ table }), preferWhole: () => undefined };
  const control = { signal: new AbortController().signal, expectBytes: () => undefined };
  const { table: packed } = await readAllRows(access, { key, parameters, sort: [] }, control);
  return openPacked(packed);
}
