/** Owns view and draft records of the active ABI and its upgrades. */
import { bool, hash32, list, option, type Schema, string, struct, unitEnum, varint } from '../../../codec/index.js'
import { type AccountId, accountId, type Instruction, instruction } from '../../../model/index.js'
import { UPGRADES_MAX, type UpgradeManifest, upgradeManifest } from './instructions.js'

/** Features of an ABI, at most. */
const FEATURES_MAX = 256
/** Longest hex of one instruction, in characters: a manifest fits many times. */
const DRAFT_MAX_BYTES = 8 * 1024

/** `expired` is derived: nobody activated it inside its window. */
export type UpgradeStatus = 'proposed' | 'activated' | 'cancelled' | 'expired'
const status_ = unitEnum('UpgradeStatus', { proposed: 0, activated: 1, cancelled: 2, expired: 3 })

/** An upgrade with its standing. */
export interface UpgradeView {
  readonly id: Uint8Array
  readonly manifest: UpgradeManifest
  readonly status: UpgradeStatus
  readonly proposer: AccountId
  readonly createdHeight: number
  /** First height of the new ABI, once activated. */
  readonly activationHeight: number | undefined
}
const upgradeView_ = struct('UpgradeView', {
  id: hash32,
  manifest: upgradeManifest,
  status: status_,
  proposer: accountId,
  createdHeight: varint,
  activationHeight: option(varint),
})

/** Upgrades in the order of their proposals. */
export interface UpgradeList {
  readonly items: readonly UpgradeView[]
  readonly height: number
}
const upgradeList_ = struct('UpgradeList', { items: list(upgradeView_, UPGRADES_MAX), height: varint })
export const upgradeList: Schema<UpgradeList> = upgradeList_

const feature_ = struct('AbiFeature', { name: string(64), version: varint, hash: hash32 })
const abiActive_ = struct('RuntimeAbi', {
  abiVersion: varint,
  abiHash: hash32,
  features: list(feature_, FEATURES_MAX),
  /** Numbers of the ABIs that this node's release can run. */
  supportedAbis: list(varint, FEATURES_MAX),
})
export interface RuntimeAbi {
  readonly abiVersion: number
  readonly abiHash: Uint8Array
  readonly features: readonly { readonly name: string; readonly version: number; readonly hash: Uint8Array }[]
  readonly supportedAbis: readonly number[]
}
export const runtimeAbi: Schema<RuntimeAbi> = abiActive_

const abiHash_ = struct('RuntimeAbiHash', { policy: string(16), abiHashHex: hash32 })
export const runtimeAbiHash: Schema<{ readonly policy: string; readonly abiHashHex: Uint8Array }> = abiHash_

const counts_ = struct('UpgradeEvents', { proposed: varint, activated: varint, canceled: varint })
const metrics_ = struct('RuntimeMetrics', { abiVersion: varint, upgradeEventsTotal: counts_ })
export interface RuntimeMetrics {
  readonly abiVersion: number
  /** Of the upgrades that the ledger keeps. */
  readonly upgradeEventsTotal: { readonly proposed: number; readonly activated: number; readonly canceled: number }
}
export const runtimeMetrics: Schema<RuntimeMetrics> = metrics_

/** Instructions for the caller to sign: nothing happens until they are in a block. */
export interface UpgradeDraft {
  readonly ok: boolean
  readonly upgradeId: Uint8Array
  readonly txInstructions: readonly { readonly wireId: number; readonly payloadHex: string }[]
  /** The same as JSON twins. */
  readonly instructions: readonly Instruction[]
}
const draftRow_ = struct('DraftedInstruction', { wireId: varint, payloadHex: string(DRAFT_MAX_BYTES) })
const draft_ = struct('UpgradeDraft', {
  ok: bool,
  upgradeId: hash32,
  txInstructions: list(draftRow_, 1),
  instructions: list(instruction, 1),
})
export const upgradeDraft: Schema<UpgradeDraft> = draft_
