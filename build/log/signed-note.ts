/** Signed notes and their keys (C2SP signed-note), and cosignatures of witnesses (C2SP tlog-cosignature). */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import {
  ALGORITHM,
  ID_BYTES,
  isKeyName,
  KEY_BYTES,
  type KeyKind,
  keyId,
  type NoteSignature,
  type PublicKey,
  parsePublicKey as parseKey,
  type SignedNote,
} from '../format/signed-log.ts';

const TIME_BYTES = 8;

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function idOf(key: PublicKey): Buffer {
  return Buffer.from(keyId(key, sha256), 'hex');
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(({ name, bytes }) => `— ${name} ${Buffer.from(bytes).toString('base64')}\n`).join('')}`;
}

/** The same text and key give the same signature. */
export function signNote(text: string, key: SigningKey): NoteSignature {
  const bytes = sign(null, Buffer.from(text), key.privateKey);
  return { name: key.name, bytes: Buffer.concat([idOf(publicKeyOf(key, 'signer')), bytes]) };
}

/** The signature of a witness that saw the text at `seconds` since 1970. */
export function cosignNote(text: string, key: SigningKey, seconds: number): NoteSignature {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  const bytes = sign(null, Buffer.from(witnessed(text, BigInt(seconds))), key.privateKey);
  return { name: key.name, bytes: Buffer.concat([idOf(publicKeyOf(key, 'witness')), time, bytes]) };
}

/** Whether a note has a valid signature of a key. */
export function isSignedBy(note: SignedNote, key: PublicKey): boolean {
  return validSignature(note, key) !== null;
}

/** When a witness signed the note, as seconds since 1970; null if it has not. */
export function cosignedAt(note: SignedNote, witness: PublicKey): number | null {
  const bytes = validSignature(note, { ...witness, kind: 'witness' });
  return bytes && Number(bytes.readBigUInt64BE(ID_BYTES));
}

function validSignature({ text, signatures }: SignedNote, key: PublicKey): Buffer | null {
  const id = idOf(key);
  const mine = signatures.filter(({ name }) => name === key.name).map(({ bytes }) => Buffer.from(bytes));
  const found = mine.find(bytes => {
    if (!bytes.subarray(0, ID_BYTES).equals(id)) return false;
    const rest = bytes.subarray(ID_BYTES);
    if (key.kind === 'signer') return verify(null, Buffer.from(text), verifyingKey(key), rest);
    if (rest.length <= TIME_BYTES) return false;
    const statement = witnessed(text, rest.readBigUInt64BE(0));
    return verify(null, Buffer.from(statement), verifyingKey(key), rest.subarray(TIME_BYTES));
  });
  return found ?? null;
}

function witnessed(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

export interface SigningKey {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** The DER prefixes of Ed25519 keys (RFC 8410), for node:crypto. */
const DER_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const DER_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');

export function formatPublicKey(key: PublicKey): string {
  const encoded = Buffer.concat([Buffer.from([ALGORITHM[key.kind]]), key.bytes]).toString('base64');
  return `${key.name}+${keyId(key, sha256)}+${encoded}`;
}

/** Null if the text isn't a public key, or its id doesn't fit its name and bytes. */
export function parsePublicKey(text: string): PublicKey | null {
  return parseKey(text, sha256);
}

export function publicKeyOf({ name, bytes }: SigningKey, kind: KeyKind): PublicKey {
  return { name, kind, bytes };
}

function verifyingKey({ bytes }: PublicKey): KeyObject {
  return createPublicKey({ key: Buffer.concat([DER_PUBLIC, bytes]), format: 'der', type: 'spki' });
}

/** The `text` is a secret. */
export function generateKey(name: string): { readonly text: string; readonly key: SigningKey } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  const key = signingKey(name, seed);
  const id = keyId(publicKeyOf(key, 'signer'), sha256);
  const encoded = Buffer.concat([Buffer.from([ALGORITHM.signer]), seed]).toString('base64');
  return { text: `PRIVATE+KEY+${name}+${id}+${encoded}`, key };
}

/** Null if the text isn't a private key, or its id doesn't fit. Messages must not quote the text. */
export function parseSigningKey(text: string): SigningKey | null {
  const match = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  const [, name = '', id, encoded = ''] = match ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes[0] !== ALGORITHM.signer || bytes.length !== 1 + KEY_BYTES || !isKeyName(name)) return null;
  const key = signingKey(name, bytes.subarray(1));
  return keyId(publicKeyOf(key, 'signer'), sha256) === id ? key : null;
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
