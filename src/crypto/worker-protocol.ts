/** Owns the messages between the crypto pool and its threads: one small record and one flat, transferred buffer each. */

import { asBuffer } from '../base/bytes.js'
import type { BlsAggregate } from './bls.js'
import { KEY_ALGORITHMS } from './keys.js'
import type { VerifyItem } from './service.js'

/** Request type of a crypto thread. */
export type CryptoOperation =
  | 'verifyBatch'
  | 'addBlsKey'
  | 'blsSign'
  | 'addEd25519Key'
  | 'ed25519SignBatch'
  | 'blsVerifyMulti'
  | 'blsVerifyAggregates'
  | 'blsAggregate'
  | 'blsAggregateVerified'

/** Request; `packed` is a list of byte strings in the order of the operation. */
export interface CryptoRequest {
  readonly id: number
  readonly operation: CryptoOperation
  readonly packed: ArrayBuffer
}

/** Response: the packed result, or the error message. */
export interface CryptoResponse {
  readonly id: number
  readonly packed?: ArrayBuffer
  readonly error?: string
}

/** Copy byte strings into one buffer: u32 count, then per item u32 length and bytes. The inputs stay usable. */
export function packBytes(list: readonly Uint8Array[]): ArrayBuffer {
  let total = 4
  for (const bytes of list) total += 4 + bytes.length
  const out = new ArrayBuffer(total)
  const view = Buffer.from(out)
  view.writeUInt32BE(list.length, 0)
  let at = 4
  for (const bytes of list) {
    view.writeUInt32BE(bytes.length, at)
    view.set(bytes, at + 4)
    at += 4 + bytes.length
  }
  return out
}

/** Byte strings of a packed buffer, as views. */
export function unpackBytes(packed: ArrayBuffer): Buffer[] {
  const view = Buffer.from(packed)
  const count = view.readUInt32BE(0)
  const list: Buffer[] = []
  let at = 4
  for (let item = 0; item < count; item += 1) {
    const end = at + 4 + view.readUInt32BE(at)
    list.push(view.subarray(at + 4, end))
    at = end
  }
  return list
}

/** Pack a batch: a leading string of algorithm numbers, then key, message and signature of each item. */
export function packItems(items: readonly VerifyItem[]): ArrayBuffer {
  const algorithms = Buffer.from(items.map((item) => KEY_ALGORITHMS.indexOf(item.algorithm)))
  const list: Uint8Array[] = [algorithms]
  for (const item of items) list.push(item.publicKey, item.message, item.signature)
  return packBytes(list)
}

/** The inverse of `packItems`. */
export function unpackItems(packed: ArrayBuffer): VerifyItem[] {
  const list = unpackBytes(packed)
  const algorithms = list[0]!
  const items: VerifyItem[] = []
  for (let at = 0; at < algorithms.length; at += 1) {
    const algorithm = KEY_ALGORITHMS[algorithms[at]!]
    if (algorithm === undefined) throw new Error(`unknown algorithm number ${algorithms[at]}`)
    items.push({
      algorithm,
      publicKey: list[3 * at + 1]!,
      message: list[3 * at + 2]!,
      signature: list[3 * at + 3]!,
    })
  }
  return items
}

/**
 * Pack the groups of one multi-message aggregate: signature, then per group a u32 key count, the message and the keys.
 */
export function packGroups(
  groups: readonly { publicKeys: readonly Uint8Array[]; message: Uint8Array }[],
  signature: Uint8Array,
): ArrayBuffer {
  const list: Uint8Array[] = [signature]
  for (const group of groups) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(group.publicKeys.length, 0)
    list.push(count, group.message, ...group.publicKeys)
  }
  return packBytes(list)
}

/** The inverse of `packGroups`. */
export function unpackGroups(packed: ArrayBuffer): {
  groups: { publicKeys: Buffer[]; message: Buffer }[]
  signature: Buffer
} {
  const list = unpackBytes(packed)
  const groups: { publicKeys: Buffer[]; message: Buffer }[] = []
  let at = 1
  while (at < list.length) {
    const count = asBuffer(list[at]!).readUInt32BE(0)
    groups.push({ message: list[at + 1]!, publicKeys: list.slice(at + 2, at + 2 + count) })
    at += 2 + count
  }
  return { groups, signature: list[0]! }
}

/** Copy to separate memory, as required for unpacking. */
export const copyOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

/** Pack aggregates, each like one group. */
export const packAggregates = (aggregates: readonly BlsAggregate[]): ArrayBuffer =>
  packBytes(aggregates.map((one) => new Uint8Array(packGroups([one], one.signature))))

/** The inverse of `packAggregates`. */
export const unpackAggregates = (packed: ArrayBuffer): BlsAggregate[] =>
  unpackBytes(packed).map((bytes) => {
    const { groups, signature } = unpackGroups(copyOf(bytes))
    return { ...groups[0]!, signature }
  })
