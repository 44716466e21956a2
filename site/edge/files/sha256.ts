/** SHA-256 on any host: browsers give theirs only to pages that came by https or from this machine. */
import { sha256 as computeDigest } from '@noble/hashes/sha2.js';

/** Lower-case hexadecimal. */
export async function sha256(data: Uint8Array): Promise<string> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  const digest = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', data as Uint8Array<ArrayBuffer>))
    : computeDigest(data);
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}
