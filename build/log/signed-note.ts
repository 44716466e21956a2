/** Signed notes (C2SP signed-note) and cosignatures of witnesses (C2SP tlog-cosignature). Pure. */
import { sign, verify } from 'node:crypto';
import { keyId, type PublicKey, publicKeyOf, type SigningKey, verifyingKey } from './log-key.ts';

export interface SignedNote {
  /** Lines, each with its line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  /** The key's id, then what its algorithm signs with. */
  readonly bytes: Buffer;
}

const ID_BYTES = 4;
const TIME_BYTES = 8;

/** Null if the text is not a signed note. */
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

/** A witness's statement that it saw the text at `seconds` since 1970. */
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
    const said = witnessed(text, rest.readBigUInt64BE(0));
    return verify(null, Buffer.from(said), verifyingKey(key), rest.subarray(TIME_BYTES));
  });
  return found?.bytes ?? null;
}

function witnessed(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`;
}
