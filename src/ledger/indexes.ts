/**
 * Owns the keys of read indexes and their source rows: derived from blocks, written in the state batch, never under the
 * root (docs/design/ledger.md 5).
 */
import { keyBytes } from '../model/index.js'
import { type CandidateRow, rowKeyBytes, TABLE_ID_BYTES, type TableDef, tableIdOf } from '../state/index.js'

/** First bytes of index keys. Append only: they are stored on disk. */
const SPACE = {
  transaction: 1,
  accountBalance: 2,
  movement: 3,
  // 4 was used for blocks by hash, which data of release 0.1.0 still has.
  nftOwner: 5,
  activity: 6,
  domainAccount: 7,
  roster: 8,
  permission: 9,
  total: 10,
  rosterEpoch: 11,
  series: 12,
  /** Indexes owned by features. */
  feature: 100,
} as const

/** First byte of the keys of movements (statement.ts). */
export const MOVEMENT_SPACE = SPACE.movement

/** First byte of the keys of NFTs by owner (object-indexes.ts). */
export const NFT_OWNER_SPACE = SPACE.nftOwner

/** First byte of the keys of permissions by their objects (permission-indexes.ts). */
export const PERMISSION_SPACE = SPACE.permission

/** First byte of the keys of activity (activity.ts). */
export const ACTIVITY_SPACE = SPACE.activity

/** First byte of the keys of figures over time (series.ts). */
export const SERIES_SPACE = SPACE.series

/**
 * Value of entries whose key contains all information; earlier releases wrote an empty value. One byte, because
 * `classic-level` 3.0 leaks the allocation of an empty value, 32 bytes per transaction.
 */
export const PRESENT: Buffer = Buffer.of(1)

/** Index key from its first byte and the remaining bytes. */
export function prefixedKey(space: number, rest: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(1 + rest.length)
  key[0] = space
  key.set(rest, 1)
  return key
}

/** Index key of a transaction id; its value is the position: height (6 bytes), index (4 bytes). */
export const transactionKey = (id: Uint8Array): Buffer => prefixedKey(SPACE.transaction, id)

/** Encode a height or count for index keys and values. */
export function numberValue(number: number): Buffer {
  const value = Buffer.allocUnsafe(6)
  value.writeUIntBE(number, 0, 6)
  return value
}

/** Encode the position of a transaction for the index. */
export function transactionPlace(height: number, index: number): Buffer {
  const place = Buffer.allocUnsafe(10)
  place.writeUIntBE(height, 0, 6)
  place.writeUInt32BE(index, 6)
  return place
}

/** Prefix of the definitions that an account holds; the id is length-prefixed, so that no id is a prefix of another. */
function accountBalancesPrefix(account: string): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([Buffer.of(SPACE.accountBalance, id.length), id])
}
export const accountBalanceKey = (account: string, definition: string): Buffer =>
  Buffer.concat([accountBalancesPrefix(account), Buffer.from(definition, 'utf8')])

/** Byte above the first byte of every definition id, which is visible ASCII. */
const BEYOND_TEXT = Buffer.of(0xff)

/** Range of the balances of one account; valid for every account id. */
export function accountBalancesRange(account: string): { readonly gte: Buffer; readonly lt: Buffer } {
  const gte = accountBalancesPrefix(account)
  return { gte, lt: Buffer.concat([gte, BEYOND_TEXT]) }
}

/** Prefix of the accounts of a domain. */
function domainAccountsPrefix(domain: string): Buffer {
  const id = Buffer.from(domain, 'utf8')
  return Buffer.concat([Buffer.of(SPACE.domainAccount, id.length), id])
}
export const domainAccountKey = (domain: string, account: string): Buffer =>
  Buffer.concat([domainAccountsPrefix(domain), keyBytes(account)])

/** Range of the accounts of one domain after a given account, and the offset of the id in a key. */
export function domainAccountsRange(domain: string, after: string | undefined) {
  const prefix = domainAccountsPrefix(domain)
  const gte = after === undefined ? prefix : Buffer.concat([domainAccountKey(domain, after), Buffer.of(0)])
  // Ids of accounts begin with a version, which is far below this byte.
  return { gte, lt: Buffer.concat([prefix, BEYOND_TEXT]), idAt: prefix.length }
}

/** Key of the number of rows (6 bytes) of a table. */
export const totalKey = (table: number): Buffer => Buffer.of(SPACE.total, table >> 8, table & 0xff)

/** Prefix of the keys of a feature's own index; the index number is one of the feature's ids. */
export const featureIndexPrefix = (index: number): Buffer => Buffer.of(SPACE.feature, index >> 8, index & 0xff)

/** Key from the start height of a roster to its epoch; absent for the first roster, from genesis. */
export const rosterEpochKey = (height: number): Buffer =>
  Buffer.concat([Buffer.of(SPACE.rosterEpoch), numberValue(height)])

/** Key from the start height of a roster to the roster, for proofs of finality. */
export function rosterKey(height: number): Buffer {
  return Buffer.concat([Buffer.of(SPACE.roster), numberValue(height)])
}

/** Keys and values of the table rows written by the block, without deleted rows. */
export function* changedRows<K, V>(
  { id, name, key, value }: TableDef<K, V>,
  rows: readonly CandidateRow[],
): Generator<{ readonly key: K; readonly value: V }> {
  for (const { row, bytes } of rows) {
    if (bytes === undefined || tableIdOf(row) !== id) continue
    const [read, written] = [key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES)), value.decode(bytes)]
    if (!read.ok || !written.ok) throw new Error(`table ${name}: a row of the block does not decode`)
    yield { key: read.value, value: written.value }
  }
}
