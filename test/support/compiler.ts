/** Owns the compiler of contracts for tests: `node scripts/heavy.mjs` installs it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder of packages with the compiler, used as the `node_modules` of a contract. */
export const COMPILER_PACKAGES = join(import.meta.dirname, '..', 'heavy', 'node_modules')
/** Reason for skipping tests that compile contracts; undefined if they run. */
export const COMPILER_MISSING = await stat(join(COMPILER_PACKAGES, 'assemblyscript')).then(
  () => undefined,
  () => 'test/heavy has no package assemblyscript',
)
