import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['lib/**', 'node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
