/** Owns the records of runtime upgrades: manifest and instructions (docs/design/ledger.md 9). */
import { hash32, type Infer, string, struct, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { defineInstructions, name } from '../../../model/index.js'

/** Longest description, in bytes. */
const DESCRIPTION_MAX_BYTES = 1024
/** Upgrades that the ledger keeps, in one row; the oldest that are over make room. */
export const UPGRADES_MAX = 24

/** What a network is to run. Its window: the heights at which it may be activated, the last one exclusive. */
export interface UpgradeManifest extends Infer<typeof upgradeManifest> {}
export const upgradeManifest = struct('UpgradeManifest', {
  name,
  description: string(DESCRIPTION_MAX_BYTES),
  abiVersion: varint,
  abiHash: hash32,
  startHeight: varint,
  endHeight: varint,
})

/** Id of an upgrade: hash of the canonical bytes of its manifest. */
export const upgradeId = (manifest: UpgradeManifest): Buffer => hash('upgrade', upgradeManifest.encode(manifest))

export const instructions = defineInstructions({
  proposeUpgrade: { id: 48, label: 'upgrade::propose', record: { manifest: upgradeManifest } },
  activateUpgrade: { id: 49, label: 'upgrade::activate', record: { id: hash32 } },
  cancelUpgrade: { id: 50, label: 'upgrade::cancel', record: { id: hash32 } },
})
