/** Owns the id ranges: core 1-199, feature k 200+100k .. 299+100k; ids are append-only (design/architecture.md, "A feature"). */

/** Instruction ids of the core (design/ledger-lanes.md 1). */
export const CORE_INSTRUCTIONS = {
  registerPeer: 1,
  unregisterPeer: 2,
  rotateConsensusKey: 3,
  disableConsensusKey: 4,
  registerDomain: 5,
  registerAccount: 7,
  registerAssetDefinition: 10,
  mint: 12,
  burn: 13,
  transfer: 14,
  setKeyValue: 19,
  removeKeyValue: 20,
  grant: 23,
  revoke: 24,
  setParameter: 29,
  setFreeze: 38,
  setBlacklist: 39,
  setLimits: 40,
} as const

/** Tables of the core; 1-19 are the system's, 20 is `accounts` (src/executor). */
export const CORE_TABLES = {
  domains: 21,
  definitions: 22,
  balances: 23,
  aliases: 24,
  tokens: 25,
  holders: 26,
  controls: 27,
} as const

/** Event ids of the core. */
export const CORE_EVENTS = {
  peerAdded: 1,
  domainCreated: 2,
  accountCreated: 3,
  definitionCreated: 4,
  minted: 5,
  burned: 6,
  transferred: 7,
  metadataInserted: 8,
  metadataRemoved: 9,
  permissionAdded: 10,
  permissionRemoved: 11,
  parameterChanged: 12,
  peerRemoved: 13,
  consensusKeyRotated: 14,
  consensusKeyDisabled: 15,
  controlChanged: 16,
} as const

/** First id of feature `k`; feature 1 is iso20022. */
export const featureBase = (k: number): number => 200 + 100 * k
