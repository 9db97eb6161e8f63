/** Owns the choice of the BLS library: native blst if available, else noble. */
import type { BlsBackend } from './bls.js'

/** `auto` uses blst if it loads, else noble. */
export type BlsChoice = 'auto' | 'noble' | 'blst'

const loaded = new Map<BlsBackend['name'], BlsBackend>()

async function load(name: BlsBackend['name']): Promise<BlsBackend | undefined> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const backend =
    name === 'noble'
      ? (await import('./bls-noble.js')).nobleBackend()
      : await (await import('./bls-blst.js')).loadBlstBackend()
  if (backend !== undefined) loaded.set(name, backend)
  return backend
}

/**
 * Load a backend, once per process.
 *
 * @param choice overrides `CAUSEWAY_BLS_BACKEND`; `blst` throws if the library does not load
 */
export async function loadBls(choice?: BlsChoice): Promise<BlsBackend> {
  const wanted = choice ?? process.env.CAUSEWAY_BLS_BACKEND ?? 'auto'
  if (wanted !== 'noble') {
    const fast = await load('blst')
    if (fast !== undefined) return fast
    if (wanted === 'blst') throw new Error('cannot load @chainsafe/blst on this platform')
  }
  const noble = await load('noble')
  if (noble === undefined) throw new Error('cannot load @noble/curves')
  return noble
}
