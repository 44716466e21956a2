/** Divides a build's work among shards, in the same way on every machine. Pure. */
import type { Piece } from '../plan/pieces.ts';

/** Fixed cost of a piece, in bytes of the lake. */
const PIECE_BYTES = 20_000;
/** Time per byte, where a check takes 2: measured on the sample lake. */
const FACTOR: Readonly<Record<Piece['kind'], number>> = {
  checks: 2,
  slice: 4,
  place: 1,
  values: 2,
  dimension: 4,
};

/** The pieces of each of `count` shards. With more shards than pieces, some have nothing to do. */
export function sharePieces(pieces: readonly Piece[], count: number): Piece[][] {
  const weighed = pieces.map(piece => ({
    piece,
    weight: PIECE_BYTES + FACTOR[piece.kind] * bytesOfPiece(piece),
  }));
  return splitEvenly(weighed, count).map(run => run.map(({ piece }) => piece));
}

function bytesOfPiece(piece: Piece): number {
  const files = piece.kind === 'dimension' ? piece.files : piece.slices.flatMap(slice => slice.files);
  return files.reduce((sum, file) => sum + file.bytes, 0);
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
