/** The operations of a host that keeps releases, from which the steps of a deployment are composed. */
import type { LocalTree } from './local-tree.ts';

export interface ReleaseHost {
  /** Takes the host for one deployment. Throws UnableError if another has it. */
  claim(): Promise<HostClaim>;
  /** The complete releases, the last uploaded first. */
  list(): Promise<readonly string[]>;
  /** The release that is online; null before the first deployment. */
  readCurrent(): Promise<string | null>;
  /** SHA256SUMS of a release; null if the release is missing or incomplete. */
  readChecksums(release: string): Promise<string | null>;
  /**
   * Uploads a release next to the others and verifies it, without switching to it. Sends no file that the host has:
   * files of the release `from` are copied on the host.
   */
  upload(tree: LocalTree, from: string | null): Promise<Uploaded>;
  /** Checks a release against its checksums as far as the host allows. Throws if it is incomplete. */
  prove(release: string): Promise<void>;
  /** One write. */
  switchTo(release: string): Promise<void>;
  remove(release: string): Promise<void>;
}

export interface HostClaim {
  /** Throws UnableError if the claim was lost. Call it right before a switch. */
  expectHeld(): void;
  release(): Promise<void>;
}

/** The claim on a host that can hold nothing for anybody. */
export const NO_CLAIM: HostClaim = { expectHeld: () => undefined, release: async () => undefined };

export interface Uploaded {
  /** Files and bytes sent, without SHA256SUMS. */
  readonly sent: number;
  readonly bytes: number;
  /** Files that the host had already. */
  readonly kept: number;
}

export type Tell = (text: string) => void;
