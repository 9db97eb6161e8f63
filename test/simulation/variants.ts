/** Owns the simulator, and histories of stakes, over wrong variants of the sources, loaded beside the real one. */
import type * as Explore from '../../src/simulation/explore/index.js'
import type * as Simulation from '../../src/simulation/index.js'
import type * as Histories from '../support/npos/history.js'
import type { Patch } from './mutants.js'
import { patched, variantId } from './variant-plugin.js'

/** A module over the patched sources. Throws when a patch no longer applies. */
async function over<T>(file: string, patches: readonly Patch[]): Promise<T> {
  // A patch of a file that nothing loads must not pass for one that is caught.
  for (const { file: own } of patches) patched(own, patches)
  return (await import(/* @vite-ignore */ variantId(file, patches))) as T
}

/** The simulator over the patched sources. */
export const variantOf = (patches: readonly Patch[]): Promise<typeof Simulation> => over('simulation/index.ts', patches)

/** Histories of stakes over the patched sources. */
export const historiesOf = (patches: readonly Patch[]): Promise<typeof Histories> =>
  over('../test/support/npos/history.ts', patches)

/** The exploration of small worlds over the patched sources. */
export const explorerOf = (patches: readonly Patch[]): Promise<typeof Explore> =>
  over('simulation/explore/index.ts', patches)
