/** Where tests keep what they make. */
import { readFileSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';

/** Bytes: some times what all tests together have at once. */
const ROOM = 6 * 2 ** 30;

/**
 * Environment in which temporary files are in memory, where there is room: tests make and remove files by the thousand,
 * and a disk's file system takes a quarter of their time. Empty where there is none: they are where they always are.
 */
export function scratchEnvironment(): Record<string, string> {
  if (process.env['TMPDIR'] !== undefined) return {};
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM && runsPrograms() ? { TMPDIR: MEMORY } : {};
  } catch {
    return {};
  }
}

function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map(line => line.split(' ')).find(([, folder]) => folder === MEMORY)?.[3];
  return options?.split(',').includes('noexec') === false;
}
