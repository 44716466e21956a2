import { spawnSync } from 'node:child_process';

/** Whether this machine has a program. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}
