/** Whether a script for a host parses. Nobody would notice before readers do. */
import { spawnSync } from 'node:child_process';

/** `line 3: SyntaxError: …`, of the text as an ECMAScript module; null where it parses. Nothing of it is run. */
export function findSyntaxError(script: string): string | null {
  const { status, stderr, error } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: script,
    encoding: 'utf8',
    // Whatever this process was started with is not for that one.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (error) throw error;
  if (status === 0) return null;
  const line = /^\[stdin\]:(\d+)/m.exec(stderr)?.[1] ?? '?';
  return `line ${line}: ${/^\w*Error: .*/m.exec(stderr)?.[0] ?? 'it does not parse'}`;
}
