/** A file that a host needs beside the tree. */
export interface HostFile {
  /** Relative to the folder of the host's files. */
  readonly path: string;
  readonly text: string;
}
