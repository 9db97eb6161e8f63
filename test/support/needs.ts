/**
 * Owns tests with requirements that some machines lack. They are skipped there, and the end of a run lists them with
 * the reason.
 */

/**
 * Options of a test or group of tests.
 *
 * @param missing missing requirement of this machine, as the printed reason; undefined if the tests can run
 */
export const needs = (missing: string | undefined) =>
  missing === undefined ? {} : { skip: true, meta: { skippedBecause: missing } }

/** Reason for skipping tests that need `/proc`, `/dev/full` or signals of Linux; undefined on Linux. */
export const LINUX_MISSING = process.platform === 'linux' ? undefined : 'this is not Linux'
