import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingReport } from './test/closing-report.ts';
import { georgiaRule } from './test/georgia-rule.ts';
import { LongestFirst } from './test/longest-first.ts';
import { PATIENCE } from './test/patience.ts';
import { QUICK } from './test/quick-tests.ts';
import { scratchEnvironment } from './test/scratch.ts';

const named = process.argv.slice(2).filter(arg => !arg.startsWith('-') && !/^(run|watch|dev)$/.test(arg));
const georgia = georgiaRule(import.meta.dirname, named, process.env['TEST_GEORGIA']);
const GEORGIA = ['test/georgia/!(smoke).test.ts', 'test/georgia/*/**/*.test.ts'];
// Each project would load the sources anew, so the quick tests are one only if they run alone.
const isQuick = /--project[= ]quick\b/.test(process.argv.join(' '));

export default defineConfig({
  test: {
    name: isQuick ? 'quick' : 'all',
    include: isQuick ? [...QUICK] : ['test/**/*.test.ts'],
    exclude: georgia.runs ? [] : GEORGIA,
    reporters: ['default', new ClosingReport(named.length > 0 ? null : georgia)],
    // Most of a test's time is another program's, which often waits: one worker more than there are cores.
    maxWorkers: availableParallelism() + (isQuick ? 0 : 1),
    // What tests import is loaded once a worker. None changes what another file's tests see.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    env: scratchEnvironment(),
    setupFiles: 'test/each-file.ts',
    // What hangs ends; nothing here bounds how slow a machine may be.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE } },
    globalSetup: 'test/compile.ts',
  },
});
