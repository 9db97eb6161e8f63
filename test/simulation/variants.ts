/** Owns the simulator over wrong variants of the sources, loaded beside the real one. */
import type * as Simulation from '../../src/simulation/index.js'
import type { Patch } from './mutants.js'
import { patched, variantId } from './variant-plugin.js'

/** The simulator over the patched sources. Throws when a patch no longer applies. */
export async function variantOf(patches: readonly Patch[]): Promise<typeof Simulation> {
  // A patch of a file that nothing loads must not pass for one that is caught.
  for (const { file } of patches) patched(file, patches)
  return (await import(/* @vite-ignore */ variantId('simulation/index.ts', patches))) as typeof Simulation
}
