/** Owns the link states by consensus key, for the keys active at this height. */
import { type KeySchedules, keyAt, peerOf } from '../../consensus/index.js'
import type { LinkStates } from '../../network/index.js'

/** States of links by the consensus keys of this height. */
export const linksByKey = (links: LinkStates, tip: () => KeySchedules): LinkStates => ({
  isConnected: (key) => links.isConnected(peerOf(tip(), key)),
  lastError: (key) => links.lastError(peerOf(tip(), key)),
  connected: () => links.connected().map((peer) => keyAt(tip(), peer, 0)),
})
