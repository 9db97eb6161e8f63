/** Owns view and draft records of the active ABI and its upgrades. */
import { draftFields } from '../../../api/schema/draft.js'
import { bool, hash32, type Infer, list, option, string, struct, unitEnum, varint } from '../../../codec/index.js'
import { accountId } from '../../../model/index.js'
import { UPGRADES_MAX, upgradeManifest } from './instructions.js'

/** Features of an ABI, at most. */
const FEATURES_MAX = 256

/** `expired` is derived: nobody activated it inside its window. */
export type UpgradeStatus = 'proposed' | 'activated' | 'cancelled' | 'expired'
const status_ = unitEnum('UpgradeStatus', { proposed: 0, activated: 1, cancelled: 2, expired: 3 })

/** An upgrade with its standing. */
export interface UpgradeView extends Infer<typeof upgradeView_> {}
const upgradeView_ = struct('UpgradeView', {
  id: hash32,
  manifest: upgradeManifest,
  status: status_,
  proposer: accountId,
  createdHeight: varint,
  /** First height of the new ABI, once activated. */
  activationHeight: option(varint),
})

/** Upgrades in the order of their proposals. */
export interface UpgradeList extends Infer<typeof upgradeList> {}
export const upgradeList = struct('UpgradeList', { items: list(upgradeView_, UPGRADES_MAX), height: varint })

const feature_ = struct('AbiFeature', { name: string(64), version: varint, hash: hash32 })
export interface RuntimeAbi extends Infer<typeof runtimeAbi> {}
export const runtimeAbi = struct('RuntimeAbi', {
  abiVersion: varint,
  abiHash: hash32,
  features: list(feature_, FEATURES_MAX),
  /** Numbers of the ABIs that this node's release can run. */
  supportedAbis: list(varint, FEATURES_MAX),
})

/** The ABIs that a node's release can run, as proposals to upgrade to them name them. */
export interface SupportedAbis extends Infer<typeof supportedAbis> {}
const supportedAbi_ = struct('SupportedAbi', { abiVersion: varint, abiHash: hash32 })
export const supportedAbis = struct('SupportedAbis', { items: list(supportedAbi_, FEATURES_MAX) })

export const runtimeAbiHash = struct('RuntimeAbiHash', { policy: string(16), abiHashHex: hash32 })

const counts_ = struct('UpgradeEvents', { proposed: varint, activated: varint, canceled: varint })
export interface RuntimeMetrics extends Infer<typeof runtimeMetrics> {}
export const runtimeMetrics = struct('RuntimeMetrics', {
  abiVersion: varint,
  /** Of the upgrades that the ledger keeps. */
  upgradeEventsTotal: counts_,
})

/** The draft of an instruction about an upgrade. */
export interface UpgradeDraft extends Infer<typeof upgradeDraft> {}
export const upgradeDraft = struct('UpgradeDraft', { ...draftFields, ok: bool, upgradeId: hash32 })
