import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'
import { PROJECTS } from './test/projects.js'
import { ReportToFile } from './test/report.js'
import { WORKERS } from './test/support/workers.js'

/** Where `scripts/test.mjs` wants the report of a run; undefined for a run by hand. */
const report = process.env.CAUSEWAY_TEST_REPORT

export default defineConfig({
  test: {
    projects: PROJECTS,
    maxWorkers: WORKERS,
    reporters: ['default', ...(report === undefined ? [] : [new ReportToFile(report)])],
    sequence: { sequencer: LongestFirst },
  },
})
