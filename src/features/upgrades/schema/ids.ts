/** Owns the ids of runtime upgrades, of the range of the core. Append only. */
export const UPGRADE_INSTRUCTIONS = {
  proposeUpgrade: 48,
  activateUpgrade: 49,
  cancelUpgrade: 50,
} as const
export const UPGRADE_EVENTS = {
  upgradeProposed: 48,
  upgradeActivated: 49,
  upgradeCancelled: 50,
} as const
export const UPGRADE_QUERIES = {
  upgrades: 80,
} as const
export const UPGRADE_TABLES = { upgrades: 44 } as const
