/** Owns reading the versions of names: along the chain of hashes, from the current row to earlier versions. */
import type { QueryContext } from '../../../executor/reads.js'
import { aliases } from '../../../ledger/tables.js'
import { type AccountId, LedgerError, type NameId, nameText } from '../../../model/index.js'
import { type NameRow, nameRow, type StoredVersion, versionHash } from '../schema/records.js'
import { formerVersions } from './indexes.js'
import { names } from './tables.js'

/** Version of a name; `stored` is absent for the current one. */
export interface Version {
  readonly row: NameRow
  readonly account: AccountId
  readonly stored: StoredVersion | undefined
}

/** Versions of a name, newest first, as far as this node has them. Ends early at a gap. */
export async function* versionsDown(
  ctx: QueryContext,
  name: NameId,
  limit = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<Version> {
  const row = ctx.reader.get(names, name)
  const account = ctx.reader.get(aliases, name)
  if (row === undefined || account === undefined) return
  yield { row, account, stored: undefined }
  let { previous } = row
  if (previous === undefined) return
  for await (const stored of formerVersions(ctx, name, row.changedHeight, limit)) {
    if (previous === undefined || !versionHash(stored.row, stored.account).equals(previous)) return
    const decoded = nameRow.decode(stored.row)
    if (!decoded.ok) throw new Error(`a version of a name does not decode: ${decoded.fault.message}`)
    yield { row: decoded.value, account: stored.account, stored }
    previous = decoded.value.previous
  }
}

/** Error of a request for versions that this node does not have. */
export const prunedVersions = ({ firstHeight }: Pick<QueryContext, 'firstHeight'>, name: NameId, height: number) =>
  new LedgerError('history_pruned', `the versions of ${nameText(name)} on this node do not reach height ${height}`, {
    details: { first_height: firstHeight },
  })

/**
 * Version of a name after the block of a height; undefined if it had none. Throws `history_pruned` beyond a gap, and
 * for a label of ABI 1 without a row, whose changes are not recorded.
 */
export async function versionAt(ctx: QueryContext, name: NameId, height: number): Promise<Version | undefined> {
  let last: Version | undefined
  for await (const version of versionsDown(ctx, name)) {
    if (version.row.changedHeight <= height) return version
    last = version
  }
  const isUnrecorded = last === undefined ? ctx.reader.has(aliases, name) : last.row.previous !== undefined
  if (isUnrecorded) throw prunedVersions(ctx, name, height)
  return undefined
}
