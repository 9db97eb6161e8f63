/**
 * Owns the check for an outdated build: threads and processes of the program run `dist/`, the rest of a test the
 * sources.
 */
import { isBuildFresh } from '../../scripts/built-from.mjs'

/** Runs once before a project whose tests start built code. */
export function setup(): void {
  if (isBuildFresh()) return
  throw new Error('dist/ is not built from the sources as they are, so tests would run old code. Run `npm run build`.')
}
