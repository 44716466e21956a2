/** Divides a build's work among shards, in the same way on every machine. Pure. */
import { type LakeSlice, sliceName } from '../lake/inventory.ts';
import { runName } from '../plan/copy-runs.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import type { CopyRun } from '../slice/copy-writer.ts';
import { type RowsWork, type Work, wholeWork } from '../plan/work.ts';

/** The smallest unit of work: the rules of a dataset, one slice, the copies of some years of a level, or one dimension. */
type Piece =
  | { readonly kind: 'checks' | 'dimension'; readonly key: string; readonly weight: number }
  | {
      readonly kind: 'slice' | CopyRun['by'];
      readonly key: string;
      /** `year/level`, the level, or the name of a run. */
      readonly name: string;
      readonly weight: number;
    };

/** Fixed cost of a piece, in bytes of the lake. */
const PIECE_BYTES = 20_000;
/** Time per byte, where a check takes 2: measured on the sample lake. */
const FACTOR = { checks: 2, slice: 4, place: 1, values: 2, dimension: 4 } as const;

/** The work of each of `count` shards. With more shards than pieces, some have nothing to do. */
export function shareWork(plan: TreePlan, count: number): Work[] {
  const whole = wholeWork(plan);
  return splitEvenly(piecesOf(whole), count).map(pieces => {
    const names = new Set(pieces.map(pieceName));
    const has = (kind: Piece['kind'], key: string, name = '') => names.has(`${kind} ${key} ${name}`);
    return {
      checksDimensions: whole.checksDimensions,
      checks: whole.checks.filter(dataset => has('checks', dataset.key)),
      rows: whole.rows
        .map(
          ({ plan, slices, runs }): RowsWork => ({
            plan,
            slices: slices.filter(slice => has('slice', plan.dataset.key, sliceName(slice))),
            runs: runs.filter(run => has(run.by, plan.dataset.key, runName(run))),
          }),
        )
        .filter(({ slices, runs }) => slices.length + runs.length > 0),
      dimensions: whole.dimensions.filter(({ dimension }) => has('dimension', dimension.key)),
    };
  });
}

function pieceName(piece: Piece): string {
  return `${piece.kind} ${piece.key} ${'name' in piece ? piece.name : ''}`;
}

/** Pieces in an order that keeps a dataset, whose pieces read the same files, in as few shards as possible. */
function piecesOf({ checks, rows, dimensions }: Work): Piece[] {
  const weigh = (kind: Piece['kind'], bytes: number) => PIECE_BYTES + FACTOR[kind] * bytes;
  const checked = new Set(checks.map(dataset => dataset.key));
  const ofDataset = ({ plan, slices, runs }: RowsWork): Piece[] => {
    const { key } = plan.dataset;
    return [
      ...(checked.has(key)
        ? [{ kind: 'checks' as const, key, weight: weigh('checks', bytesOf(plan.slices)) }]
        : []),
      ...runs.map(run => ({
        kind: run.by,
        key,
        name: runName(run),
        weight: weigh(run.by, bytesOf(run.slices)),
      })),
      ...slices.map(slice => ({
        kind: 'slice' as const,
        key,
        name: sliceName(slice),
        weight: weigh('slice', bytesOf([slice])),
      })),
    ];
  };
  return [
    ...dimensions.map(({ dimension, file }) => ({
      kind: 'dimension' as const,
      key: dimension.key,
      weight: weigh('dimension', file.bytes),
    })),
    ...rows.flatMap(ofDataset),
  ];
}

function bytesOf(slices: readonly LakeSlice[]): number {
  return slices.flatMap(slice => slice.files).reduce((sum, file) => sum + file.bytes, 0);
}

/**
 * Splits pieces into runs, so that the heaviest run is as light as possible. It uses whole numbers, so that the search
 * ends at the same limit on every machine.
 */
export function splitEvenly<Weighed extends { readonly weight: number }>(
  pieces: readonly Weighed[],
  count: number,
): Weighed[][] {
  const total = pieces.reduce((sum, piece) => sum + piece.weight, 0);
  let low = Math.max(Math.ceil(total / count), ...pieces.map(piece => piece.weight));
  let high = total;
  while (low < high) {
    const limit = Math.floor((low + high) / 2);
    if (fill(pieces, limit).length <= count) high = limit;
    else low = limit + 1;
  }
  const runs = fill(pieces, low);
  return Array.from({ length: count }, (_, i) => runs[i] ?? []);
}

function fill<Weighed extends { readonly weight: number }>(
  pieces: readonly Weighed[],
  limit: number,
): Weighed[][] {
  const runs: Weighed[][] = [];
  let room = 0;
  for (const piece of pieces) {
    if (piece.weight > room || runs.length === 0) {
      runs.push([]);
      room = limit;
    }
    runs.at(-1)?.push(piece);
    room -= piece.weight;
  }
  return runs;
}
