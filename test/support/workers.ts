/** Number of workers of the test runner: two cores, and tests that start processes keep both busy. */
export const WORKERS = 2
