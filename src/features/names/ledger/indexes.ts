/**
 * Owns the read index of former versions of names. A node that started from a snapshot lacks the blocks below it; each
 * version has the hash of the previous one, so that a gap is detected.
 */
import type { IndexRun, QueryContext } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, numberValue } from '../../../ledger/indexes.js'
import { aliases } from '../../../ledger/tables.js'
import type { NameId } from '../../../model/index.js'
import { rowKey } from '../../../state/index.js'
import { NAME_INDEXES, type StoredVersion, storedVersion } from '../schema/records.js'
import { names } from './tables.js'

/** Prefix of the versions of a name: length-prefixed parts, so that no name is a prefix of another. */
function versionsPrefix({ domain, label }: NameId): Buffer {
  const [a, b] = [Buffer.from(domain, 'latin1'), Buffer.from(label, 'latin1')]
  return Buffer.concat([featureIndexPrefix(NAME_INDEXES.versions), Buffer.of(a.length), a, Buffer.of(b.length), b])
}
const versionKey = (name: NameId, changedHeight: number): Buffer =>
  Buffer.concat([versionsPrefix(name), numberValue(changedHeight)])

/** Index changes of one block: the previous versions of the names that it changes. */
export const nameIndexes: IndexRun = ({ rows, before }) => {
  const put = [...changedRows(names, rows)].flatMap(
    ({ key: name, value: { previous } }): [Uint8Array, Uint8Array][] => {
      if (previous === undefined) return []
      const row = before.rowBytes(rowKey(names, name))
      const account = before.rowBytes(rowKey(aliases, name))
      // Rows of a snapshot: the versions before it are unknown.
      if (row === undefined || account === undefined) return []
      const old = names.value.decode(row)
      const of = aliases.value.decode(account)
      if (!old.ok || !of.ok) throw new Error('a row of a name before the block does not decode')
      return [[versionKey(name, old.value.changedHeight), storedVersion.encode({ row, account: of.value })]]
    },
  )
  return { put, del: [] }
}

/** Former versions of a name below a height, newest first; the caller verifies their chain. */
export async function* formerVersions(
  ctx: Pick<QueryContext, 'indexRange'>,
  name: NameId,
  below: number,
  limit: number,
): AsyncGenerator<StoredVersion> {
  const range = { gte: versionsPrefix(name), lt: versionKey(name, below), reverse: true, limit }
  for await (const [, value] of ctx.indexRange(range)) {
    const decoded = storedVersion.decode(value)
    if (!decoded.ok) throw new Error(`a version of a name does not decode: ${decoded.fault.message}`)
    yield decoded.value
  }
}
