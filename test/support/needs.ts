/** Owns tests that need what not every machine has. They are skipped there, and the end of a run lists them with the reason. */

/**
 * Options of a test or group of tests.
 *
 * @param missing what this machine lacks, as the reason that is printed; undefined if the tests can run
 */
export const needs = (missing: string | undefined) =>
  missing === undefined ? {} : { skip: true, meta: { skippedBecause: missing } }

/** Reason of tests that read `/proc`, `/dev/full` or signals as Linux has them; undefined on Linux. */
export const LINUX_MISSING = process.platform === 'linux' ? undefined : 'this is not Linux'
