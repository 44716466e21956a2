/** A witness's signature under a checkpoint, after the log is compared with the one that it signed before. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { RefusedError, UnableError } from '../failure.ts';
import { CHECKPOINT, continuesFrom, isLogOf, parseCheckpoint } from '../log/release-log.ts';
import {
  cosignNote,
  formatNote,
  isSignedBy,
  type PublicKey,
  publicKeyOf,
  type SigningKey,
} from '../log/signed-note.ts';
import { readLog } from './tree-log.ts';
import { sourceOf } from './tree-source.ts';

export interface CosignOptions {
  /** The publisher's. */
  readonly key: PublicKey;
  readonly signer: SigningKey;
  /** File of the cosigned checkpoint. What it holds is what the witness signed before. */
  readonly out: string;
  readonly temporary: string;
}

/** Throws RefusedError unless the log is the publisher's and goes on from the checkpoint in `out`. */
export async function cosign(
  tree: string,
  { key, signer, out, temporary }: CosignOptions,
): Promise<{ readonly origin: string; readonly size: number }> {
  const refuse = (code: string, message: string) =>
    new RefusedError([{ severity: 'error', code, file: CHECKPOINT, message }]);
  const log = await readLog(sourceOf(tree, temporary));
  if (log === null) throw refuse('log-absent', `${tree} has no log of releases to sign.`);
  if (!isLogOf(log, key)) throw refuse('log-signature', `The log of ${tree} is not signed by ${key.name}.`);
  const before = await readFile(out, 'utf8').catch(() => null);
  if (before !== null) {
    const seen = parseCheckpoint(before);
    if (seen === null || !isSignedBy(seen.note, publicKeyOf(signer, 'witness')))
      throw new UnableError(
        'output-not-ours',
        `${out} exists and is no checkpoint that ${signer.name} signed. Name another file.`,
      );
    const { size, origin } = seen;
    const count = log.entries.length;
    if (origin === log.origin && count < size)
      throw refuse(
        'log-rewritten',
        `The log of ${tree} ends with release ${count}, and ${signer.name} signed release ${size} in ${out}: it was rolled back or rewritten, or ${tree} is an older copy.`,
      );
    if (origin !== log.origin || !continuesFrom(log.entries, seen))
      throw refuse(
        'log-rewritten',
        `The log of ${tree} is not a continuation of the ${size} releases that ${signer.name} signed in ${out}: it was rewritten.`,
      );
  }
  const { text, signatures } = log.checkpoint;
  const own = cosignNote(text, signer, Math.floor(Date.now() / 1000));
  // A witness that loses its checkpoint could sign a rewritten log: replace the file in one step.
  await writeFile(`${out}.new`, formatNote({ text, signatures: [...signatures, own] }));
  await rename(`${out}.new`, out);
  return { origin: log.origin, size: log.entries.length };
}
