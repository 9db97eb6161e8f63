/** Owns the records of the core instructions as they travel (design/ledger-lanes.md 1). */
import {
  bool,
  bytesN,
  type Json,
  type Numeric,
  numeric,
  option,
  struct,
  u8,
  varint,
  varintBig,
} from '../../../codec/index.js'
import {
  type AccountId,
  type AssetId,
  accountId,
  assetDefinitionId,
  assetId,
  BLS_SIGNATURE_BYTES,
  defineInstruction,
  domainId,
  type Metadata,
  type Mintable,
  metadata,
  metadataValue,
  mintable,
  name,
  type Peer,
  peer,
  type Target,
  target,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'
import { CORE_INSTRUCTIONS as ID } from '../../ids.js'
import { type Transfer, transferRecord } from './transfer.js'

export interface RegisterPeer {
  readonly peer: Peer
  /** Changes the roster although fewer than its quorum signed lately. */
  readonly force: boolean
}
const registerPeer_ = struct('RegisterPeer', { peer, force: bool })
export const registerPeer = defineInstruction<RegisterPeer>(
  ID.registerPeer,
  'registerPeer',
  'peer::register',
  registerPeer_,
)

export interface UnregisterPeer {
  /** The key that the peer registered with. */
  readonly peer: ValidatorKey
  readonly force: boolean
}
const unregisterPeer_ = struct('UnregisterPeer', { peer: validatorKey, force: bool })
export const unregisterPeer = defineInstruction<UnregisterPeer>(
  ID.unregisterPeer,
  'unregisterPeer',
  'peer::unregister',
  unregisterPeer_,
)

export interface RotateConsensusKey {
  /** The key that the peer registered with. */
  readonly peer: ValidatorKey
  readonly newKey: ValidatorKey
  /** Proof of possession of the new key, 96 bytes. */
  readonly pop: Uint8Array
  /** First height of the new key; absent: as soon as possible, two heights on. */
  readonly activeFrom: number | undefined
}
const rotateConsensusKey_ = struct('RotateConsensusKey', {
  peer: validatorKey,
  newKey: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  activeFrom: option(varint),
})
export const rotateConsensusKey = defineInstruction<RotateConsensusKey>(
  ID.rotateConsensusKey,
  'rotateConsensusKey',
  'consensus_key::rotate',
  rotateConsensusKey_,
)

export interface DisableConsensusKey {
  readonly key: ValidatorKey
  readonly force: boolean
}
const disableConsensusKey_ = struct('DisableConsensusKey', { key: validatorKey, force: bool })
export const disableConsensusKey = defineInstruction<DisableConsensusKey>(
  ID.disableConsensusKey,
  'disableConsensusKey',
  'consensus_key::disable',
  disableConsensusKey_,
)

export interface RegisterDomain {
  readonly id: string
  /** Dataspace that it lies in for good; absent: the universal one. */
  readonly dataspace: bigint | undefined
  readonly metadata: Metadata
}
const registerDomain_ = struct('RegisterDomain', { id: domainId, dataspace: option(varintBig), metadata })
export const registerDomain = defineInstruction<RegisterDomain>(
  ID.registerDomain,
  'registerDomain',
  'domain::register',
  registerDomain_,
)

export interface RegisterAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}
const registerAccount_ = struct('RegisterAccount', { id: accountId, domain: domainId, label: option(name), metadata })
export const registerAccount = defineInstruction<RegisterAccount>(
  ID.registerAccount,
  'registerAccount',
  'account::register',
  registerAccount_,
)

export interface RegisterAssetDefinition {
  readonly id: string
  readonly scale: number | undefined
  readonly mintable: Mintable
  readonly metadata: Metadata
}
const registerAssetDefinition_ = struct('RegisterAssetDefinition', {
  id: assetDefinitionId,
  scale: option(u8),
  mintable,
  metadata,
})
export const registerAssetDefinition = defineInstruction<RegisterAssetDefinition>(
  ID.registerAssetDefinition,
  'registerAssetDefinition',
  'asset_definition::register',
  registerAssetDefinition_,
)

/** A balance and the amount to add to it or take from it. */
export interface Amount {
  readonly asset: AssetId
  readonly amount: Numeric
}
const mint_ = struct('Mint', { asset: assetId, amount: numeric })
export const mint = defineInstruction<Amount>(ID.mint, 'mint', 'asset::mint', mint_)
const burn_ = struct('Burn', { asset: assetId, amount: numeric })
export const burn = defineInstruction<Amount>(ID.burn, 'burn', 'asset::burn', burn_)

export const transfer = defineInstruction<Transfer>(ID.transfer, 'transfer', 'asset::transfer', transferRecord)

export interface SetKeyValue {
  readonly target: Target
  readonly key: string
  readonly value: Json
}
const setKeyValue_ = struct('SetKeyValue', { target, key: name, value: metadataValue })
export const setKeyValue = defineInstruction<SetKeyValue>(ID.setKeyValue, 'setKeyValue', 'metadata::set', setKeyValue_)

export interface RemoveKeyValue {
  readonly target: Target
  readonly key: string
}
const removeKeyValue_ = struct('RemoveKeyValue', { target, key: name })
export const removeKeyValue = defineInstruction<RemoveKeyValue>(
  ID.removeKeyValue,
  'removeKeyValue',
  'metadata::remove',
  removeKeyValue_,
)

export interface SetParameter {
  readonly name: string
  /** JSON form of the parameter's own schema. */
  readonly value: Json
}
const setParameter_ = struct('SetParameter', { name, value: metadataValue })
export const setParameter = defineInstruction<SetParameter>(
  ID.setParameter,
  'setParameter',
  'parameter::set',
  setParameter_,
)
