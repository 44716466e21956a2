/** A thread that computes answers: the same edge as the server's, with its own executors and caches. */
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Incoming } from '../../answer.ts';
import { TreeMismatch } from '../../files/files.ts';
import { Kept } from '../../files/kept.ts';
import type { Edge } from '../../handler.ts';
import { folderExecutors, openFolderEdge } from '../folder-edge.ts';
import type { FromWorker, NumberedFolder, SentAnswer, ToWorker, WorkerLimits } from './messages.ts';

/** Folders that stay open, as many as the server keeps. */
const MOST_FOLDERS = 3;

interface Work {
  readonly stop: AbortController;
  /** The parts of a stream that the server has not asked for yet. */
  parts: AsyncIterator<Uint8Array> | null;
}

if (!parentPort) throw new Error('This file runs as a thread of the server.');
const port = parentPort;
const limits = workerData as WorkerLimits;
const edges = new Kept<Edge>(MOST_FOLDERS);
const works = new Map<number, Work>();

// Linux gives each thread its own priority; elsewhere the whole program would get it.
if (process.platform === 'linux') os.setPriority(0, limits.priority);

port.on('message', (message: ToWorker) => {
  const { id } = message;
  const done = message.kind === 'ask' ? answer(message) : message.kind === 'more' ? sendPart(id) : stop(id);
  done.catch(error => {
    works.delete(id);
    const message = error instanceof Error ? error.message : String(error);
    const mismatch = error instanceof TreeMismatch ? error.path : null;
    post({ kind: 'failed', id, message, mismatch });
  });
});

async function answer({ id, folder, asked }: Extract<ToWorker, { kind: 'ask' }>): Promise<void> {
  const work: Work = { stop: new AbortController(), parts: null };
  works.set(id, work);
  const incoming: Incoming = { ...asked, header: () => null, signal: work.stop.signal };
  const found = await openEdge(folder)(incoming);
  const body = toSentBody(found);
  if (body === 'parts' && found.kind === 'body')
    work.parts = (found.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  else works.delete(id);
  if (work.stop.signal.aborted) await work.parts?.return?.();
  const sent = (found.kind === 'file' ? found : { ...found, body }) as SentAnswer;
  // The body was made for this answer alone, so it need not be copied.
  post({ kind: 'answer', id, answer: sent }, body instanceof Uint8Array ? [body.buffer as ArrayBuffer] : []);
}

function toSentBody(found: Answer): Uint8Array | 'parts' | null {
  if (found.kind === 'file' || found.body === null) return null;
  return found.body instanceof Uint8Array ? found.body : 'parts';
}

async function sendPart(id: number): Promise<void> {
  const work = works.get(id);
  const next = await work?.parts?.next();
  if (!next || next.done) {
    works.delete(id);
    return post({ kind: 'end', id });
  }
  // A part may lie in the buffer of a larger one, or of a cache.
  const bytes = next.value.slice();
  post({ kind: 'part', id, bytes }, [bytes.buffer]);
}

async function stop(id: number): Promise<void> {
  const work = works.get(id);
  works.delete(id);
  work?.stop.abort();
  await work?.parts?.return?.().catch(() => undefined);
}

function openEdge({ number, root }: NumberedFolder): Edge {
  const known = edges.get(String(number));
  if (known) return known;
  const onError = (error: unknown) =>
    post({ kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  const { edge } = openFolderEdge(root, { executors: folderExecutors(root, limits), onError });
  edges.keep(String(number), edge, 1);
  return edge;
}

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}
