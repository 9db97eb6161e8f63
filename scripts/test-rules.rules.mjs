// What tests may not do, because it makes them fail by chance or hides that they do not run (CONTRIBUTING.md, "Rules for tests").

/** Folders of programs and data beside the tests. */
export const OUTSIDE = ['test/bench/', 'test/fixtures/', 'test/vectors/', 'test/heavy/', 'test/mutation/']

/** Functions of the test runner that declare a test or a group of tests. */
export const TESTS = ['it', 'test', 'describe']

/** Calls that set up a test or hook, whose last argument may be a time. */
export const HOOKS = [...TESTS, 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']

/** Methods and options of a test that skip it; the list at the end of a run would have no reason for them. */
export const SKIPS = ['skip', 'skipIf', 'runIf', 'todo']

/** What a worker process may not fake: Node reads messages of the runner with `nextTick`, and streams and libraries go on with the others. */
export const SCHEDULERS = ['nextTick', 'queueMicrotask', 'setImmediate']

/** Names of durations that were measured. */
export const DURATION = /^(elapsed|took|duration|spent)(Ms|Seconds)?$/i

/** Functions of node:child_process that start a program. */
export const STARTERS = ['spawn', 'spawnSync', 'execFile', 'execFileSync']

/** Files that break a rule, and why they may; a file that needs no exception fails the check. */
export const EXCEPT = {
  'test/support/ports.ts': 'pause and until, which others wait with',
}
