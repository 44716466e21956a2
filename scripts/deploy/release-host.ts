/** What every host that keeps releases can do; the steps of a deployment are made of these. */
import type { LocalTree } from './local-tree.ts';

export interface ReleaseHost {
  /** Releases that are there whole, the one that was brought last first. */
  list(): Promise<readonly string[]>;
  /** The release that is online; null before the first. */
  readCurrent(): Promise<string | null>;
  /** SHA256SUMS of a release; null where it is not there whole. */
  readChecksums(release: string): Promise<string | null>;
  /**
   * Brings a release beside the others and proves it, without switching to it. What is there already is not sent again;
   * what the release `from` has is copied on the host.
   */
  upload(tree: LocalTree, from: string | null): Promise<Uploaded>;
  /** Holds a release that is there against its checksums, as far as the host tells. Throws where it is not whole. */
  prove(release: string): Promise<void>;
  /** The one write. */
  switchTo(release: string): Promise<void>;
  remove(release: string): Promise<void>;
}

export interface Uploaded {
  /** Files and bytes that travelled; SHA256SUMS is not counted. */
  readonly sent: number;
  readonly bytes: number;
  /** Files that were on the host already. */
  readonly kept: number;
}

export type Tell = (text: string) => void;
