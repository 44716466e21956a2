/** `civic deploy` as a process. */
import path from 'node:path';
import { type Run, run } from '../tree/mirror-hosts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export function deploy(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return run(process.execPath, [path.join(ROOT, 'lib/bin/civic.js'), 'deploy', ...args], ROOT, environment);
}
