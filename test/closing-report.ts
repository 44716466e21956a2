/** Ends a test run with the names of skipped tests and one plain line of counts for programs. */
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import type { GeorgiaRule } from './georgia-rule.ts';

export class ClosingReport implements Reporter {
  readonly #georgia: GeorgiaRule | null;

  /** Null to say nothing about Georgia's tests. */
  constructor(georgia: GeorgiaRule | null) {
    this.#georgia = georgia;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    const skipped = new Map<string, number>();
    for (const module of modules) {
      // A file or suite that can't be set up counts as a failure, though none of its tests ran.
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') counts[state] += 1;
        else {
          counts.skipped += 1;
          const name = skippedName(module, test);
          skipped.set(name, (skipped.get(name) ?? 0) + 1);
        }
      }
    }
    const names = [...skipped].map(
      ([name, count]) => `skipped ${name}${count > 1 ? ` (${count} tests)` : ''}\n`,
    );
    if (this.#georgia !== null) {
      const { runs, why } = this.#georgia;
      process.stdout.write(`Georgia's tests ${runs ? 'ran' : 'did not run'}: ${why}\n`);
    }
    const { passed, failed } = counts;
    const tail = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.stdout.write(`${names.join('')}${passed} passed, ${failed} failed${tail}\n`);
  }
}

/** The outermost suite that is skipped as a whole, or the test. */
function skippedName(module: TestModule, test: TestCase): string {
  let named: TestCase | TestSuite = test;
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) {
    if (parent.options.mode === 'skip') named = parent;
  }
  return `${module.relativeModuleId} > ${named.fullName}`;
}
