/**
 * Deploys to a bucket: aws uploads a release next to the others, and one small object names the release that
 * is online.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refused, UnableError } from '../failure.ts';
import { CACHE_CONTROL, contentType } from '../format/media-type.ts';
import { CURRENT, isRelease, RELEASES, ROOT, releaseFolder } from '../format/paths.ts';
import { someOf } from '../format/shown-text.ts';
import { spread } from '../lake/database.ts';
import { runTool } from '../tool.ts';
import { parseChecksums } from '../tree/previous-tree.ts';
import { withTemporaryFolder } from '../tree/workspace.ts';
import {
  type Destination,
  type LocalFile,
  type LocalTree,
  NO_CLAIM,
  type ReleaseHost,
  type Tell,
} from './deployment.ts';

interface BucketOptions {
  /** Address of another S3-compatible server; null for S3 itself. */
  readonly endpoint: string | null;
  /** Null if nothing is in front of the bucket, or if the front reads `current` itself. */
  readonly front: PrepareFront | null;
  readonly tell: Tell;
}

/**
 * Checks everything that a switch of the front needs, and returns the switch. `kept`: the front's text for
 * this release, in the bucket.
 */
export type PrepareFront = (release: string, kept: KeptText) => Promise<() => Promise<void>>;

interface KeptText {
  readonly key: string;
  /** Null if there is none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/** From this size, aws copies a file in several pieces. */
const LARGE = 8 << 20;

/** Each run of aws sends ten requests at once. */
const RUNS_AT_ONCE = 3;

type Bucket = Extract<Destination, { kind: 'bucket' }>;

export function createBucketHost({ bucket, prefix }: Bucket, options: BucketOptions): ReleaseHost {
  const { endpoint, front, tell } = options;
  const objects = openObjects(bucket, endpoint);
  const keyOf = (release: string, file = '') => `${prefix}${releaseFolder(release)}/${file}`;
  const functionOf = (release: string) => `${prefix}functions/${release}.js`;
  const readChecksums = (release: string) => objects.read(keyOf(release, ROOT.checksums));
  const readListed = async (release: string) => parseChecksums((await readChecksums(release)) ?? '');
  return {
    // aws has no locks. Releases have separate folders, and the last switch wins.
    claim: async () => NO_CLAIM,
    async list() {
      const found = [...(await objects.list(`${prefix}${RELEASES}/`))].flatMap(([name, { modified }]) => {
        const [release = '', ...file] = name.split('/');
        return isRelease(release) && file.join('/') === ROOT.checksums ? [{ release, modified }] : [];
      });
      return found.sort((a, b) => (a.modified > b.modified ? -1 : 1)).map(({ release }) => release);
    },
    async readCurrent() {
      const release = (await objects.read(`${prefix}${CURRENT}`))?.trim() ?? '';
      return isRelease(release) ? release : null;
    },
    readChecksums,
    async upload(tree, from) {
      const { release, files } = tree;
      const start = keyOf(release);
      const before = from === null ? new Map<string, string>() : await readListed(from);
      let there = await objects.list(start);
      const plan = planUpload(files, there, before);
      if (from !== null && plan.copy.length > 0) {
        await copyInBucket(objects, plan.copy, keyOf(from), start, tell);
        there = await objects.list(start);
      }
      const send = [...new Set([...plan.send, ...findWrong(files, there)])];
      await sendFiles(objects, tree, send, start);
      await objects.erase([...there.keys()].filter(file => !files.has(file)).map(file => start + file));
      const wrong = findWrong(files, await objects.list(start));
      if (wrong.length > 0) {
        throw new UnableError(
          'upload-incomplete',
          `${wrong.length} files arrived incomplete or changed (${someOf(wrong.map(file => file.path))}). The release that was online still is. Deploy again to continue.`,
        );
      }
      await objects.write(keyOf(release, ROOT.checksums), tree.checksums, CACHE_CONTROL);
      const bytes = send.reduce((sum, file) => sum + file.bytes, 0);
      return { sent: send.length, bytes, kept: files.size - send.length };
    },
    async prove(release) {
      const there = await objects.list(keyOf(release));
      const listed = [...(await readListed(release)).keys()];
      const missing = listed.filter(file => !there.has(file));
      if (listed.length === 0 || missing.length > 0)
        throw refused('release-damaged', release, `is incomplete: it lacks ${someOf(missing)}.`);
    },
    async switchTo(release) {
      const key = functionOf(release);
      const publish = await front?.(release, {
        key,
        read: () => objects.read(key),
        write: text => objects.write(key, text, 'no-store'),
      });
      // A cached copy would delay the switch for programs that read it.
      await objects.write(`${prefix}${CURRENT}`, `${release}\n`, 'no-store');
      await publish?.();
    },
    async remove(release) {
      // Without its checksums a release counts as incomplete.
      await objects.erase([keyOf(release, ROOT.checksums)]);
      for (const start of [keyOf(release), functionOf(release)])
        await objects.erase([...(await objects.list(start)).keys()].map(rest => start + rest));
    },
  };
}

/**
 * Copies small files by their extensions in one run of aws: naming thousands of files costs more than copying
 * too many, which the upload then overwrites or removes. Copying a large file in pieces drops its metadata,
 * so large files are named and given their types.
 */
async function copyInBucket(
  { aws, address }: Objects,
  files: readonly LocalFile[],
  from: string,
  to: string,
  tell: Tell,
): Promise<void> {
  const copy = (...options: readonly string[]): Promise<unknown> =>
    aws('s3', 'cp', address(from), address(to), '--recursive', '--only-show-errors', ...options).catch(
      (error: Error) =>
        tell(`The bucket refused to copy some files, which are sent instead. ${error.message}`),
    );
  const large = files.filter(file => file.bytes >= LARGE);
  const small = files.filter(file => file.bytes < LARGE);
  const endings = [...new Set(small.map(file => `*${path.posix.extname(file.path)}`))];
  const without = large.flatMap(file => ['--exclude', file.path]);
  if (small.length > 0)
    await copy('--exclude', '*', ...endings.flatMap(ending => ['--include', ending]), ...without);
  for (const [type, group] of groupByType(large)) {
    const named = group.flatMap(file => ['--include', file.path]);
    await copy('--exclude', '*', ...named, '--metadata-directive', 'REPLACE', ...metadataOf(type));
  }
}

/**
 * A run of aws gives all its objects one type. It follows links, so a folder of links serves as a list of
 * files.
 */
async function sendFiles(
  { aws, address }: Objects,
  tree: LocalTree,
  files: readonly LocalFile[],
  to: string,
): Promise<void> {
  await spread(Array.from({ length: RUNS_AT_ONCE }), [...groupByType(files)], (_, [type, group]) =>
    withTemporaryFolder(async folder => {
      for (const file of group) {
        const link = path.join(folder, file.path);
        await mkdir(path.dirname(link), { recursive: true });
        await symlink(path.join(tree.folder, file.path), link);
      }
      await aws('s3', 'cp', folder, address(to), '--recursive', '--only-show-errors', ...metadataOf(type));
    }),
  );
}

function metadataOf(type: string): string[] {
  return ['--content-type', type, '--cache-control', CACHE_CONTROL];
}

function groupByType(files: readonly LocalFile[]): Map<string, LocalFile[]> {
  const groups = new Map<string, LocalFile[]>();
  for (const file of files) {
    const type = contentType(file.path);
    const group = groups.get(type);
    if (group) group.push(file);
    else groups.set(type, [file]);
  }
  return groups;
}

/** S3's limit for one request. */
const DELETED_AT_ONCE = 1000;

/** Recent versions of aws add checksums that other servers may reject. */
const OTHER_SERVERS = {
  AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
  AWS_RESPONSE_CHECKSUM_VALIDATION: 'when_required',
};

function openObjects(bucket: string, endpoint: string | null) {
  const options = endpoint === null ? [] : ['--endpoint-url', endpoint];
  const environment = { ...(endpoint === null ? {} : OTHER_SERVERS), ...process.env, AWS_PAGER: '' };
  const aws = (...args: readonly string[]) => runTool('aws', [...args, ...options], { environment });
  /** Objects whose keys begin with `start`, by the rest of the key. */
  const list = async (start: string) => {
    const query = 'Contents[].[Key,Size,ETag,LastModified]';
    const args = ['--bucket', bucket, '--prefix', start, '--query', query, '--output', 'json'];
    // All compatible servers know this older listing.
    const output = (await aws('s3api', 'list-objects', ...args)) || 'null';
    const found = JSON.parse(output) as [string, number, string, string][] | null;
    return new Map(
      (found ?? []).map(([key, bytes, etag, modified]) => [
        key.slice(start.length),
        // ISO 8601 from one server, so the texts compare as times.
        { bytes, etag: etag.replaceAll('"', ''), modified },
      ]),
    );
  };
  return {
    aws,
    address: (key: string) => `s3://${bucket}/${key}`,
    list,
    /** Null if there is none. */
    read: (key: string) =>
      withTemporaryFolder(async folder => {
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
    write: (key: string, body: string, cacheControl: string) =>
      withTemporaryFolder(async folder => {
        const file = path.join(folder, 'body');
        await writeFile(file, body);
        const kind = ['--content-type', contentType(key), '--cache-control', cacheControl];
        await aws('s3api', 'put-object', '--bucket', bucket, '--key', key, '--body', file, ...kind);
      }),
    erase: (keys: readonly string[]) =>
      withTemporaryFolder(async folder => {
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

type Objects = ReturnType<typeof openObjects>;

/** S3 may accept the request and still fail to delete some objects. */
function refuseErrors(output: string): void {
  const { Errors: errors = [] } = JSON.parse(output || '{}') as {
    Errors?: { Key: string; Message: string }[];
  };
  const [first] = errors;
  if (first) throw new UnableError('tool-failed', `${first.Key} cannot be deleted: ${first.Message}`);
}

export interface StoredObject {
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
}

/**
 * The files to copy from the release before, and those to send. `there`: objects of the release, by path; `before`:
 * hashes of the release before. Files that may differ are sent again.
 */
export function planUpload(
  files: ReadonlyMap<string, LocalFile>,
  there: ReadonlyMap<string, StoredObject>,
  before: ReadonlyMap<string, string>,
) {
  const missing = [...files.values()].filter(file => compareObject(file, there.get(file.path)) !== 'same');
  // aws selects files to copy by their extensions.
  const copied = (file: LocalFile) =>
    before.get(file.path) === file.sha256 && path.posix.extname(file.path) !== '';
  return { copy: missing.filter(copied), send: missing.filter(file => !copied(file)) };
}

/** `unproved`: same length but another ETag. Either the bytes differ, or the bucket's ETags aren't hashes. */
function compareObject(file: LocalFile, object: StoredObject | undefined): 'same' | 'other' | 'unproved' {
  if (object?.bytes !== file.bytes) return 'other';
  return file.etags.includes(object.etag) ? 'same' : 'unproved';
}

/**
 * Files whose objects differ or are missing. ETags are either all hashes or, in a bucket encrypted with its
 * own key, none; then only lengths are compared.
 */
export function findWrong(
  files: ReadonlyMap<string, LocalFile>,
  there: ReadonlyMap<string, StoredObject>,
): LocalFile[] {
  const compared = [...files.values()].map(file => {
    return { file, result: compareObject(file, there.get(file.path)) };
  });
  const hashed = compared.some(({ result }) => result === 'same');
  return compared
    .filter(({ result }) => result === 'other' || (hashed && result === 'unproved'))
    .map(({ file }) => file);
}
