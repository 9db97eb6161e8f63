/** Owns the events of contracts. */
import { bytes, hash32, option, struct, varint } from '../../../codec/index.js'
import { type AccountId, accountId, accountParty, defineEvent, type EventSubject } from '../../../model/index.js'
import { CONTRACT_EVENTS as ID } from './ids.js'
import { contractAlias, EVENT_DATA_MAX_BYTES, identifier, reason, topic } from './records.js'

const contract: EventSubject<{ readonly address: AccountId }> = {
  subject: 'contract',
  about: ({ address }) => ({ objects: [], parties: [accountParty(address)] }),
}
const artifact: EventSubject<{ readonly artifact: Uint8Array }> = {
  subject: 'contract',
  about: ({ artifact: hash }) => ({ objects: [Buffer.from(hash).toString('hex')], parties: [] }),
}
const alias: EventSubject<{ readonly alias: string; readonly address: AccountId }> = {
  subject: 'contract',
  about: ({ alias: name, address }) => ({ objects: [name], parties: [accountParty(address)] }),
}

export const contractRegistered = defineEvent(
  ID.contractRegistered,
  'contractRegistered',
  struct('ContractRegistered', { artifact: hash32, codeHash: hash32, registrant: accountId }),
  artifact,
)
export const contractRemoved = defineEvent(
  ID.contractRemoved,
  'contractRemoved',
  struct('ContractRemoved', { artifact: hash32 }),
  artifact,
)
export const contractDeployed = defineEvent(
  ID.contractDeployed,
  'contractDeployed',
  struct('ContractDeployed', {
    address: accountId,
    artifact: hash32,
    storageId: accountId,
    owner: accountId,
    /** The one whose state it took over. */
    previous: option(accountId),
  }),
  contract,
)
export const contractDeactivated = defineEvent(
  ID.contractDeactivated,
  'contractDeactivated',
  struct('ContractDeactivated', { address: accountId, reason }),
  contract,
)
export const contractAliasBound = defineEvent(
  ID.contractAliasBound,
  'contractAliasBound',
  struct('ContractAliasBound', { alias: contractAlias, address: accountId }),
  alias,
)
export const contractAliasReleased = defineEvent(
  ID.contractAliasReleased,
  'contractAliasReleased',
  struct('ContractAliasReleased', { alias: contractAlias, address: accountId }),
  alias,
)
/** What a contract tells. */
export const contractEvent = defineEvent(
  ID.contractEvent,
  'contractEvent',
  struct('ContractEvent', { address: accountId, topic, data: bytes(EVENT_DATA_MAX_BYTES) }),
  contract,
)
/** A call from outside that came to its end. */
export const contractCalled = defineEvent(
  ID.contractCalled,
  'contractCalled',
  struct('ContractCalled', { address: accountId, entrypoint: identifier, caller: accountId, gasUsed: varint }),
  contract,
)

export const CONTRACT_EVENT_LIST = [
  contractRegistered,
  contractDeployed,
  contractDeactivated,
  contractRemoved,
  contractAliasBound,
  contractAliasReleased,
  contractEvent,
  contractCalled,
]
