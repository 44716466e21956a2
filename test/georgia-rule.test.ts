import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { georgiaRule } from './georgia-rule.ts';

/** A repository whose commits each change one file: `2 a, 0 b` changed a two days ago, and b today. */
function repository(commits: string): string {
  const root = mkdtempSync(path.join(tmpdir(), 'civic-georgia-rule-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (commits !== '') git(root, 'init', '--quiet');
  for (const one of commits.split(', ').filter(Boolean)) {
    const [days, file] = one.split(' ') as [string, string];
    commit(root, Number(days), file);
  }
  return root;
}

function commit(root: string, days: number, file: string): void {
  change(root, file);
  git(root, 'add', '--all');
  const date = new Date(Date.now() - days * 86_400_000).toISOString();
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  const env = { ...process.env, GIT_COMMITTER_DATE: date };
  execFileSync('git', [...who, 'commit', '--quiet', '--message=a'], { cwd: root, env });
}

function git(root: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd: root });
}

function change(root: string, file: string): void {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), `${Math.random()}`);
}

const said = (root: string, named: readonly string[] = [], asked?: string) => {
  const { runs, why } = georgiaRule(root, named, asked);
  return `${runs} ${why.replace(/since [0-9a-f]{7}/, 'since then')}`;
};
const QUIET = 'false nothing of theirs has changed since then; TEST_GEORGIA=all runs them';

test.each([
  ['no repository', '', 'true git does not say what has changed'],
  ['no commit is a day old', '0 a', 'true git does not say what has changed'],
  ['a contract changed today', '2 a, 0 contracts/b', 'true contracts/b has changed since then'],
  ['a contract changed before', '2 contracts/b, 0 a', QUIET],
  ['a test changed today', '2 a, 0 test/georgia/b', 'true test/georgia/b has changed since then'],
])('without origin: %s', (_, commits, expected) => {
  expect(said(repository(commits))).toBe(expected);
});

test('what is not committed counts', () => {
  const root = repository('2 a');
  expect(said(root)).toBe(QUIET);
  change(root, 'scripts/georgia/b');
  expect(said(root)).toBe('true scripts/georgia/ has changed since then');
});

test('a branch counts from where it left origin, however long ago', () => {
  const root = repository('9 a');
  git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(said(root)).toBe(QUIET);
  commit(root, 5, 'contracts/b');
  expect(said(root)).toBe('true contracts/b has changed since then');
});

test('they run where they are asked for, or files are named', () => {
  const root = repository('2 a');
  expect(said(root, [], 'all')).toBe('true TEST_GEORGIA=all');
  expect(said(root, ['test/georgia'])).toBe('true the command line names what runs');
});
