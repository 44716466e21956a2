/** Sends an answer through Node. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Body, BodyAnswer, FileAnswer } from '../answer.ts';
import { type Files, TreeMismatch } from '../files/files.ts';
import type { Kept } from '../files/kept.ts';
import { readListed, streamFile } from '../files/proof.ts';
import { begin } from '../parts.ts';
import { reprDigest } from '../respond/representation.ts';
import type { Headers } from '../respond/headers.ts';
import { refuse } from '../respond/refusal.ts';
import type { CodedFiles } from './codings.ts';

/** A folder whose files are sent, and the caches of its server. */
export interface SentFolder {
  /** Whether the folder is still the one that the answer is made from. */
  readonly isThere: () => boolean;
  readonly files: Files;
  readonly kept: Kept<Uint8Array>;
  readonly coded: CodedFiles;
}

/** The most bytes of a file that is sent from memory. Of a larger one, a reader holds one part at a time. */
const SMALL_BYTES = 256 << 10;

/**
 * False where nothing was sent because a build replaced the folder. Where that happens later, the answer breaks off.
 */
export async function sendAnswer(
  source: SentFolder,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<boolean> {
  const { isThere } = source;
  if (request.method === 'HEAD') {
    if (isThere()) response.writeHead(answer.status, answer.headers).end();
    return response.headersSent;
  }
  try {
    const { headers, body } =
      answer.kind === 'body'
        ? answer
        : answer.coding === null
          ? { headers: answer.headers, body: await openFile(source, answer) }
          : await encodeFile(source, answer);
    if (!isThere()) return false;
    response.writeHead(answer.status, headers);
    if (body === null || body instanceof Uint8Array) response.end(body);
    else await sendParts(response, body, isThere);
    return true;
  } catch (error) {
    // Bytes of another release's files need not make sense.
    if (!isThere() && !response.headersSent) return false;
    if (response.headersSent || !(error instanceof TreeMismatch)) throw error;
    sendRefusal(response, refuse(502, `${error.message}.`));
    return true;
  }
}

/** Node itself leaves out the body if the request is HEAD. */
export function sendRefusal(response: ServerResponse, { status, headers, body }: BodyAnswer): void {
  response.writeHead(status, headers).end(body);
}

/** Makes no part before the reader has taken the one before. */
async function sendParts(
  response: ServerResponse,
  parts: AsyncIterable<Uint8Array>,
  isThere: () => boolean,
): Promise<void> {
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!isThere()) return void response.destroy();
    if (!response.write(part)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(done => {
    if (response.destroyed) return done();
    const go = () => {
      response.off('drain', go);
      response.off('close', go);
      done();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

/** The bytes of a file or of a range of it, each part checked. Throws TreeMismatch. */
async function openFile({ files, kept }: SentFolder, { path, range, proof }: FileAnswer): Promise<Body> {
  if (proof === null || proof.bytes > SMALL_BYTES) return begin(streamFile(files, { path, range, proof }));
  const bytes =
    kept.get(proof.sha256) ??
    (await readListed(files, { path, entry: proof }, { start: 0, end: proof.bytes }));
  kept.keep(proof.sha256, bytes, bytes.length);
  return range ? bytes.subarray(range.start, range.end) : bytes;
}

/** The file in its content coding. Throws TreeMismatch. */
async function encodeFile(
  { files, coded }: SentFolder,
  { path, coding, proof, headers }: FileAnswer,
): Promise<{ readonly headers: Headers; readonly body: Uint8Array }> {
  if (coding === null || proof === null) throw new Error('Only a file with a hash is coded.');
  const { bytes, sha256 } = await coded.get(proof.sha256, coding, () =>
    readListed(files, { path, entry: proof }, { start: 0, end: proof.bytes }),
  );
  return {
    headers: { ...headers, ...reprDigest(sha256), 'Content-Length': String(bytes.length) },
    body: bytes,
  };
}
