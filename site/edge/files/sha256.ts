/** SHA-256 on any host: browsers give theirs only to pages that came by https or from this machine. */
import { sha256 as computeDigest } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** For fewer bytes, the way to the engine's own hash and back takes longer than a hash here. */
const WORTH_THE_WAY = 4096;

interface NodeCrypto {
  createHash(name: 'sha256'): { update(data: Uint8Array): { digest(form: 'hex'): string } };
}

/** Node's own is the fastest: it needs no other thread. */
const node = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
).process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;

/** The digits of a hash in Base64, as headers have them. */
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
