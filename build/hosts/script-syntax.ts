/** Checks that a script for a host parses, before readers of the site notice that it does not. */
import { spawnSync } from 'node:child_process';

/** Parses the text as an ECMAScript module without running it. Returns `line 3: SyntaxError: …`; null if it parses. */
export function findSyntaxError(script: string): string | null {
  const { status, stderr, error } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], {
    input: script,
    encoding: 'utf8',
    // Options of this process may not suit the child.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (error) throw error;
  if (status === 0) return null;
  const line = /^\[stdin\]:(\d+)/m.exec(stderr)?.[1] ?? '?';
  return `line ${line}: ${/^\w*Error: .*/m.exec(stderr)?.[0] ?? 'it does not parse'}`;
}
