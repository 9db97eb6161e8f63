/**
 * Owns the cache of compiled contract modules: a module is compiled once for all callers. The metering of a call does
 * not depend on it.
 */
import { binaryKey, GenerationCache } from '../../../crypto/index.js'
import { readPages, type StateReader } from '../../../state/index.js'
import { type LoadedModule, loadModule } from '../../../vm/index.js'
import type { Artifact } from '../schema/records.js'
import { codePages } from './tables.js'

/** Memory for modules, in bytes by weight: the heaviest has less than 2.5 MiB. */
const MODULES_MAX_BYTES = 64 * 1024 * 1024
const modules = new GenerationCache<LoadedModule>(MODULES_MAX_BYTES, 'contract_modules')

/** Code of an artifact. */
export const codeOf = (state: StateReader, hash: Uint8Array, { codeBytes }: Artifact): Buffer =>
  Buffer.concat(readPages(state, codePages, hash, codeBytes), codeBytes)

/** Compiled module of an artifact. */
export function moduleOf(state: StateReader, hash: Uint8Array, artifact: Artifact): LoadedModule {
  const key = binaryKey(artifact.codeHash)
  const known = modules.get(key)
  if (known !== undefined) return known
  const loaded = loadModule(codeOf(state, hash, artifact))
  modules.set(key, loaded, loaded.weight)
  return loaded
}
