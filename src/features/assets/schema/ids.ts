/** Owns the ids of assets and their controls, of the range of the core. Append only. */
export const ASSET_INSTRUCTIONS = {
  registerAssetDefinition: 10,
  unregisterAssetDefinition: 11,
  mint: 12,
  burn: 13,
  transfer: 14,
  transferBatch: 15,
  setFreeze: 38,
  setBlacklist: 39,
  setLimits: 40,
} as const
export const ASSET_EVENTS = {
  definitionCreated: 4,
  minted: 5,
  burned: 6,
  transferred: 7,
  controlChanged: 16,
  definitionDeleted: 20,
  mintabilityChanged: 21,
  held: 51,
  released: 52,
} as const
export const ASSET_QUERIES = {
  assetDefinitions: 2,
  control: 15,
  controls: 16,
  controlCheck: 17,
  assetDefinition: 61,
  assets: 63,
  portfolio: 64,
} as const
