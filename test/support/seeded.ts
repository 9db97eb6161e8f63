/** Owns a state whose chain has a seed, from which schedules are drawn. */
import { chainInfo, SINGLETON_KEY } from '../../src/executor/index.js'
import type { StateWriter } from '../../src/state/index.js'

/** State with the chain record of genesis. */
export function seeded<State extends StateWriter>(state: State, genesisSeed: Uint8Array): State {
  if (!state.has(chainInfo, SINGLETON_KEY)) {
    state.set(chainInfo, SINGLETON_KEY, {
      chain: 'test',
      addressPrefix: 'cw',
      consensusMode: 'permissioned',
      genesisSeed,
      abi: 1,
      abiHash: undefined,
      nextAbi: undefined,
    })
  }
  return state
}
