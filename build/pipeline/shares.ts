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

/** Splits pieces into consecutive runs of about the same weight: a piece is in the run in which its middle falls. */
export function splitEvenly<Weighed extends { readonly weight: number }>(
  pieces: readonly Weighed[],
  count: number,
): Weighed[][] {
  const total = pieces.reduce((sum, piece) => sum + piece.weight, 0);
  const runs = Array.from({ length: count }, (): Weighed[] => []);
  let before = 0;
  for (const piece of pieces) {
    const middle = (before + piece.weight / 2) / total;
    runs[Math.floor(middle * count)]!.push(piece);
    before += piece.weight;
  }
  return runs;
}
