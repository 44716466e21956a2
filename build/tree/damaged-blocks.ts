/** Finds which blocks of a file are damaged. */
import { BLOCK_BYTES } from '../format/manifest.ts';
import { digestPublished } from '../slice/file-digest.ts';
import type { KnownFile } from './previous-tree.ts';

/** Bytes of a SHA-256. */
const HASH = 32;

/**
 * The numbers of the blocks, from 0, that differ from what a manifest lists. Null if the manifest lists no blocks, or the
 * file has another length.
 */
export function damagedBlocks(
  file: string,
  { bytes, blocks }: Pick<KnownFile, 'bytes' | 'blocks'>,
): number[] | null {
  if (blocks === undefined) return null;
  const { file: found } = digestPublished(file);
  if (found.bytes !== bytes || found.blocks === undefined) return null;
  const [expected, actual] = [blocks, found.blocks].map(text => Buffer.from(text, 'base64'));
  return Array.from({ length: Math.ceil(bytes / BLOCK_BYTES) }, (_, i) => i).filter(
    i =>
      !expected
        ?.subarray(i * HASH, (i + 1) * HASH)
        .equals(actual?.subarray(i * HASH, (i + 1) * HASH) ?? Buffer.of()),
  );
}

/** ` Damaged: block 3 of 12 (bytes 131072 to 196607).` */
export function blocksText(damaged: readonly number[] | null, bytes: number): string {
  if (damaged === null || damaged.length === 0) return '';
  const all = Math.ceil(bytes / BLOCK_BYTES);
  const said = damaged
    .slice(0, 3)
    .map(
      i =>
        `block ${i} of 0 to ${all - 1} (bytes ${i * BLOCK_BYTES} to ${Math.min(bytes, (i + 1) * BLOCK_BYTES) - 1})`,
    );
  const more = damaged.length > 3 ? ` and ${damaged.length - 3} more` : '';
  return ` Damaged: ${said.join(', ')}${more}.`;
}
