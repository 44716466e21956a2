/** A server that speaks S3's language, with a record of what it was asked. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import S3rver from 's3rver';

export interface BucketServer {
  readonly url: string;
  /** `sent`: a file travelled here; `copied`: here already. Keys since the last call, sorted. */
  written(): { readonly sent: string[]; readonly copied: string[] };
  /** From now on, after so many writes all others are refused; null: none is. */
  refuseAfter(writes: number | null): void;
  close(): Promise<void>;
}

export const BUCKET = 'data';

/** What the program aws needs to be told to reach it. */
export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  // s3rver trips over folders that empty while it deletes several objects; asked again, it goes on.
  AWS_RETRY_MODE: 'standard',
  AWS_MAX_ATTEMPTS: '8',
};

export async function startBucketServer(folder: string): Promise<BucketServer> {
  const s3 = new S3rver({
    directory: path.join(folder, 'objects'),
    silent: true,
    allowMismatchedSignatures: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  await s3.configureBuckets();
  const answer = whole(s3.callback());
  let log = { sent: [] as string[], copied: [] as string[] };
  let left: number | null = null;
  const server = createServer((request, response) => {
    const source = request.headers['x-amz-copy-source'];
    if (request.method === 'PUT') {
      if (left !== null && left-- <= 0) return refuse(response);
      const key = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '').slice(`/${BUCKET}/`.length);
      (source === undefined ? log.sent : log.copied).push(key);
    }
    // S3 decodes it; s3rver leaves `%3D` as it is. It is not what the tests are about.
    if (typeof source === 'string') request.headers['x-amz-copy-source'] = decodeURIComponent(source);
    answer(request, response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written: () => {
      const { sent, copied } = log;
      log = { sent: [], copied: [] };
      return { sent: sent.sort(), copied: copied.sort() };
    },
    refuseAfter: writes => {
      left = writes;
    },
    close: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'Content-Type': 'application/xml', Connection: 'close' });
  response.end('<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>No more.</Message></Error>');
}

/** An object that is replaced is the old one or the new one, as in S3; s3rver would write into it while it is read. */
function whole(listener: RequestListener): RequestListener {
  const waiting = new Map<string, Promise<void>>();
  return async (request: IncomingMessage, response: ServerResponse) => {
    const name = (request.url ?? '').split('?', 1)[0] ?? '';
    const before = waiting.get(name);
    const own = new Promise<void>(done => response.once('close', done));
    const all = Promise.all([before, own]).then(() => {
      if (waiting.get(name) === all) waiting.delete(name);
    });
    waiting.set(name, all);
    await before;
    listener(request, response);
  };
}
