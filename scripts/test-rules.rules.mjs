// What tests may not do, because it makes them fail by chance (CONTRIBUTING.md, "Before it is merged").

/** Folders of programs and data beside the tests. */
export const OUTSIDE = ['test/bench/', 'test/fixtures/', 'test/vectors/', 'test/heavy/', 'test/mutation/']

/** Calls that set up a test or hook, whose last argument may be a time. */
export const HOOKS = ['it', 'test', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']

/** Names of durations that were measured. */
export const DURATION = /^(elapsed|took|duration|spent)(Ms|Seconds)?$/i

/** Functions of node:child_process that start a program. */
export const STARTERS = ['spawn', 'spawnSync', 'execFile', 'execFileSync']

/** Files that break a rule, and why they may; a file that needs no exception fails the check. */
export const EXCEPT = {
  'test/support/ports.ts': 'pause and until, which others wait with',
}
