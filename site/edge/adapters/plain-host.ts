/**
 * A host without an edge, as GitHub Pages is one: it sends files, ignores queries and negotiates nothing. A publisher
 * sees here what readers see there.
 */
import { createReadStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { ROOT } from '../../../build/format/paths.ts';
import { contentType } from '../respond/headers.ts';
import { answerConditions, decideRange } from '../respond/representation.ts';
import { listen, type RunningServer } from './running-server.ts';
import { sendRefusal } from './sent-answer.ts';
import type { ListenOptions } from './server-options.ts';

export interface PlainHostOptions extends ListenOptions {
  /** The root folder of a tree. */
  readonly folder: string;
  /** Where the tree stands, with a slash at both ends: `/repository/`. */
  readonly basePath?: string;
}

const NO_PAGE = '<!doctype html><title>Not found</title><p>The tree has no such file, and no 404.html.\n';

/** Serves a folder until closed. Rejects where the port is taken. */
export function startPlainHost(options: PlainHostOptions): Promise<RunningServer> {
  const { folder, basePath = '/' } = options;
  const server = createServer((request, response) => {
    answer(path.resolve(folder), basePath, request, response).catch(() => response.destroy());
  });
  return listen(server, options);
}

async function answer(
  folder: string,
  basePath: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const [asked = '/'] = (request.url ?? '/').split(/[?#]/, 1);
  const name = asked.startsWith(basePath) ? decodeName(asked.slice(basePath.length)) : null;
  const found = name === null ? null : await lstat(path.join(folder, name)).catch(() => null);
  if (name === null || found === null) return respondNotFound(folder, response);
  if (found.isDirectory() && !asked.endsWith('/'))
    return void response.writeHead(301, { Location: `${asked}/` }).end();
  const file = path.join(folder, name, found.isDirectory() ? 'index.html' : '');
  const stat = found.isDirectory() ? await lstat(file).catch(() => null) : found;
  if (stat === null || stat.isSymbolicLink()) return respondNotFound(folder, response);
  // A file that is replaced by another of its length and time has another time of change.
  const etag = `"${stat.size.toString(16)}-${stat.ctimeMs.toString(16)}"`;
  const validators = { etag, modified: stat.mtime };
  const headers = {
    'Content-Type': contentType(file),
    'Last-Modified': stat.mtime.toUTCString(),
    'Accept-Ranges': 'bytes',
    'Access-Control-Allow-Origin': '*',
    ETag: etag,
  };
  const header = (one: string) => request.headers[one]?.toString() ?? null;
  const settled = answerConditions(header, validators, headers);
  if (settled) return sendRefusal(response, settled);
  const range = decideRange(header, stat.size, validators);
  if (range === 'unsatisfiable')
    return void response.writeHead(416, { 'Content-Range': `bytes */${stat.size}` }).end();
  const { start, end } = range ?? { start: 0, end: stat.size };
  const part = range && { 'Content-Range': `bytes ${start}-${end - 1}/${stat.size}` };
  response.writeHead(range ? 206 : 200, { ...headers, ...part, 'Content-Length': end - start });
  if (request.method === 'HEAD') return void response.end();
  // A build may remove the file before it is opened, and a reader may hang up. Either ends both the stream and the answer.
  const stream = createReadStream(file, { start, end: Math.max(start, end - 1) }).on('error', () =>
    response.destroy(),
  );
  response.once('close', () => stream.destroy());
  stream.pipe(response);
}

/** Null where the name is not UTF-8, or leads out of the folder. */
function decodeName(text: string): string | null {
  try {
    const name = decodeURIComponent(text);
    return name.split('/').includes('..') || name.includes('\0') ? null : name;
  } catch {
    return null;
  }
}

async function respondNotFound(folder: string, response: ServerResponse): Promise<void> {
  const page = await readFile(path.join(folder, ROOT.notFound)).catch(() => NO_PAGE);
  response.writeHead(404, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
  });
  response.end(page);
}
