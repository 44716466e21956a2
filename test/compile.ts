/** Compiles the programs that tests run, once before all tests and again if watched files changed. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

/** Each project of the run calls setup. */
const ASKED = Symbol.for('civic: tests are compiled');

export function setup(project: TestProject): void {
  if (ASKED in globalThis) return;
  Object.assign(globalThis, { [ASKED]: true });
  compile();
  project.onTestsRerun(compile);
}

function compile(): void {
  execFileSync('npm', ['run', '--silent', 'compile'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
