/** Reads a tree from the page's host: manifests, and files that match them. */
import type { PublishedFile } from '../../../build/format/manifest.ts';
import { ROOT } from '../../../build/format/paths.ts';
import { Catalog, type Subject } from '../../edge/catalog.ts';
import { type Files, TreeMismatch } from '../../edge/files/files.ts';
import { createHttpFiles } from '../../edge/files/http-files.ts';
import { Kept } from '../../edge/files/kept.ts';
import { sha256 } from '../../edge/files/sha256.ts';
import type { ScanSource } from '../../query/plan.ts';
import { EngineError, type Progress } from './engine.ts';

/** Files up to this size are read whole, in one request, and kept. */
const WHOLE_BYTES = 512 << 10;

/** Larger files are read in ranges, to save memory. */
const MOST_WHOLE = 16 << 20;

/** Bytes of whole files that are kept. */
const KEPT_BYTES = 64 << 20;

/** The reader of one task. */
export interface TreeAccess {
  readonly catalog: Catalog;
  readonly files: Files;
  subject(key: string): Promise<Subject>;
  /** Says what will be read, for progress. A file that is mostly needed is then read whole, in one request. */
  expect(sources: readonly ScanSource[]): void;
  /** Whether the host still publishes this release; true if the host doesn't answer. */
  isCurrent(): Promise<boolean>;
}

/** Milliseconds: a server may cache its view of its files for a second. */
const BETWEEN = 1200;

/** Runs the work with a reader of the tree. */
export type Tree = <Result>(
  work: (access: TreeAccess) => Promise<Result>,
  onProgress: (progress: Progress) => void,
) => Promise<Result>;

/**
 * `silence`: milliseconds without a byte after which a read fails. A file that doesn't match its manifest means a new
 * release or a stale cache. The work then reads everything again from the host: at once, and after a pause, since the host
 * may be between two releases.
 */
export function openTree(root: string, silence: number): Tree {
  let current = openRelease(root, silence, 'default');
  return async (work, onProgress) => {
    for (const wait of [0, BETWEEN]) {
      const release = current;
      try {
        return await work(release(onProgress));
      } catch (error) {
        if (!(error instanceof TreeMismatch)) throw error;
        if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
        if (current === release) current = openRelease(root, silence, 'no-cache');
      }
    }
    return work(current(onProgress));
  };
}

/** Keeps the files of one release that have been read. */
function openRelease(root: string, silence: number, cache: RequestCache) {
  const kept = new Kept<Uint8Array>(KEPT_BYTES);
  const listed = new Map<string, PublishedFile>();
  const catalog = new Catalog(createHttpFiles(root, { kept: new Kept(0), silence, cache }));
  // Every task begins with the catalog, and reports why it can't be read.
  catalog.current().catch(() => undefined);
  return (onProgress: (progress: Progress) => void): TreeAccess => {
    let done = 0;
    let total: number | null = null;
    const onBytes = (bytes: number) => {
      done += bytes;
      onProgress({ stage: 'fetch', done, total: total === null ? null : Math.max(done, total) });
    };
    const whole = new Set<string>();
    const isWhole = (path: string) => whole.has(path) || (listed.get(path)?.bytes ?? 0) <= WHOLE_BYTES;
    return {
      catalog,
      files: createHttpFiles(root, { kept, silence, cache, onBytes, isWhole }),
      subject: async key => {
        const subject = await (await catalog.current()).subject(key);
        if (!subject) throw new EngineError({ kind: 'dataset', key });
        for (const [path, entry] of subject.files) listed.set(path, entry);
        return subject;
      },
      expect(sources) {
        done = 0;
        total = countBytes(sources);
        for (const source of sources) {
          const { path, bytes } = source.file;
          if (bytes <= MOST_WHOLE && countBytes([source]) > bytes / 2) whole.add(path);
        }
      },
      isCurrent: async () => {
        const host = createHttpFiles(root, { silence, cache: 'no-cache' });
        const read = await host.read(ROOT.manifest, null).catch(() => null);
        return read === null || (await sha256(read.bytes)) === (await catalog.current()).sha256;
      },
    };
  };
}

/** The compressed bytes of the row groups. */
function countBytes(sources: readonly ScanSource[]): number {
  let bytes = 0;
  for (const { file, groups } of sources) for (const index of groups) bytes += file.groupBytes[index]!;
  return bytes;
}
