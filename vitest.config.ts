import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'
import { PROJECTS } from './test/projects.js'

export default defineConfig({
  test: {
    projects: PROJECTS,
    // Two cores, and the network suites start processes of their own.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
})
