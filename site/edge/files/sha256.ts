/** SHA-256 on any host: browsers offer theirs only to pages from https or localhost. */
import { sha256 as computeDigest } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** For fewer bytes, calling the engine's own hash takes longer than computing it here. */
const WORTH_THE_WAY = 4096;

interface NodeCrypto {
  createHash(name: 'sha256'): { update(data: Uint8Array): { digest(form: 'hex'): string } };
}

/** Node's own is the fastest. */
const node = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;

/** From hexadecimal. */
export function inBase64(digits: string): string {
  return btoa(String.fromCharCode(...hexToBytes(digits)));
}

/** Lower-case hexadecimal. */
export async function sha256(data: Uint8Array): Promise<string> {
  if (node?.createHash) return node.createHash('sha256').update(data).digest('hex');
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  return bytesToHex(
    subtle && data.length >= WORTH_THE_WAY
      ? new Uint8Array(await subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>))
      : computeDigest(data),
  );
}
