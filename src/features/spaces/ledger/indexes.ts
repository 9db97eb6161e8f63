/** Owns the read index of manifests: from accounts to dataspaces. */
import type { IndexRun, QueryContext } from '../../../executor/reads.js'
import { featureIndexPrefix, PRESENT } from '../../../ledger/indexes.js'
import { type AccountId, keyBytes } from '../../../model/index.js'
import { rowKeyBytes, TABLE_ID_BYTES, tableIdOf } from '../../../state/index.js'
import { SPACE_INDEXES } from '../schema/records.js'
import { type ManifestKey, spaceManifests } from './tables.js'

const PREFIX = featureIndexPrefix(SPACE_INDEXES.byAccount)
const DATASPACE_BYTES = 8

const numberBytes = (dataspace: bigint): Buffer => {
  const bytes = Buffer.alloc(DATASPACE_BYTES)
  bytes.writeBigUInt64BE(dataspace)
  return bytes
}

function accountPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([PREFIX, Buffer.of(id.length), id])
}

const keyOf = ({ dataspace, account }: ManifestKey): Buffer =>
  Buffer.concat([accountPrefix(account), numberBytes(dataspace)])

export const spaceIndexes: IndexRun = ({ rows }) => {
  const put: (readonly [Uint8Array, Uint8Array])[] = []
  const del: Uint8Array[] = []
  for (const { row, bytes } of rows) {
    if (tableIdOf(row) !== spaceManifests.id) continue
    const key = spaceManifests.key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES))
    if (!key.ok) throw new Error('a row of space_manifest does not decode')
    if (bytes === undefined) del.push(keyOf(key.value))
    else put.push([keyOf(key.value), PRESENT])
  }
  return { put, del }
}

/**
 * First `limit` dataspaces, ascending, after a given one, in which an account has manifests; includes void manifests.
 */
export async function dataspacesOf(
  { indexRange }: Pick<QueryContext, 'indexRange'>,
  account: AccountId,
  { after, limit }: { readonly after: bigint | undefined; readonly limit: number },
): Promise<bigint[]> {
  const prefix = accountPrefix(account)
  const beyond = Buffer.concat([prefix, Buffer.alloc(DATASPACE_BYTES + 1, 0xff)])
  const gte = after === undefined ? prefix : Buffer.concat([prefix, numberBytes(after), Buffer.of(0)])
  const found: bigint[] = []
  for await (const [key] of indexRange({ gte, lt: beyond, limit })) found.push(key.readBigUInt64BE(prefix.length))
  return found
}
