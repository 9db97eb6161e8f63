/** Owns the events of the core: their records, and by which family and objects data triggers find them. */

import {
  bool,
  hash32,
  type Infer,
  type Json,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import {
  type AccountId,
  type AssetId,
  accountId,
  assetDefinitionId,
  assetId,
  domainId,
  type EventAbout,
  type EventDef,
  type EventParty,
  LOG_TEXT_MAX_BYTES,
  metadataValue,
  mintable,
  name,
  nftId,
  type Target,
  target,
  token,
  validatorKey,
} from '../../../model/index.js'
import { CORE_EVENTS } from '../../ids.js'
import { controlChanged as controlChangedRecord } from './controls.js'
import { type Owned, objectText, owned } from './owned.js'

/** A family that data triggers may name, and what an event of it is about. */
interface Found<T> {
  readonly family: string
  readonly about?: (value: T) => EventAbout
}

const define = <T>(kind: keyof typeof CORE_EVENTS, schema: Schema<T>, found?: Found<T>): EventDef<T> => ({
  id: CORE_EVENTS[kind],
  kind,
  schema,
  ...found,
})

const account = (value: AccountId): EventParty => ({ kind: 'account', value })
const asset = (value: AssetId): EventParty => ({ kind: 'asset', value })
const objects = (...ids: readonly string[]): EventAbout => ({ objects: ids, parties: [] })
const parties = (...of: readonly EventParty[]): EventAbout => ({ objects: [], parties: of })

const peer: Found<unknown> = { family: 'peer' }
export const peerAdded = define('peerAdded', struct('PeerAdded', { peer: validatorKey }), peer)
export const peerRemoved = define('peerRemoved', struct('PeerRemoved', { peer: validatorKey }), peer)
export const consensusKeyRotated = define(
  'consensusKeyRotated',
  struct('ConsensusKeyRotated', { peer: validatorKey, key: validatorKey, activeFrom: varint }),
  peer,
)
export const consensusKeyDisabled = define(
  'consensusKeyDisabled',
  struct('ConsensusKeyDisabled', { peer: validatorKey, key: validatorKey, disabledFrom: varint }),
  peer,
)

const domain: Found<{ readonly domain: string }> = { family: 'domain', about: (value) => objects(value.domain) }
export const domainCreated = define(
  'domainCreated',
  struct('DomainCreated', { domain: domainId, owner: accountId }),
  domain,
)
export const domainDeleted = define('domainDeleted', struct('DomainDeleted', { domain: domainId }), domain)
export const admissionChanged = define(
  'admissionChanged',
  struct('AdmissionChanged', { domain: domainId, implicit: bool }),
  domain,
)

const ofAccount: Found<{ readonly account: AccountId; readonly domain: string }> = {
  family: 'account',
  about: (value) => ({ objects: [value.domain], parties: [account(value.account)] }),
}
export const accountCreated = define(
  'accountCreated',
  struct('AccountCreated', { account: accountId, domain: domainId }),
  ofAccount,
)
export const accountDeleted = define(
  'accountDeleted',
  struct('AccountDeleted', { account: accountId, domain: domainId }),
  ofAccount,
)
export const labelChanged = define(
  'labelChanged',
  struct('LabelChanged', { account: accountId, domain: domainId, label: option(name) }),
  ofAccount,
)

const definition: Found<{ readonly definition: string }> = {
  family: 'definition',
  about: (value) => objects(value.definition),
}
export const definitionCreated = define(
  'definitionCreated',
  struct('DefinitionCreated', { definition: assetDefinitionId, owner: accountId }),
  definition,
)
export const definitionDeleted = define(
  'definitionDeleted',
  struct('DefinitionDeleted', { definition: assetDefinitionId }),
  definition,
)
export const mintabilityChanged = define(
  'mintabilityChanged',
  struct('MintabilityChanged', { definition: assetDefinitionId, mintable }),
  definition,
)

const ofAsset: Found<{ readonly asset: AssetId }> = {
  family: 'asset',
  about: (value) => ({ objects: [value.asset.definition], parties: [asset(value.asset)] }),
}
export const minted = define('minted', struct('Minted', { asset: assetId, amount: numeric }), ofAsset)
export const burned = define('burned', struct('Burned', { asset: assetId, amount: numeric }), ofAsset)
export const transferred = define(
  'transferred',
  struct('Transferred', { asset: assetId, to: accountId, amount: numeric }),
  {
    family: 'asset',
    about: (value) => {
      const { definition: of } = value.asset
      return { objects: [of], parties: [asset(value.asset), asset({ definition: of, account: value.to })] }
    },
  },
)

const metadata: Found<{ readonly target: Target }> = {
  family: 'metadata',
  about: ({ target: at }) => (at.kind === 'account' ? parties(account(at.value)) : objects(at.value)),
}
export const metadataInserted = define(
  'metadataInserted',
  struct('MetadataInserted', { target, key: name, value: metadataValue as Schema<Json> }),
  metadata,
)
export const metadataRemoved = define('metadataRemoved', struct('MetadataRemoved', { target, key: name }), metadata)

const permission: Found<{ readonly account: AccountId }> = {
  family: 'permission',
  about: (value) => parties(account(value.account)),
}
export const permissionAdded = define(
  'permissionAdded',
  struct('PermissionAdded', { account: accountId, token }),
  permission,
)
export const permissionRemoved = define(
  'permissionRemoved',
  struct('PermissionRemoved', { account: accountId, token }),
  permission,
)
export const roleGranted = define('roleGranted', struct('RoleGranted', { account: accountId, role: name }), permission)
export const roleRevoked = define('roleRevoked', struct('RoleRevoked', { account: accountId, role: name }), permission)

const role: Found<{ readonly role: string }> = { family: 'role', about: (value) => objects(value.role) }
export const roleCreated = define('roleCreated', struct('RoleCreated', { role: name }), role)
export const roleDeleted = define('roleDeleted', struct('RoleDeleted', { role: name }), role)
export const rolePermissionAdded = define(
  'rolePermissionAdded',
  struct('RolePermissionAdded', { role: name, token }),
  role,
)
export const rolePermissionRemoved = define(
  'rolePermissionRemoved',
  struct('RolePermissionRemoved', { role: name, token }),
  role,
)

export const parameterChanged = define(
  'parameterChanged',
  struct('ParameterChanged', { parameter: name, value: string(16 * 1024) }),
  { family: 'parameter', about: (value) => objects(value.parameter) },
)
export const controlChanged = define('controlChanged', controlChangedRecord, {
  family: 'control',
  about: (value) => ({ objects: [value.asset.definition], parties: [asset(value.asset)] }),
})

const nft: Found<{ readonly nft: string }> = { family: 'nft', about: (value) => objects(value.nft) }
export const nftCreated = define('nftCreated', struct('NftCreated', { nft: nftId, owner: accountId }), nft)
export const nftDeleted = define('nftDeleted', struct('NftDeleted', { nft: nftId, owner: accountId }), nft)

const ownerChanged_ = struct('OwnerChanged', { object: owned, from: accountId, to: accountId })
export const ownerChanged = define(
  'ownerChanged',
  ownerChanged_ as Schema<{ readonly object: Owned; readonly from: AccountId; readonly to: AccountId }>,
  {
    family: 'ownership',
    about: ({ object, from, to }) => ({ objects: [objectText(object)], parties: [account(from), account(to)] }),
  },
)

const trigger: Found<{ readonly trigger: string }> = { family: 'trigger', about: (value) => objects(value.trigger) }
export const triggerCreated = define(
  'triggerCreated',
  struct('TriggerCreated', { trigger: name, authority: accountId }),
  trigger,
)
export const triggerDeleted = define(
  'triggerDeleted',
  struct('TriggerDeleted', { trigger: name, authority: accountId }),
  trigger,
)
export const triggerChanged = define(
  'triggerChanged',
  struct('TriggerChanged', { trigger: name, repeats: option(u32), enabled: bool }),
  trigger,
)
export const triggerCalled = define(
  'triggerCalled',
  struct('TriggerCalled', { trigger: name, caller: accountId, args: metadataValue as Schema<Json> }),
  trigger,
)
const runCause = unitEnum('TriggerCause', { data: 0, call: 1, time: 2, preCommit: 3 })
/** Longest name of an error code, in bytes. */
const CODE_MAX_BYTES = 64
/** A run. Not to be triggered by: a trigger that follows its own runs would never end. */
export const triggerRan = define(
  'triggerRan',
  struct('TriggerRan', {
    trigger: name,
    cause: runCause,
    /** Point of the schedule that it ran for, in ms since the Unix epoch. */
    dueMs: option(varint),
    /** Later points that passed before it could run. */
    missed: varint,
    error: option(string(CODE_MAX_BYTES)),
  }),
)

const multisig: Found<{ readonly account: AccountId }> = {
  family: 'multisig',
  about: (value) => parties(account(value.account)),
}
const proposalFields = { account: accountId, proposal: hash32 }
export const multisigChanged = define(
  'multisigChanged',
  struct('MultisigChanged', { account: accountId, quorum: varint, members: varint }),
  multisig,
)
export const proposalCreated = define(
  'proposalCreated',
  struct('ProposalCreated', { ...proposalFields, proposer: accountId, expiresMs: varint }),
  multisig,
)
export const proposalApproved = define(
  'proposalApproved',
  struct('ProposalApproved', { ...proposalFields, by: accountId }),
  multisig,
)
export const proposalExecuted = define('proposalExecuted', struct('ProposalExecuted', proposalFields), multisig)
export const proposalFailed = define(
  'proposalFailed',
  struct('ProposalFailed', { ...proposalFields, error: string(CODE_MAX_BYTES) }),
  multisig,
)
export const proposalCancelled = define('proposalCancelled', struct('ProposalCancelled', proposalFields), multisig)
export const proposalExpired = define('proposalExpired', struct('ProposalExpired', proposalFields), multisig)

/** The fee of a transaction; it is settled after all triggers, so none can follow it. */
export const feePaid = define(
  'feePaid',
  struct('FeePaid', {
    payer: accountId,
    definition: assetDefinitionId,
    amount: numeric,
    /** Account that got it; absent: burned or put into the pot. */
    to: option(accountId),
  }),
)
export const sponsorshipChanged = define(
  'sponsorshipChanged',
  struct('SponsorshipChanged', { sponsor: accountId, beneficiary: string(128), active: bool }),
  { family: 'sponsorship', about: (value) => parties(account(value.sponsor)) },
)

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace'
export const logLevel: Schema<LogLevel> = unitEnum('LogLevel', { error: 0, warn: 1, info: 2, debug: 3, trace: 4 })
export const logged = define(
  'logged',
  struct('Logged', { by: accountId, level: logLevel, text: string(LOG_TEXT_MAX_BYTES) }),
  { family: 'log', about: (value) => parties(account(value.by)) },
)

const upgrade: Found<unknown> = { family: 'upgrade' }
export const upgradeProposed = define(
  'upgradeProposed',
  struct('UpgradeProposed', { upgrade: hash32, abi: varint }),
  upgrade,
)
export const upgradeActivated = define(
  'upgradeActivated',
  struct('UpgradeActivated', { upgrade: hash32, abi: varint, fromHeight: varint }),
  upgrade,
)
export const upgradeCancelled = define(
  'upgradeCancelled',
  struct('UpgradeCancelled', { upgrade: hash32, abi: varint }),
  upgrade,
)

/** Value of an event kind. */
export type EventOf<D> = D extends EventDef<infer T> ? T : never
export type Transferred = Infer<typeof transferred.schema>
