/** Owns the events of contracts. */
import { bytes, hash32, option, varint } from '../../../codec/index.js'
import { type AccountId, accountId, accountParty, defineEvents, type EventSubject } from '../../../model/index.js'
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

export const events = defineEvents({
  contractRegistered: { id: 700, record: { artifact: hash32, codeHash: hash32, registrant: accountId }, ...artifact },
  contractRemoved: { id: 703, record: { artifact: hash32 }, ...artifact },
  contractDeployed: {
    id: 701,
    record: {
      address: accountId,
      artifact: hash32,
      storageId: accountId,
      owner: accountId,
      /** Previous contract, whose state was taken over. */
      previous: option(accountId),
    },
    ...contract,
  },
  contractDeactivated: { id: 702, record: { address: accountId, reason }, ...contract },
  contractAliasBound: { id: 704, record: { alias: contractAlias, address: accountId }, ...alias },
  contractAliasReleased: { id: 705, record: { alias: contractAlias, address: accountId }, ...alias },
  /** Event emitted by a contract. */
  contractEvent: { id: 706, record: { address: accountId, topic, data: bytes(EVENT_DATA_MAX_BYTES) }, ...contract },
  /** A call from outside has ended. */
  contractCalled: {
    id: 707,
    record: { address: accountId, entrypoint: identifier, caller: accountId, gasUsed: varint },
    ...contract,
  },
})
