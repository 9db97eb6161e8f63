/** Owns the read index of accounts by domain: from the rows of a block, and from its events for those that are gone. */

import { accounts } from '../../../executor/accounts.js'
import type { IndexRun } from '../../../executor/reads.js'
import { changedRows } from '../../../ledger/changed-rows.js'
import { domainAccountKey, PRESENT } from '../../../ledger/indexes.js'
import { isEvent } from '../../../model/index.js'
import { events as accountEvents } from '../schema/events.js'

/** Index changes of one block. Entries that go are written before those that come. */
export const accountIndexes: IndexRun = ({ rows, events }) => {
  const put = [...changedRows(accounts, rows)].map(({ key, value }): [Uint8Array, Uint8Array] => [
    domainAccountKey(value.domain, key),
    PRESENT,
  ])
  const del = events.flatMap(({ event }) => {
    if (!isEvent(event, accountEvents.accountDeleted)) return []
    const { account, domain } = event.value
    return [domainAccountKey(domain, account)]
  })
  return { put, del }
}
