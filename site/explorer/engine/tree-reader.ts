/** Reads a tree from the page's own host: its manifests, and files that match them. */
import type { PublishedFile } from '../../../build/format/manifest.ts';
import { ROOT } from '../../../build/format/paths.ts';
import { Catalog, type Subject } from '../../edge/catalog.ts';
import { type Files, TreeMismatch } from '../../edge/files/files.ts';
import { createHttpFiles } from '../../edge/files/http-files.ts';
import { Kept } from '../../edge/files/kept.ts';
import { sha256 } from '../../edge/files/sha256.ts';
import type { ScanSource } from '../../query/plan.ts';
import { EngineError } from './engine.ts';

/** Files up to this size are read whole: one request, kept. */
const WHOLE_BYTES = 512 << 10;

/** Larger files are read in ranges, to save memory. */
const MOST_WHOLE = 16 << 20;

/** Memory for whole files. */
const KEPT_BYTES = 64 << 20;

/** The reader of one task. */
export interface TreeAccess {
  readonly catalog: Catalog;
  readonly files: Files;
  subject(key: string): Promise<Subject>;
  /** Reads a file whole, in one request, if most of it is needed. */
  preferWhole(sources: readonly ScanSource[]): void;
  /** Whether the host still publishes this release; true if it can't be asked. */
  isCurrent(): Promise<boolean>;
}

/** Milliseconds: a server may cache its view of its files for a second. */
const BETWEEN = 1200;

export class TreeReader {
  private readonly root: string;
  private readonly silence: number;
  private release: Release;

  /** `silence`: milliseconds without a byte after which a read gives up. */
  constructor(root: string, silence: number) {
    this.root = root;
    this.silence = silence;
    this.release = new Release(root, silence, 'default');
  }

  /**
   * Runs a task. A file that does not match its manifest points to a new release or a stale cache. The task then reads
   * everything again from the host itself: at once, and after a pause for a host that is between two releases.
   */
  async run<Result>(
    work: (access: TreeAccess) => Promise<Result>,
    onBytes: (bytes: number) => void,
  ): Promise<Result> {
    for (const wait of [0, BETWEEN]) {
      const { release } = this;
      try {
        return await work(release.open(onBytes));
      } catch (error) {
        if (!(error instanceof TreeMismatch)) throw error;
        if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
        if (this.release === release) this.release = new Release(this.root, this.silence, 'no-cache');
      }
    }
    return work(this.release.open(onBytes));
  }
}

/** The files of one release that have been read so far. */
class Release {
  private readonly root: string;
  private readonly silence: number;
  private readonly cache: RequestCache;
  private readonly kept = new Kept<Uint8Array>(KEPT_BYTES);
  private readonly listed = new Map<string, PublishedFile>();
  private readonly catalog: Catalog;

  constructor(root: string, silence: number, cache: RequestCache) {
    this.root = root;
    this.silence = silence;
    this.cache = cache;
    const files = createHttpFiles(root, { kept: new Kept(0), silence, cache });
    this.catalog = new Catalog(files);
    // Every task begins with it, and says why it can't be read.
    this.catalog.current().catch(() => undefined);
  }

  open(onBytes: (bytes: number) => void): TreeAccess {
    const { catalog, listed } = this;
    const whole = new Set<string>();
    const files = createHttpFiles(this.root, {
      kept: this.kept,
      silence: this.silence,
      cache: this.cache,
      onBytes,
      isWhole: path => whole.has(path) || (listed.get(path)?.bytes ?? 0) <= WHOLE_BYTES,
    });
    return {
      catalog,
      files,
      subject: async key => {
        const subject = await (await catalog.current()).subject(key);
        if (!subject) throw new EngineError({ kind: 'dataset', key });
        for (const [path, entry] of subject.files) listed.set(path, entry);
        return subject;
      },
      preferWhole(sources) {
        for (const source of sources) {
          const { path, entry } = source.file;
          if (entry.bytes <= MOST_WHOLE && countBytes([source]) > entry.bytes / 2) whole.add(path);
        }
      },
      isCurrent: async () => {
        const host = createHttpFiles(this.root, { silence: this.silence, cache: 'no-cache' });
        const read = await host.read(ROOT.manifest, null).catch(() => null);
        return read === null || (await sha256(read.bytes)) === (await catalog.current()).sha256;
      },
    };
  }
}

/** Sums the compressed bytes of the row groups. */
export function countBytes(sources: readonly ScanSource[]): number {
  let bytes = 0;
  for (const { file, groups } of sources) for (const index of groups) bytes += file.groupBytes[index]!;
  return bytes;
}
