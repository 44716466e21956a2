/**
 * A host without an edge, like GitHub Pages: it sends files, ignores queries and negotiates nothing. Shows a
 * publisher what readers see there.
 */
import { createReadStream, type ReadStream } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import serve from 'serve-handler';
import { ROOT } from '../../../build/format/paths.ts';
import { listen } from './connections.ts';
import type { ListenOptions, RunningServer } from './server-options.ts';

interface PlainHostOptions extends ListenOptions {
  /** The root folder of a tree. */
  readonly folder: string;
  /** The tree's path, with a slash at both ends: `/repository/`. */
  readonly basePath?: string;
}

const NO_PAGE = '<!doctype html><title>Not found</title><p>The tree has no such file, and no 404.html.\n';

/** Serves a folder until closed. Rejects if the port is taken. */
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
  const sendNotFound = () => respondNotFound(folder, response);
  if (name === null || found === null) return sendNotFound();
  if (found.isDirectory() && !asked.endsWith('/'))
    return void response.writeHead(301, { Location: `${asked}/` }).end();
  const file = found.isDirectory()
    ? await lstat(path.join(folder, name, 'index.html')).catch(() => null)
    : found;
  if (file === null) return sendNotFound();
  request.url = asked.slice(basePath.length - 1);
  // A replaced file with the same length and modification time has another change time.
  const etag = `"${file.size.toString(16)}-${file.ctimeMs.toString(16)}"`;
  const headers = { ETag: etag, 'Access-Control-Allow-Origin': '*' };
  await serve(
    request,
    response,
    {
      public: folder,
      directoryListing: false,
      // Lets it find a folder's index.html, but not redirect a page requested by its own name.
      cleanUrls: ['!**/{*.html,index}'],
      headers: [{ source: '**', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) }],
    },
    {
      sendError: sendNotFound,
      createReadStream: (file, range) => endTogether(createReadStream(file, range), response),
    },
  );
}

/** A build can remove the file before it is opened, and a reader can hang up. Either ends both. */
function endTogether(stream: ReadStream, response: ServerResponse): ReadStream {
  stream.on('error', () => response.destroy());
  response.once('close', () => stream.destroy());
  return stream;
}

/** Null if the name isn't UTF-8 or leads out of the folder. */
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
