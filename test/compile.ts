/** Compiles the programs that tests run, once before all tests and again if watched files changed. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { QUICK } from './quick-tests.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

export function setup(project: TestProject): void {
  const quick = new Set(QUICK.map(file => path.join(ROOT, file)));
  if (project.vitest.state.getPaths().every(file => quick.has(file))) return;
  compile();
  project.onTestsRerun(compile);
}

function compile(): void {
  execFileSync('npm', ['run', '--silent', 'compile'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
