import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'
import { PROJECTS } from './test/projects.js'
import { WORKERS } from './test/support/workers.js'

export default defineConfig({
  test: {
    projects: PROJECTS,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
  },
})
