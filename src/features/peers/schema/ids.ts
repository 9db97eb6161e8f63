/** Owns the ids of peers and consensus, of the range of the core. Append only. */
export const PEER_INSTRUCTIONS = {
  registerPeer: 1,
  unregisterPeer: 2,
  rotateConsensusKey: 3,
  disableConsensusKey: 4,
} as const
export const PEER_EVENTS = {
  peerAdded: 1,
  peerRemoved: 13,
  consensusKeyRotated: 14,
  consensusKeyDisabled: 15,
} as const
export const PEER_QUERIES = {
  commitCertificates: 20,
  checkpoints: 21,
  validatorSets: 22,
  commitQc: 23,
  consensusKeys: 24,
  blsKeys: 25,
  consensusParams: 26,
  evidence: 27,
  evidenceCount: 28,
} as const
