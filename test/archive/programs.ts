/** Programs that open archives, where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';

export function lacks(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0;
}

export function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' });
}
