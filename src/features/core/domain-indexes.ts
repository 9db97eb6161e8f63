/** Owns the read index of accounts by domain: from the rows of a block, and from its events for those that are gone. */
import { accounts } from '../../executor/accounts.js'
import type { RecordedEvent } from '../../model/index.js'
import type { CandidateRow, IndexChanges } from '../../state/index.js'
import { domainAccountKey } from './indexes.js'
import { accountDeleted, type EventOf } from './schema/events.js'

const accountsPrefix = String.fromCharCode(accounts.id >> 8, accounts.id & 0xff)

/** Index changes of one block. Entries that go are written before those that come. */
export function domainIndexes(rows: readonly CandidateRow[], events: readonly RecordedEvent[]): Required<IndexChanges> {
  const put: [Uint8Array, Uint8Array][] = []
  for (const { row, bytes } of rows) {
    if (bytes === undefined || !row.startsWith(accountsPrefix)) continue
    const key = accounts.key.decode(Buffer.from(row.slice(2), 'latin1'))
    const value = accounts.value.decode(bytes)
    if (!key.ok || !value.ok) throw new Error('an account has a malformed row')
    put.push([domainAccountKey(value.value.domain, key.value), Buffer.alloc(0)])
  }
  const del = events.flatMap(({ event }) => {
    if (event.kind !== accountDeleted.kind) return []
    const { account, domain } = event.value as EventOf<typeof accountDeleted>
    return [domainAccountKey(domain, account)]
  })
  return { put, del }
}
