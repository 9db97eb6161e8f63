/**
 * Owns the read index of permissions by their objects, built from the rows of a block and, for revocations, from its
 * events.
 */

import type { IndexRun } from '../../../executor/reads.js'
import { changedRows, PERMISSION_SPACE, PRESENT } from '../../../ledger/indexes.js'
import { roles, tokens } from '../../../ledger/tables.js'
import { type AccountId, isEvent, keyBytes, keyString, type Token } from '../../../model/index.js'
import { events as permissionEvents } from '../schema.js'

/** Holder of a permission: an account, or a role whose members hold it. */
export type Holder =
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'role'; readonly value: string }

const ACCOUNT = 0
const ROLE = 1
/** Kind of a holder, followed by its id. */
const bytesOf = ({ kind, value }: Holder): Buffer =>
  Buffer.concat([
    Buffer.of(kind === 'account' ? ACCOUNT : ROLE),
    kind === 'account' ? keyBytes(value) : Buffer.from(value),
  ])

/** Prefix of the holders of one permission; lengths separate names and objects. */
function permissionPrefix(name: string, object: string | undefined): Buffer {
  const [words, of] = [Buffer.from(name, 'utf8'), Buffer.from(object ?? '', 'utf8')]
  const lengths = Buffer.of(PERMISSION_SPACE, words.length, of.length >> 8, of.length & 0xff)
  return Buffer.concat([lengths, words, of])
}
const holderKey = ({ name, object }: Token, holder: Holder): Buffer =>
  Buffer.concat([permissionPrefix(name, object), bytesOf(holder)])

/** Range of the holders of a permission after one of them (as bytes), and the offset of a holder in a key. */
export function holdersRange(name: string, object: string | undefined, after: Uint8Array | undefined) {
  const prefix = permissionPrefix(name, object)
  const gte = after === undefined ? prefix : Buffer.concat([prefix, after, Buffer.of(0)])
  // A holder begins with its kind, which is far below this byte.
  return { gte, lt: Buffer.concat([prefix, Buffer.of(0xff)]), holderAt: prefix.length }
}

/** Holder, given its bytes in a key. */
export const holderOfBytes = (bytes: Buffer): Holder =>
  bytes[0] === ACCOUNT
    ? { kind: 'account', value: keyString(bytes.subarray(1)) }
    : { kind: 'role', value: bytes.toString('utf8', 1) }

/** Index changes of one block. Entries of removed holders remain: readers check the row of the holder. */
export const permissionIndexes: IndexRun = ({ rows, events }) => {
  const put: [Uint8Array, Uint8Array][] = []
  const add = (held: readonly Token[], holder: Holder): void => {
    for (const token of held) put.push([holderKey(token, holder), PRESENT])
  }
  for (const { key, value } of changedRows(tokens, rows)) add(value, { kind: 'account', value: key })
  for (const { key, value } of changedRows(roles, rows)) add(value.tokens, { kind: 'role', value: key })
  const written = new Set(put.map(([key]) => keyString(key)))
  const del = events.flatMap(({ event }): Buffer[] => {
    if (isEvent(event, permissionEvents.permissionRemoved)) {
      const { account, token } = event.value
      return [holderKey(token, { kind: 'account', value: account })]
    }
    if (!isEvent(event, permissionEvents.rolePermissionRemoved)) return []
    const { role, token } = event.value
    return [holderKey(token, { kind: 'role', value: role })]
  })
  // A permission revoked and granted again in one block is in the row.
  return { put, del: del.filter((key) => !written.has(keyString(key))) }
}
