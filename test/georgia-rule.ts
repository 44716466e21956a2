/**
 * Whether a run includes the tests of our own datasets: only if their subjects changed, because they take a
 * quarter of the time of all others. Every night runs them.
 */
import { execFileSync } from 'node:child_process';

const TESTED = ['contracts', 'scripts/georgia', 'test/georgia'];

export interface GeorgiaRule {
  readonly runs: boolean;
  readonly why: string;
}

/** `named`: files and projects on the command line, which always run. */
export function georgiaRule(root: string, named: readonly string[], asked: string | undefined): GeorgiaRule {
  const git = (...args: readonly string[]) => {
    try {
      return execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return null;
    }
  };
  if (named.length > 0) return { runs: true, why: 'the command line names what runs' };
  if (asked === 'all') return { runs: true, why: 'TEST_GEORGIA=all' };
  const base = mergeBase(git) || git('log', '-1', '--before=1 day ago', '--format=%H');
  const changed = base
    ? [git('diff', '--name-only', base, '--', ...TESTED), git('status', '--porcelain', '--', ...TESTED)]
    : [null];
  if (changed.includes(null)) return { runs: true, why: 'git does not say what has changed' };
  const first = changed
    .find(one => one !== '')
    ?.split('\n')[0]
    ?.replace(/^.. /, '');
  const since = `since ${base!.slice(0, 7)}`;
  return first === undefined
    ? { runs: false, why: `nothing of theirs has changed ${since}; TEST_GEORGIA=all runs them` }
    : { runs: true, why: `${first} has changed ${since}` };
}

/** Where the branch left origin's main branch; null if it didn't, or if it's unknown. */
function mergeBase(git: (...args: readonly string[]) => string | null): string | null {
  const head = git('rev-parse', 'HEAD');
  for (const main of ['origin/HEAD', 'origin/main', 'origin/master']) {
    const base = git('merge-base', 'HEAD', main);
    if (base !== null) return base === head ? null : base;
  }
  return null;
}
