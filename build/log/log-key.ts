/**
 * Keys of logs and witnesses, in the text forms of C2SP signed-note: `name+id+base64` for a public key, and
 * `PRIVATE+KEY+name+id+base64` for a private one. Pure, but for `generateKey`.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** What a key's signatures mean: its owner states the text, or a witness saw a checkpoint at a time. */
export type KeyKind = 'signer' | 'witness';

/** C2SP signed-note's bytes for Ed25519 signatures and for timestamped cosignatures. */
const ALGORITHM = { signer: 1, witness: 4 } as const;

export interface PublicKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

export interface SigningKey {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** The DER wrapping of Ed25519 keys (RFC 8410), which node:crypto reads. */
const DER_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const DER_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** Whether a text can name a key: no space and no plus sign, as in `data.example.org`. */
export function isKeyName(text: string): boolean {
  return /^[^\s+\p{C}]{1,200}$/u.test(text);
}

/** The four bytes by which a signature names its key: the start of a hash of the key's name, algorithm and bytes. */
export function keyId({ name, kind, bytes }: PublicKey): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.from([ALGORITHM[kind]]))
    .update(bytes)
    .digest()
    .subarray(0, 4);
}

export function formatPublicKey(key: PublicKey): string {
  const encoded = Buffer.concat([Buffer.from([ALGORITHM[key.kind]]), key.bytes]).toString('base64');
  return `${key.name}+${keyId(key).toString('hex')}+${encoded}`;
}

/** Null if the text is no public key, or its id does not fit its name and bytes. */
export function parsePublicKey(text: string): PublicKey | null {
  const [, name = '', id, encoded = ''] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const kind = bytes[0] === ALGORITHM.signer ? 'signer' : bytes[0] === ALGORITHM.witness ? 'witness' : null;
  if (kind === null || bytes.length !== 1 + KEY_BYTES || !isKeyName(name)) return null;
  const key = { name, kind, bytes: bytes.subarray(1) } as const;
  return keyId(key).toString('hex') === id ? key : null;
}

/** The public half of a signing key. */
export function publicKeyOf({ name, bytes }: SigningKey, kind: KeyKind): PublicKey {
  return { name, kind, bytes };
}

/** The key as node:crypto verifies with it. */
export function verifyingKey({ bytes }: PublicKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([DER_PUBLIC, bytes]), format: 'der', type: 'spki' });
}

/** A private key's text and its key. The text is a secret. */
export function generateKey(name: string): { readonly text: string; readonly key: SigningKey } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  const key = signingKey(name, seed);
  const id = keyId(publicKeyOf(key, 'signer')).toString('hex');
  const encoded = Buffer.concat([Buffer.from([ALGORITHM.signer]), seed]).toString('base64');
  return { text: `PRIVATE+KEY+${name}+${id}+${encoded}`, key };
}

/** Null if the text is no private key, or its id does not fit. Messages must not quote the text. */
export function parseSigningKey(text: string): SigningKey | null {
  const match = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  const [, name = '', id, encoded = ''] = match ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes[0] !== ALGORITHM.signer || bytes.length !== 1 + KEY_BYTES || !isKeyName(name)) return null;
  const key = signingKey(name, bytes.subarray(1));
  return keyId(publicKeyOf(key, 'signer')).toString('hex') === id ? key : null;
}

function signingKey(name: string, seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([DER_PRIVATE, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const bytes = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return { name, privateKey, bytes };
}
