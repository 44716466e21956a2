/** Hash trees of RFC 6962 and the tiles of C2SP tlog-tiles. Pure. */
import { createHash } from 'node:crypto';

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

export function leafHash(entry: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}

/** The hash of the tree over leaf hashes. */
export function rootHash(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return only;
  // The left half is the largest power of two that leaves something for the right one.
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(rootHash(leaves.slice(0, half)), rootHash(leaves.slice(half)));
}

/** A file of hashes or entries: tile `index` of a level, which holds `width` of them. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
}

/** Path below the log's folder: `tile/0/x001/234`, and `….p/5` for a tile that is not full. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const name = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** The tiles of one level with `count` hashes or entries. */
export function tilesOf(level: Tile['level'], count: number): Tile[] {
  return Array.from({ length: Math.ceil(count / TILE_WIDTH) }, (_, index) => ({
    level,
    index,
    width: Math.min(TILE_WIDTH, count - index * TILE_WIDTH),
  }));
}

/** All tiles of hashes over the leaves: a hash above level 0 is the root of a full tile below. */
export function hashTiles(leaves: readonly Buffer[]): [Tile, Buffer][] {
  const tiles: [Tile, Buffer][] = [];
  let hashes = leaves;
  for (let level = 0; hashes.length > 0; level++) {
    const list = tilesOf(level, hashes.length).map((tile): [Tile, readonly Buffer[]] => [
      tile,
      hashes.slice(tile.index * TILE_WIDTH, tile.index * TILE_WIDTH + tile.width),
    ]);
    tiles.push(...list.map(([tile, held]): [Tile, Buffer] => [tile, Buffer.concat(held)]));
    hashes = list.filter(([tile]) => tile.width === TILE_WIDTH).map(([, held]) => rootHash(held));
  }
  return tiles;
}
