/** Sends an answer through Node. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BodyAnswer, FileAnswer } from '../answer.ts';
import { type Files, TreeMismatch } from '../files/files.ts';
import type { KeptFiles } from '../files/kept-files.ts';
import { proveRange, readListed } from '../files/proof.ts';
import { reprDigest } from '../respond/coding.ts';
import { refuse } from '../respond/refusal.ts';
import type { CodedFile, CodedFiles } from './coded-files.ts';
import type { SentFiles } from './crowd/sent-files.ts';
import { versionOf } from './folder.ts';

/** A folder whose files are sent, and its cache of small files. */
export interface SentFolder {
  readonly root: string;
  /** Whether the folder is still the one that the answer is made from. */
  readonly isThere: () => boolean;
  readonly files: Files;
  readonly kept: KeptFiles;
  readonly sent: SentFiles;
  readonly coded: CodedFiles;
}

/** The most bytes of a file that is sent from memory. */
const SMALL_BYTES = 4 << 20;

/** Opens no link that takes a file's place. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW;

/** The server holds back this much of a stream before it sends the first byte. Most answers are complete by then. */
const HELD_BYTES = 64 << 10;

/** A reader who takes fewer bytes a second is dropped, once a minute has passed. What waits for it is in memory. */
const SLOWEST_PACE = 16 << 10;
const GRACE = 60_000;

/**
 * False where nothing was sent because a build replaced the folder. Where that happens later, the answer breaks off.
 */
export async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  answer: BodyAnswer,
  isThere: () => boolean = () => true,
): Promise<boolean> {
  const { status, headers, body, release = () => undefined } = answer;
  if (!isThere()) {
    release();
    return false;
  }
  if (body === null || body instanceof Uint8Array || request.method === 'HEAD') {
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? null : body);
    if (isTaken(response)) release();
    else holdUntilTaken(response, release);
    return true;
  }
  if (response.destroyed) release();
  else response.once('close', release);
  const held: Uint8Array[] = [];
  let bytes = 0;
  const send = (part: Uint8Array): boolean => {
    bytes += part.length;
    if (response.headersSent) return response.write(part);
    held.push(part);
    if (bytes < HELD_BYTES) return true;
    response.writeHead(status, headers);
    return held.map(one => response.write(one)).every(taken => taken);
  };
  try {
    for await (const part of body) {
      if (!isThere() || response.destroyed) break;
      if (!send(part)) await drained(response);
    }
  } catch (error) {
    // Bytes of another release's files need not make sense.
    if (isThere()) {
      if (response.headersSent || !(error instanceof TreeMismatch)) throw error;
      return sendBody(request, response, refuse(502, `${error.message}.`), isThere);
    }
  }
  if (!isThere()) {
    if (response.headersSent) response.destroy();
    release();
    return response.headersSent;
  }
  if (!response.headersSent) {
    response.writeHead(status, headers);
    for (const part of held) response.write(part);
  }
  response.end();
  return true;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(done => {
    if (response.destroyed) return done();
    const relax = expectPace(response);
    const go = () => {
      relax();
      response.off('drain', go);
      response.off('close', go);
      done();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

/** Most answers fit into the system's buffers, and need neither a hold nor a timer. */
function isTaken(response: ServerResponse): boolean {
  return response.writableLength === 0 || response.destroyed;
}

/** Calls `release` when the reader has all, or has hung up. */
function holdUntilTaken(response: ServerResponse, release: () => void): void {
  response.once('close', release);
  response.once('close', expectPace(response));
}

/** Drops the reader who does not take what waits for it in time. Gives a function that ends the wait. */
function expectPace(response: ServerResponse): () => void {
  const time = GRACE + (response.writableLength / SLOWEST_PACE) * 1000;
  const late = setTimeout(() => response.destroy(), time).unref();
  return () => clearTimeout(late);
}

/**
 * Sends small files from memory, where path and ETag name them, and streams large files and ranges from the disk. False
 * where nothing was sent because a build replaced the folder.
 */
export async function sendFile(
  source: SentFolder,
  request: IncomingMessage,
  response: ServerResponse,
  answer: FileAnswer,
): Promise<boolean> {
  const { status, headers, path, range } = answer;
  if (request.method === 'HEAD') {
    if (!source.isThere()) return false;
    response.writeHead(status, headers).end();
    return true;
  }
  const known = answer.coding === null ? findKept(source, answer) : null;
  if (known) return sendKept(source, response, answer, known);
  const refuseDamaged = (error: unknown) => {
    if (!(error instanceof TreeMismatch)) throw error;
    return sendBody(request, response, refuse(502, `${error.message}.`), source.isThere);
  };
  let version: string | null = null;
  try {
    const coded = await encodeFile(source, answer);
    if (coded) {
      const sent = { ...reprDigest(coded.sha256), 'Content-Length': String(coded.bytes.length) };
      return sendKept(source, response, { ...answer, headers: { ...headers, ...sent } }, coded.bytes);
    }
    const bytes = await keepSmall(source, answer);
    if (bytes) return sendKept(source, response, answer, bytes);
    if (answer.proof) version = await proveRange(source.files, { path, entry: answer.proof }, range);
  } catch (error) {
    return refuseDamaged(error);
  }
  // Once it is open, a file stays the same, whatever takes its name.
  const handle = await open(join(source.root, path), READ).catch(() => null);
  if (!source.isThere()) {
    await handle?.close();
    return false;
  }
  if (!handle) return sendBody(request, response, refuse(502, `${path} cannot be read.`));
  if (version !== null && versionOf(await handle.stat()) !== version) {
    await handle.close();
    return refuseDamaged(new TreeMismatch(path, 'changed while it was read'));
  }
  response.writeHead(status, headers);
  const part = range ? { start: range.start, end: range.end - 1 } : {};
  await pipeline(handle.createReadStream(part), response);
  return true;
}

/** Sends a file from memory. False where a build replaced the folder. */
function sendKept(
  { isThere, sent }: SentFolder,
  response: ServerResponse,
  answer: FileAnswer,
  bytes: Uint8Array,
): boolean {
  if (!isThere()) return false;
  const { status, headers, range } = answer;
  response.writeHead(status, headers).end(range ? bytes.subarray(range.start, range.end) : bytes);
  if (!isTaken(response)) holdUntilTaken(response, sent.begin(keyOf(answer), bytes.length));
  return true;
}

/** The file in its content coding; null where it is sent as stored. Throws TreeMismatch. */
async function encodeFile(source: SentFolder, answer: FileAnswer): Promise<CodedFile | null> {
  const { path, coding, proof } = answer;
  if (coding === null || proof === null) return null;
  const whole = { start: 0, end: proof.bytes };
  return source.coded.get(
    proof.sha256,
    coding,
    async () => (await keepSmall(source, answer)) ?? readListed(source.files, { path, entry: proof }, whole),
  );
}

/** Names bytes in memory. The same bytes may be files of several paths. */
function keyOf({ coding, proof }: FileAnswer): string {
  const sha256 = proof?.sha256 ?? '';
  return coding === null ? sha256 : `${sha256} ${coding}`;
}

/** Bytes in memory that prove what is asked for; null where there are none, or too many files are on their way. */
function findKept({ kept, sent }: SentFolder, answer: FileAnswer): Uint8Array | null {
  const { proof } = answer;
  if (proof === null || !sent.hasRoom(keyOf(answer), proof.bytes)) return null;
  return kept.get(proof.sha256) ?? null;
}

/**
 * The bytes of a small file. Null where the file is large, where a range of it is not in memory yet, where nothing proves
 * its bytes, or where too many files are on their way from memory. Throws TreeMismatch: the disk may have damaged it.
 */
async function keepSmall(source: SentFolder, answer: FileAnswer): Promise<Uint8Array | null> {
  const { path, range, proof } = answer;
  const held = findKept(source, answer);
  if (held || proof === null || range !== null || proof.bytes > SMALL_BYTES) return held;
  if (!source.sent.hasRoom(keyOf(answer), proof.bytes)) return null;
  const bytes = await readListed(source.files, { path, entry: proof }, { start: 0, end: proof.bytes });
  source.kept.keep(proof.sha256, bytes);
  return bytes;
}
