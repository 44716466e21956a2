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

export interface SignedNote {
  /** Lines, each with its line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** The key's id, then the signature of its algorithm. */
  readonly bytes: Buffer;
}

const ID_BYTES = 4;
const TIME_BYTES = 8;

/** Null if the text isn't a signed note. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || /[\0-\x09\x0b-\x1f\ufffd]/.test(note)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map(line => /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line));
  if (signatures.some(match => match === null)) return null;
  return {
    text: note.slice(0, end + 1),
    signatures: signatures.map(match => ({
      name: match?.[1] ?? '',
      bytes: Buffer.from(match?.[2] ?? '', 'base64'),
    })),
  };
}

export function formatNote({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(({ name, bytes }) => `— ${name} ${bytes.toString('base64')}\n`).join('')}`;
}

/** The same text and key give the same signature. */
export function signNote(text: string, key: SigningKey): NoteSignature {
  const bytes = sign(null, Buffer.from(text), key.privateKey);
  return { name: key.name, bytes: Buffer.concat([keyId(publicKeyOf(key, 'signer')), bytes]) };
}

/** The signature of a witness that saw the text at `seconds` since 1970. */
export function cosignNote(text: string, key: SigningKey, seconds: number): NoteSignature {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  const bytes = sign(null, Buffer.from(witnessed(text, BigInt(seconds))), key.privateKey);
  return { name: key.name, bytes: Buffer.concat([keyId(publicKeyOf(key, 'witness')), time, bytes]) };
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
  const id = keyId(key);
  const found = signatures.find(({ name, bytes }) => {
    if (name !== key.name || !bytes.subarray(0, ID_BYTES).equals(id)) return false;
    const rest = bytes.subarray(ID_BYTES);
    if (key.kind === 'signer') return verify(null, Buffer.from(text), verifyingKey(key), rest);
    if (rest.length <= TIME_BYTES) return false;
    const statement = witnessed(text, rest.readBigUInt64BE(0));
    return verify(null, Buffer.from(statement), verifyingKey(key), rest.subarray(TIME_BYTES));
  });
  return found?.bytes ?? null;
}

function witnessed(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}

/** A signer states the text; a witness states that it saw a checkpoint at a time. */
export type KeyKind = 'signer' | 'witness';

/** The bytes of C2SP signed-note for Ed25519 signatures and for timestamped cosignatures. */
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

/** The DER prefixes of Ed25519 keys (RFC 8410), for node:crypto. */
const DER_PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex');
const DER_PUBLIC = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** A key's name, such as `data.example.org`, has no space and no plus sign. */
export function isKeyName(text: string): boolean {
  return /^[^\s+\p{C}]{1,200}$/u.test(text);
}

/** The first four bytes of a hash of the key's name, algorithm and bytes. */
function keyId({ name, kind, bytes }: PublicKey): Buffer {
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

/** Null if the text isn't a public key, or its id doesn't fit its name and bytes. */
export function parsePublicKey(text: string): PublicKey | null {
  const [, name = '', id, encoded = ''] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const kind = bytes[0] === ALGORITHM.signer ? 'signer' : bytes[0] === ALGORITHM.witness ? 'witness' : null;
  if (kind === null || bytes.length !== 1 + KEY_BYTES || !isKeyName(name)) return null;
  const key = { name, kind, bytes: bytes.subarray(1) } as const;
  return keyId(key).toString('hex') === id ? key : null;
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
  const id = keyId(publicKeyOf(key, 'signer')).toString('hex');
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
