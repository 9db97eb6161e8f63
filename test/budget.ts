/**
 * Owns what the projects of the test runner may use, in seconds of processor time on the reference machine of
 * `docs/reference/performance.md`. `npm test` and `npm run test:all` print what each project used beside it. It is no assertion: processor
 * time depends on the machine. What a family may add to `npm test` is in CONTRIBUTING.md.
 */
import type { ProjectName } from './suites.mjs'

/** Processor time of `npm test` with all families, build and checks included, in seconds. */
export const SHORT_SECONDS = 900

/** Budget of each project, in seconds, by suite. */
export const BUDGET: Readonly<Record<'short' | 'all', Readonly<Record<ProjectName, number>>>> = {
  short: { unit: 150, node: 150, sim: 100, process: 250 },
  all: { unit: 150, node: 150, sim: 600, process: 1_800 },
}
