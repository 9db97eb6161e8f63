import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['dist/**', '**/node_modules/**'],
    pool: 'forks',
    // Two cores, and the network suites start processes of their own.
    maxWorkers: 2,
    // Far more than any test needs: a slow machine is no fault.
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
})
