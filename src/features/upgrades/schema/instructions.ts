/** Owns the records of runtime upgrades: manifest and instructions (docs/design/ledger.md 9). */
import { hash32, type Infer, string, struct, varint } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { defineInstruction, name } from '../../../model/index.js'
import { UPGRADE_INSTRUCTIONS as ID } from './ids.js'

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

export interface ProposeUpgrade extends Infer<typeof propose_> {}
const propose_ = struct('ProposeUpgrade', { manifest: upgradeManifest })
export const proposeUpgrade = defineInstruction<ProposeUpgrade>(
  ID.proposeUpgrade,
  'proposeUpgrade',
  'upgrade::propose',
  propose_,
)

export interface UpgradeById extends Infer<typeof activate_> {}
const activate_ = struct('ActivateUpgrade', { id: hash32 })
export const activateUpgrade = defineInstruction<UpgradeById>(
  ID.activateUpgrade,
  'activateUpgrade',
  'upgrade::activate',
  activate_,
)
const cancel_ = struct('CancelUpgrade', { id: hash32 })
export const cancelUpgrade = defineInstruction<UpgradeById>(
  ID.cancelUpgrade,
  'cancelUpgrade',
  'upgrade::cancel',
  cancel_,
)
