/** How a build's work is shared out among shards, the same on every machine. Pure. */
import { type LakeSlice, sliceName } from '../lake/inventory.ts';
import type { TreePlan } from '../plan/tree-plan.ts';
import { historySlices, type RowsWork, type Work, wholeWork } from '../plan/work.ts';

/** What one shard does, and no two share: a dataset's rules, one slice, one level's history, one dimension. */
type Piece =
  | { readonly kind: 'checks' | 'dimension'; readonly key: string; readonly weight: number }
  | {
      readonly kind: 'slice' | 'history';
      readonly key: string;
      /** `year/level`, or the level. */
      readonly name: string;
      readonly weight: number;
    };

/** Bytes of the lake that take as long as a piece's own beginning and end. */
const PIECE_BYTES = 20_000;
/** Time per byte, in halves of what a check takes: measured on the sample lake. */
const FACTOR = { checks: 2, slice: 4, history: 1, dimension: 4 } as const;

/** The work of each of `count` shards; more shards than pieces leaves some with nothing to do. */
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
          ({ plan, slices, histories }): RowsWork => ({
            plan,
            slices: slices.filter(slice => has('slice', plan.dataset.key, sliceName(slice))),
            histories: histories.filter(detail => has('history', plan.dataset.key, detail)),
          }),
        )
        .filter(({ slices, histories }) => slices.length + histories.length > 0),
      dimensions: whole.dimensions.filter(({ dimension }) => has('dimension', dimension.key)),
    };
  });
}

function pieceName(piece: Piece): string {
  return `${piece.kind} ${piece.key} ${'name' in piece ? piece.name : ''}`;
}

/** In an order that keeps the pieces of a dataset, which read the same files and dimensions, in as few shards as can be. */
function piecesOf({ checks, rows, dimensions }: Work): Piece[] {
  const weigh = (kind: Piece['kind'], bytes: number) => PIECE_BYTES + FACTOR[kind] * bytes;
  const checked = new Set(checks.map(dataset => dataset.key));
  const ofDataset = ({ plan, slices, histories }: RowsWork): Piece[] => {
    const { key } = plan.dataset;
    return [
      ...(checked.has(key)
        ? [{ kind: 'checks' as const, key, weight: weigh('checks', bytesOf(plan.slices)) }]
        : []),
      ...histories.map(name => ({
        kind: 'history' as const,
        key,
        name,
        weight: weigh('history', bytesOf(historySlices(plan, name))),
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
 * Runs of consecutive pieces, the heaviest as light as can be. Whole numbers, so that the search ends at the same
 * limit everywhere.
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
