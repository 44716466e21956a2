/** A bucket on an S3 server, which records requests and can be told to interfere. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import S3rver from 's3rver';
import { CACHE_CONTROL, contentType } from '../../build/format/media-type.ts';
import { temporaryFolder } from '../publishers/publisher-folder.ts';
import { answering } from '../served.ts';

export const BUCKET = 'data';

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly isList: boolean;
}

export type Bucket = Awaited<ReturnType<typeof startBucket>>;

/** Settings for aws. Newer versions add checksums that not every server knows. */
export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
};

/** Ends with the test or the file. */
export async function startBucket() {
  const folder = await temporaryFolder();
  const s3 = new S3rver({
    directory: path.join(folder, 'objects'),
    silent: true,
    allowMismatchedSignatures: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  await s3.configureBuckets();
  const answer = s3.callback();
  /** Keys of objects that were read, sent from a file, and copied within the bucket. */
  const nothing = () => ({ read: [] as string[], sent: [] as string[], copied: [] as string[] });
  let log = nothing();
  const url = await answering(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://bucket');
    const key = decodeURIComponent(asked.pathname).slice(`/${BUCKET}/`.length);
    const [method, isList] = [request.method ?? '', asked.searchParams.has('list-type')];
    if (request.headers['x-own'] === undefined) {
      await bucket.interfere({ method, key, isList }, response);
      if (response.writableEnded || response.destroyed) return;
      const source = request.headers['x-amz-copy-source'];
      if (method === 'PUT') log[source === undefined ? 'sent' : 'copied'].push(key);
      // S3 decodes it; s3rver leaves `%3D`, which the tests aren't about.
      if (typeof source === 'string') request.headers['x-amz-copy-source'] = decodeURIComponent(source);
      const isRead = method === 'GET' && !isList;
      response.once('finish', () => isRead && response.statusCode < 300 && log.read.push(key));
    }
    answer(request, response);
  });
  const send = async (method: string, key: string, body: Uint8Array | string | null) => {
    const address = `${url}/${BUCKET}/${encodeURI(key)}`;
    const headers = { 'x-own': '', 'content-type': contentType(key), 'cache-control': CACHE_CONTROL };
    const sent = await fetch(address, { method, body: body as BodyInit | null, headers });
    if (!sent.ok) throw new Error(`${method} ${key}: ${sent.status}`);
  };
  const bucket = {
    url,
    /** Called before each request. If it answers or cuts off, the request goes no further. */
    interfere: (_asked: Asked, _response: ServerResponse): Promise<void> | void => undefined,
    /** What happened since the last call: sorted, each key once. */
    log: () => {
      const once = (keys: readonly string[]) => [...new Set(keys)].sort();
      const said = { read: once(log.read), sent: once(log.sent), copied: once(log.copied) };
      log = nothing();
      return said;
    },
    put: (key: string, bytes: Uint8Array | string) => send('PUT', key, bytes),
    remove: (key: string) => send('DELETE', key, null),
    /** Uploads every file of a folder under a prefix. */
    upload: async (from: string, prefix: string) => {
      for (const name of await readdir(from, { recursive: true })) {
        const file = path.join(from, name);
        if ((await stat(file)).isFile()) await send('PUT', prefix + name, await readFile(file));
      }
    },
  };
  return bucket;
}

/** A server that lists any names, as S3 does, and has none of the objects. */
export function startListing(keys: readonly string[]) {
  const contents = keys.map(key => {
    const etag = createHash('md5').update(key).digest('hex');
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>7</Size></Contents>`;
  });
  const xml = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  return answering((_, response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(xml));
}
