/** A bucket on a server that speaks S3, behind a door that counts what is fetched and can be told to interfere. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const BUCKET = 'lake';

export interface Bucket {
  /** Environment in which the command `aws` finds the server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Keys of the objects whose bytes were sent since the last call. */
  readonly fetched: () => string[];
  /** Called before each request is passed on; what it answers itself is not. */
  interfere: (key: string, isList: boolean, response: ServerResponse) => Promise<void> | void;
  readonly put: (key: string, bytes: Uint8Array | string) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /** Every file beneath a folder, under a prefix. */
  readonly upload: (folder: string, prefix: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startBucket(folder: string): Promise<Bucket> {
  const program = path.join(ROOT, 'node_modules/s3rver/bin/s3rver.js');
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', BUCKET];
  const server = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise<number>((resolve, reject) => {
    let told = '';
    server.on('error', reject);
    server.on('exit', code => reject(new Error(`s3rver ended with ${code}.`)));
    server.stdout.setEncoding('utf8').on('data', (part: string) => {
      told += part;
      const found = /listening on \S+:(\d+)/.exec(told)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  let sent: string[] = [];
  const bucket: Pick<Bucket, 'interfere'> = { interfere: () => undefined };
  const door = createServer(async (question, response) => {
    const url = new URL(question.url ?? '', 'http://bucket');
    const key = decodeURIComponent(url.pathname).replace(`/${BUCKET}/`, '');
    await bucket.interfere(key, url.searchParams.has('list-type'), response);
    if (response.writableEnded || response.destroyed) return;
    passOn(port, question, response, status => {
      if (question.method === 'GET' && status < 300 && !url.searchParams.has('list-type')) sent.push(key);
    });
  });
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve));
  const own = `http://127.0.0.1:${port}/${BUCKET}/`;
  // The server does not ask who one is.
  const send = async (method: string, key: string, body: Uint8Array | string | null) => {
    const answer = await fetch(own + encodeURI(key), { method, body: body as BodyInit | null });
    if (!answer.ok) throw new Error(`${method} ${key}: ${answer.status}`);
  };
  return Object.assign(bucket, {
    environment: environmentOf(`http://127.0.0.1:${(door.address() as AddressInfo).port}`),
    fetched: () => {
      const list = [...new Set(sent)].sort();
      sent = [];
      return list;
    },
    put: (key: string, bytes: Uint8Array | string) => send('PUT', key, bytes),
    remove: (key: string) => send('DELETE', key, null),
    upload: async (from: string, prefix: string) => {
      for (const name of await readdir(from, { recursive: true })) {
        const file = path.join(from, name);
        if ((await stat(file)).isFile()) await send('PUT', prefix + name, await readFile(file));
      }
    },
    close: async () => {
      door.closeAllConnections();
      await new Promise(resolve => door.close(resolve));
      server.removeAllListeners('exit');
      const ended = new Promise(resolve => server.on('exit', resolve));
      server.kill('SIGKILL');
      await ended;
    },
  });
}

function passOn(
  port: number,
  question: IncomingMessage,
  response: ServerResponse,
  onAnswered: (status: number) => void,
): void {
  const { method, url, headers } = question;
  const passed = request({ port, host: '127.0.0.1', method, path: url, headers }, answer => {
    onAnswered(answer.statusCode ?? 0);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  question.pipe(passed);
}

/** Newer commands add checksums that not every server knows; no test waits for a second try. */
export function environmentOf(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
    AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
    AWS_MAX_ATTEMPTS: '1',
  };
}

/** Every command `aws` of this machine, by its version, with a PATH that finds it first. */
export async function awsCommands(): Promise<{ version: string; PATH: string }[]> {
  const found = new Map<string, { version: string; PATH: string }>();
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const file = await realpath(path.join(folder, 'aws')).catch(() => null);
    if (file === null) continue;
    const { stdout, status } = spawnSync(path.join(folder, 'aws'), ['--version'], { encoding: 'utf8' });
    const version = /aws-cli\/\S+/.exec(stdout ?? '')?.[0];
    if (status !== 0 || version === undefined || found.has(version)) continue;
    found.set(version, { version, PATH: `${folder}:${process.env['PATH']}` });
  }
  return [...found.values()];
}

/** A server that lists whatever names it is told to, as S3 does, and has none of the objects. */
export async function startListing(
  keys: readonly string[],
): Promise<{ endpoint: string; close: () => Promise<void> }> {
  const contents = keys.map(key => {
    const etag = createHash('md5').update(key).digest('hex');
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>7</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  });
  const xml = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><Prefix></Prefix><EncodingType>url</EncodingType><KeyCount>${keys.length}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  const server = createServer((question, response) => {
    const isList = new URL(question.url ?? '', 'http://bucket').searchParams.has('list-type');
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/xml' }).end(isList ? xml : '');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
