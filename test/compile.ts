/** Compiles the programs that tests run, once before all of them, and again where watched files changed. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

export function setup(project: TestProject): void {
  compile();
  project.onTestsRerun(compile);
}

function compile(): void {
  execFileSync('npm', ['run', '--silent', 'compile'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
