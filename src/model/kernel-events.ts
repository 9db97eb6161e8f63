/** Owns the events of the kernel; a feature includes the events about its objects in its schema. */
import { bool, bytes, bytesN, hash32, numeric, option, string, u32, unitEnum, varint } from '../codec/index.js'
import { type AccountId, accountId } from './address.js'
import { type AssetId, assetId, mintable } from './asset.js'
import { defineEvents, type EventSubject } from './definition.js'
import { aboutObjects, aboutParties, accountParty, assetParty } from './event.js'
import { RUN_KEY_MAX_BYTES } from './limits.js'
import { assetDefinitionId, domainId, name } from './names.js'

/** Longest name of an error code, in bytes. */
export const CODE_MAX_BYTES = 64

/** Subject of account events. */
export const aboutAccount: EventSubject<{ readonly account: AccountId; readonly domain: string }> = {
  subject: 'account',
  about: (value) => ({ objects: [value.domain], parties: [accountParty(value.account)] }),
}
const home = { account: accountId, domain: domainId }
export const accountEvents = defineEvents({
  accountCreated: { id: 3, record: home, ...aboutAccount },
  accountDeleted: { id: 18, record: home, ...aboutAccount },
})

/** Subject of asset definition events. */
export const aboutDefinition: EventSubject<{ readonly definition: string }> = {
  subject: 'definition',
  about: (value) => aboutObjects(value.definition),
}
export const definitionEvents = defineEvents({
  definitionCreated: { id: 4, record: { definition: assetDefinitionId, owner: accountId }, ...aboutDefinition },
})
/** Subject of balance events. */
export const aboutAsset: EventSubject<{ readonly asset: AssetId }> = {
  subject: 'asset',
  about: (value) => ({ objects: [value.asset.definition], parties: [assetParty(value.asset)] }),
}
const escrow = { feature: name, key: bytesN(32), asset: assetId, amount: numeric }
export const assetEvents = defineEvents({
  minted: { id: 5, record: { asset: assetId, amount: numeric }, ...aboutAsset },
  burned: { id: 6, record: { asset: assetId, amount: numeric }, ...aboutAsset },
  transferred: {
    id: 7,
    record: { asset: assetId, to: accountId, amount: numeric },
    subject: 'asset',
    about: ({ asset, to }) => {
      const { definition } = asset
      return { objects: [definition], parties: [assetParty(asset), assetParty({ definition, account: to })] }
    },
  },
  mintabilityChanged: { id: 21, record: { definition: assetDefinitionId, mintable }, ...aboutDefinition },
  /** Value of a balance moved into an escrow by a feature. */
  held: { id: 51, record: escrow, ...aboutAsset },
  /** Value moved from an escrow to a balance. */
  released: { id: 52, record: escrow, ...aboutAsset },
})

/** Subject of permission and role events of an account. */
export const aboutGrantee: EventSubject<{ readonly account: AccountId }> = {
  subject: 'permission',
  about: (value) => aboutParties(accountParty(value.account)),
}
const roleOfAccount = { account: accountId, role: name }
export const roleEvents = defineEvents({
  roleGranted: { id: 29, record: roleOfAccount, ...aboutGrantee },
  roleRevoked: { id: 30, record: roleOfAccount, ...aboutGrantee },
})

/** Subject of multisig account events. */
export const aboutMultisig: EventSubject<{ readonly account: AccountId }> = {
  subject: 'multisig',
  about: (value) => aboutParties(accountParty(value.account)),
}
export const proposalEvents = defineEvents({
  proposalExpired: { id: 43, record: { account: accountId, proposal: hash32 }, ...aboutMultisig },
})

/** Subject of trigger events. */
export const aboutTrigger: EventSubject<{ readonly trigger: string }> = {
  subject: 'trigger',
  about: (value) => aboutObjects(value.trigger),
}
export const triggerEvents = defineEvents({
  triggerDeleted: { id: 32, record: { trigger: name, authority: accountId }, ...aboutTrigger },
  triggerChanged: { id: 33, record: { trigger: name, repeats: option(u32), enabled: bool }, ...aboutTrigger },
  /** Run of a trigger. Has no subject: a trigger on its own runs would never end. */
  triggerRan: {
    id: 35,
    record: {
      trigger: name,
      cause: unitEnum('TriggerCause', { data: 0, call: 1, time: 2, preCommit: 3 }),
      /** Scheduled time of the run, in ms since the Unix epoch. */
      dueMs: option(varint),
      /** Number of later scheduled times that passed before the run. */
      missed: varint,
      error: option(string(CODE_MAX_BYTES)),
    },
  },
  /** A scheduled run of a feature. Cannot start triggers, like the runs of triggers. */
  dueRunRan: {
    id: 53,
    record: {
      run: name,
      key: bytes(RUN_KEY_MAX_BYTES),
      /** Payer; absent if the chain pays. */
      owner: option(accountId),
      error: option(string(CODE_MAX_BYTES)),
      /** Time of the next attempt, in ms since the Unix epoch; absent after a failure without automatic retries. */
      retryMs: option(varint),
    },
  },
})
