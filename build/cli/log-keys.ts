/** Reads the keys that commands are given: public keys as text or in a file, private ones only from a file or the environment. */
import { readFileSync } from 'node:fs';
import { UnableError } from '../failure.ts';
import {
  type KeyKind,
  type PublicKey,
  parsePublicKey,
  parseSigningKey,
  type SigningKey,
} from '../log/log-key.ts';

/** A command line can be read by every user of a machine, so the key itself is never an argument. */
export const SIGNING_KEY = 'CIVIC_SIGNING_KEY';

/** The key in a file, else in the environment; null without either. No message quotes it. */
export function readSigningKey(file: string | undefined): SigningKey | null {
  const text = file === undefined ? process.env[SIGNING_KEY] : textOf(file);
  if (text === undefined || text === '') return null;
  const key = parseSigningKey(text);
  if (key !== null) return key;
  const where = file ?? `The variable ${SIGNING_KEY}`;
  throw new UnableError(
    'key-invalid',
    `${where} holds no private key. Make one with civic keygen, and copy the whole line.`,
  );
}

/** A public key as text, or the name of a file that holds it. */
export function readPublicKey(argument: string, kind: KeyKind): PublicKey {
  const key = parsePublicKey(/\+[0-9a-f]{8}\+/.test(argument) ? argument : textOf(argument));
  if (key?.kind === 'witness' && kind === 'signer')
    throw new UnableError(
      'key-invalid',
      `${argument} is the key of a witness. Give the publisher's, or name this one with --witness.`,
    );
  // Earlier programs wrote a witness's key like a publisher's.
  if (key !== null) return { ...key, kind };
  throw new UnableError(
    'key-invalid',
    `${argument} is no public key. Give the key as civic keygen prints it (name+id+base64), or a file that holds it.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UnableError('key-invalid', `${file} cannot be read. Name a file that holds a key.`);
  }
}
