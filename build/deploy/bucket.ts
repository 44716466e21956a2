/** A bucket: aws uploads a release next to the others, and one small object names the release that is online. */
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { UnableError } from '../failure.ts';
import { CACHE_CONTROL, contentType } from '../format/media-type.ts';
import { CURRENT, isRelease, RELEASES, ROOT, releaseFolder } from '../format/paths.ts';
import { parseChecksums } from '../tree/previous-tree.ts';
import { NO_CLAIM, type ReleaseHost, type Tell } from './deployment.ts';
import type { Destination } from './destination.ts';
import { type LocalFile, type LocalTree, refused, someOf } from './local-tree.ts';
import { type Objects, openObjects } from './objects.ts';
import { inFolder } from './tool.ts';
import { findWrong, planUpload } from './upload-plan.ts';

export interface BucketOptions {
  /** Address of another S3-compatible server; null for S3 itself. */
  readonly endpoint: string | null;
  /** Null if nothing is in front of the bucket, or if the front reads `current` itself. */
  readonly front: ReleaseFront | null;
  readonly tell: Tell;
}

/** What is in front of a bucket, and sends requests to the folder of one release. */
export interface ReleaseFront {
  /** Checks all that the switch needs, and returns the switch. `kept`: a text of the release, in the bucket. */
  prepare(release: string, kept: KeptText): Promise<() => Promise<void>>;
}

export interface KeptText {
  readonly key: string;
  /** Null if there is none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/** Bytes from which aws copies a file in several pieces. */
const LARGE = 8 << 20;

/** Runs of aws at once; each sends ten requests at once. */
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
    // aws knows no lock. Releases are uploaded apart, and the last switch wins.
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
      const publish = await front?.prepare(release, {
        key,
        read: () => objects.read(key),
        write: text => objects.write(key, text, 'no-store'),
      });
      // A cached copy would delay the switch for the programs that read it.
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
 * Copies small files in one run of aws, by their names' endings: naming thousands of files costs more than copying too
 * many, which the upload then overwrites or removes. aws copies a large file in pieces and drops its metadata, so large
 * files are named with their types.
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

/** A run of aws gives all its objects one type. It follows links, so a folder of links serves as a list of files. */
async function sendFiles(
  { aws, address }: Objects,
  tree: LocalTree,
  files: readonly LocalFile[],
  to: string,
): Promise<void> {
  const send = (type: string, group: readonly LocalFile[]): Promise<unknown> =>
    inFolder(async folder => {
      for (const file of group) {
        const link = path.join(folder, file.path);
        await mkdir(path.dirname(link), { recursive: true });
        await symlink(path.join(tree.folder, file.path), link);
      }
      await aws('s3', 'cp', folder, address(to), '--recursive', '--only-show-errors', ...metadataOf(type));
    });
  const failures: unknown[] = [];
  const attempt = async (type: string, group: readonly LocalFile[]) => {
    // After one failure the other groups are not tried.
    if (failures.length === 0) await send(type, group).catch(reason => failures.push(reason));
  };
  const groups = [...groupByType(files)];
  const work = async (): Promise<void> => {
    for (let next = groups.shift(); next !== undefined; next = groups.shift()) await attempt(...next);
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
  if (failures.length > 0) throw failures[0];
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
