import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { georgiaRule } from './georgia-rule.ts';
import { temporaryFolder, writeTexts } from './publishers/publisher-folder.ts';

/** Sets git's date, in days before today. */
function git(root: string, days: number, ...args: readonly string[]): void {
  const date = new Date(Date.now() - days * 86_400_000).toISOString();
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  execFileSync('git', [...who, ...args], { cwd: root, env: { ...process.env, GIT_COMMITTER_DATE: date } });
}

const QUIET = 'false nothing of theirs has changed since then; TEST_GEORGIA=all runs them';
const UNKNOWN = 'true git does not say what has changed';

/** Changes: `2 a, origin, b` commits a two days ago, marks where origin is, and leaves b uncommitted. */
test.each([
  ['', UNKNOWN],
  ['0 a', UNKNOWN],
  ['2 a, 0 contracts/b', 'true contracts/b has changed since then'],
  ['2 contracts/b, 0 a', QUIET],
  ['2 a, 0 test/georgia/b', 'true test/georgia/b has changed since then'],
  ['2 a, scripts/georgia/b', 'true scripts/georgia/ has changed since then'],
  // A branch counts from where it left origin, however long ago.
  ['9 contracts/a, origin', QUIET],
  ['9 a, origin, 5 contracts/b', 'true contracts/b has changed since then'],
  // They run if asked for, or if files are named.
  ['2 a', 'true TEST_GEORGIA=all', [], 'all'],
  ['2 a', 'true the command line names what runs', ['test/georgia']],
])(
  '%s: %s',
  async (changes, expected, named: readonly string[] = [], asked: string | undefined = undefined) => {
    const root = await temporaryFolder();
    if (changes !== '') git(root, 0, 'init', '--quiet');
    for (const change of changes.split(', ').filter(Boolean)) {
      const [file = '', days] = change.split(' ').reverse();
      if (file === 'origin') {
        git(root, 0, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
        continue;
      }
      await writeTexts(root, { [file]: path.basename(root) });
      if (days === undefined) continue;
      git(root, 0, 'add', '--all');
      git(root, Number(days), 'commit', '--quiet', '--message=a');
    }
    const { runs, why } = georgiaRule(root, named, asked);
    expect(`${runs} ${why.replace(/since [0-9a-f]{7}/, 'since then')}`).toBe(expected);
  },
);
