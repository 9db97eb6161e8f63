/** Owns the records of instructions about objects: removing them, labels, NFTs, ownership, batches, logs (design/ledger-lanes.md 1). */
import { list, option, type Schema, string, struct } from '../../../codec/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  BATCH_MAX,
  defineInstruction,
  domainId,
  LOG_TEXT_MAX_BYTES,
  type Metadata,
  metadata,
  name,
  nftId,
} from '../../../model/index.js'
import { CORE_INSTRUCTIONS as ID } from '../../ids.js'
import { type LogLevel, logLevel } from './events.js'
import { type Owned, owned } from './owned.js'
import { type Transfer, transferRecord } from './transfer.js'

export interface UnregisterDomain {
  readonly id: string
}
const unregisterDomain_ = struct('UnregisterDomain', { id: domainId })
export const unregisterDomain = defineInstruction<UnregisterDomain>(
  ID.unregisterDomain,
  'unregisterDomain',
  'domain::unregister',
  unregisterDomain_,
)

export interface UnregisterAccount {
  readonly id: AccountId
}
const unregisterAccount_ = struct('UnregisterAccount', { id: accountId })
export const unregisterAccount = defineInstruction<UnregisterAccount>(
  ID.unregisterAccount,
  'unregisterAccount',
  'account::unregister',
  unregisterAccount_,
)

export interface SetLabel {
  readonly account: AccountId
  /** Absent: the account has no alias any more. */
  readonly label: string | undefined
}
const setLabel_ = struct('SetLabel', { account: accountId, label: option(name) })
export const setLabel = defineInstruction<SetLabel>(ID.setLabel, 'setLabel', 'account::set_label', setLabel_)

export interface UnregisterAssetDefinition {
  readonly id: string
}
const unregisterAssetDefinition_ = struct('UnregisterAssetDefinition', { id: assetDefinitionId })
export const unregisterAssetDefinition = defineInstruction<UnregisterAssetDefinition>(
  ID.unregisterAssetDefinition,
  'unregisterAssetDefinition',
  'asset_definition::unregister',
  unregisterAssetDefinition_,
)

export interface TransferBatch {
  /** All of them or none. */
  readonly transfers: readonly Transfer[]
}
const transferBatch_ = struct('TransferBatch', { transfers: list(transferRecord, BATCH_MAX) })
export const transferBatch = defineInstruction<TransferBatch>(
  ID.transferBatch,
  'transferBatch',
  'asset::transfer_batch',
  transferBatch_,
)

export interface RegisterNft {
  readonly id: string
  readonly content: Metadata
}
const registerNft_ = struct('RegisterNft', { id: nftId, content: metadata })
export const registerNft = defineInstruction<RegisterNft>(ID.registerNft, 'registerNft', 'nft::register', registerNft_)

export interface UnregisterNft {
  readonly id: string
}
const unregisterNft_ = struct('UnregisterNft', { id: nftId })
export const unregisterNft = defineInstruction<UnregisterNft>(
  ID.unregisterNft,
  'unregisterNft',
  'nft::unregister',
  unregisterNft_,
)

export interface TransferOwnership {
  readonly object: Owned
  readonly to: AccountId
}
const transferOwnership_ = struct('TransferOwnership', { object: owned, to: accountId })
export const transferOwnership = defineInstruction<TransferOwnership>(
  ID.transferOwnership,
  'transferOwnership',
  'object::transfer_ownership',
  transferOwnership_,
)

export interface Log {
  readonly level: LogLevel
  readonly text: string
}
const log_ = struct('Log', { level: logLevel, text: string(LOG_TEXT_MAX_BYTES) })
export const log = defineInstruction<Log>(ID.log, 'log', 'log::write', log_ as Schema<Log>)
