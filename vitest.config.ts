import { defineConfig } from 'vitest/config';
import { ClosingReport } from './test/closing-report.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['lib/**', 'node_modules/**'],
    reporters: ['default', new ClosingReport()],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
