/** Owns the compiler of contracts that tests may use: `node scripts/heavy.mjs` installs it. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder of packages with the compiler, to be the `node_modules` of a contract. */
export const COMPILER_PACKAGES = join(import.meta.dirname, '..', 'heavy', 'node_modules')
/** Why tests that compile contracts are skipped; undefined if they run. */
export const COMPILER_MISSING = await stat(join(COMPILER_PACKAGES, 'assemblyscript')).then(
  () => undefined,
  () => 'test/heavy has no package assemblyscript',
)
