import { readdirSync, readlinkSync } from 'node:fs';

/** Links to the files of a name that a process has open. */
export function openedFiles(pid: number | 'self', name: string): string[] {
  return readdirSync(`/proc/${pid}/fd`).filter(one => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${one}`).endsWith(name);
    } catch {
      return false;
    }
  });
}
