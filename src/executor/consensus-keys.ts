/**
 * Owns the consensus keys of peers: pending, active, retiring, disabled; no key is used twice (docs/design/consensus.md
 * 1).
 */
import type { ValidatorKey } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { type ConsensusKeyRow, consensusKeys, PEER_KEYS_MAX, peerKeys } from './tables.js'

export type ConsensusKeyStatus = 'pending' | 'active' | 'retiring' | 'disabled'

/** Status of a key at a height; a replaced key stays `retiring` for `overlapBlocks` blocks. */
export function statusOfKey(row: ConsensusKeyRow, height: number, overlapBlocks: number): ConsensusKeyStatus {
  if (row.disabledFrom !== undefined && height >= row.disabledFrom) return 'disabled'
  if (height < row.activeFrom) return 'pending'
  if (row.replacedFrom === undefined || height < row.replacedFrom) return 'active'
  return height < row.replacedFrom + overlapBlocks ? 'retiring' : 'disabled'
}

/** True if the key may vote at the height. */
const actsAt = (row: ConsensusKeyRow, height: number): boolean =>
  height >= row.activeFrom &&
  (row.replacedFrom === undefined || height < row.replacedFrom) &&
  (row.disabledFrom === undefined || height < row.disabledFrom)

/** Consensus key of a peer at a height; undefined if it has none. */
export function keyOfPeer(state: StateReader, peer: ValidatorKey, height: number): ValidatorKey | undefined {
  for (const key of state.get(peerKeys, peer) ?? []) {
    const row = state.get(consensusKeys, key)
    if (row !== undefined && actsAt(row, height)) return key
  }
  return undefined
}

/** True if the key acts at the height or a later one. */
function isOfUse({ activeFrom, replacedFrom, disabledFrom }: ConsensusKeyRow, height: number): boolean {
  const end = Math.min(replacedFrom ?? Number.POSITIVE_INFINITY, disabledFrom ?? Number.POSITIVE_INFINITY)
  return end > Math.max(height, activeFrom)
}

/** Pending key of a peer; undefined if it has none. */
export function pendingKeyOf(state: StateReader, peer: ValidatorKey, height: number): ValidatorKey | undefined {
  return (state.get(peerKeys, peer) ?? []).find((key) => {
    const row = state.get(consensusKeys, key)
    return row !== undefined && row.activeFrom > height && isOfUse(row, height)
  })
}

/** Add a key to a peer, replacing the active key at its height. Expired keys are removed from the list of the peer. */
export function addKey(
  state: StateWriter,
  added: { readonly key: ValidatorKey; readonly peer: ValidatorKey; readonly pop: Uint8Array },
  activeFrom: number,
  height: number,
): void {
  const before = keyOfPeer(state, added.peer, activeFrom)
  if (before !== undefined) {
    const row = state.get(consensusKeys, before)
    if (row !== undefined) state.set(consensusKeys, before, { ...row, replacedFrom: activeFrom })
  }
  const { key, peer, pop } = added
  state.set(consensusKeys, key, { peer, pop, activeFrom, replacedFrom: undefined, disabledFrom: undefined })
  const kept = (state.get(peerKeys, peer) ?? []).filter((one) => {
    const row = state.get(consensusKeys, one)
    return row !== undefined && isOfUse(row, height)
  })
  state.set(peerKeys, peer, [...kept, key].slice(-PEER_KEYS_MAX))
}

/** Disable a key from a height on; the key that it would have replaced continues to act. */
export function disableKey(state: StateWriter, key: ValidatorKey, fromHeight: number): void {
  const row = state.get(consensusKeys, key)
  if (row === undefined) return
  state.set(consensusKeys, key, { ...row, disabledFrom: fromHeight })
  if (row.activeFrom < fromHeight) return
  for (const other of state.get(peerKeys, row.peer) ?? []) {
    const replaced = state.get(consensusKeys, other)
    if (replaced?.replacedFrom === row.activeFrom) {
      state.set(consensusKeys, other, { ...replaced, replacedFrom: undefined })
    }
  }
}

/** True if disabling this key would leave the peer without a key at the height: no replaced key continues to act. */
export function isOnlyKeyAt(state: StateReader, key: ValidatorKey, fromHeight: number): boolean {
  const row = state.get(consensusKeys, key)
  if (row === undefined || keyOfPeer(state, row.peer, fromHeight) !== key) return false
  return !(state.get(peerKeys, row.peer) ?? []).some((other) => {
    const before = state.get(consensusKeys, other)
    const comesBack = before !== undefined && row.activeFrom >= fromHeight && before.replacedFrom === row.activeFrom
    return comesBack && actsAt({ ...before, replacedFrom: undefined }, fromHeight)
  })
}
