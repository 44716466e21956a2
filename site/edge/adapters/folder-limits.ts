/** What a server of a folder may use. Node only. */
import os from 'node:os';
import type { Budget } from '../rows/scan.ts';

/** Some seconds of work, in turns with all other requests. */
export const FOLDER_BUDGET: Budget = { bytes: 1 << 30, rows: 5_000_000 };

/** Milliseconds for which an edge takes a release and a manifest to be current. */
export const REFRESH_AFTER = 1000;

const MOST_MEMORY = 512 << 20;

/** Bytes for decoded columns, unless the publisher says otherwise. */
export function usualMemory(): number {
  return Math.min(MOST_MEMORY, Math.floor(os.totalmem() / 4));
}
