/** Objects of a bucket, through the program aws: S3, or any compatible server. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import { contentType } from '../format/media-type.ts';
import { inFolder, runTool } from './tool.ts';
import type { StoredObject } from './upload-plan.ts';

export interface ListedObject extends StoredObject {
  /** ISO 8601, always from one server: the texts compare as times. */
  readonly modified: string;
}

export interface Objects {
  /** Runs aws and returns what it printed. */
  aws(...args: readonly string[]): Promise<string>;
  /** `s3://bucket/key` */
  address(key: string): string;
  /** Objects whose keys begin with `start`, by the rest of the key. */
  list(start: string): Promise<ReadonlyMap<string, ListedObject>>;
  /** The object's text; null if there is none. */
  read(key: string): Promise<string | null>;
  write(key: string, body: string, cacheControl: string): Promise<void>;
  erase(keys: readonly string[]): Promise<void>;
}

/** Objects that one request may delete. */
const DELETED_AT_ONCE = 1000;

/** Recent versions of aws add checksums that other servers may reject. */
const OTHER_SERVERS = {
  AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
};

/** `endpoint`: address of another S3-compatible server; null for S3 itself. */
export function openObjects(bucket: string, endpoint: string | null): Objects {
  const options = endpoint === null ? [] : ['--endpoint-url', endpoint];
  const environment = { ...(endpoint === null ? {} : OTHER_SERVERS), ...process.env, AWS_PAGER: '' };
  const aws: Objects['aws'] = (...args) => runTool('aws', [...args, ...options], { environment });
  const address: Objects['address'] = key => `s3://${bucket}/${key}`;
  const list: Objects['list'] = async start => {
    const query = 'Contents[].[Key,Size,ETag,LastModified]';
    const args = ['--bucket', bucket, '--prefix', start, '--query', query, '--output', 'json'];
    // Every compatible server knows the older listing.
    const output = (await aws('s3api', 'list-objects', ...args)) || 'null';
    const found = JSON.parse(output) as [string, number, string, string][] | null;
    return new Map(
      (found ?? []).map(([key, bytes, etag, modified]) => [
        key.slice(start.length),
        { bytes, etag: etag.replaceAll('"', ''), modified },
      ]),
    );
  };
  return {
    aws,
    address,
    list,
    read: key =>
      inFolder(async folder => {
        const file = path.join(folder, 'body');
        const missing = await aws('s3api', 'get-object', '--bucket', bucket, '--key', key, file).then(
          () => false,
          (error: Error) => {
            if (/\(NoSuchKey\)/.test(error.message)) return true;
            throw error;
          },
        );
        return missing ? null : readFile(file, 'utf8');
      }),
    write: (key, body, cacheControl) =>
      inFolder(async folder => {
        const file = path.join(folder, 'body');
        await writeFile(file, body);
        const kind = ['--content-type', contentType(key), '--cache-control', cacheControl];
        await aws('s3api', 'put-object', '--bucket', bucket, '--key', key, '--body', file, ...kind);
      }),
    erase: keys =>
      inFolder(async folder => {
        for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
          const some = keys.slice(at, at + DELETED_AT_ONCE).map(key => ({ Key: key }));
          const file = path.join(folder, `${at}.json`);
          await writeFile(file, JSON.stringify({ Objects: some, Quiet: true }));
          const args = ['--bucket', bucket, '--delete', `file://${file}`, '--output', 'json'];
          refuseErrors(await aws('s3api', 'delete-objects', ...args));
        }
      }),
  };
}

/** S3 may grant the request as a whole and still keep some objects. */
function refuseErrors(output: string): void {
  const { Errors: errors = [] } = JSON.parse(output || '{}') as {
    Errors?: { Key: string; Message: string }[];
  };
  const [first] = errors;
  if (first) throw new UnableError('tool-failed', `${first.Key} cannot be deleted: ${first.Message}`);
}
