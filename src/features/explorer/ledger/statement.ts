/** Owns account statements: which movements a block made, and how a period of them is read. */

import type { Numeric } from '../../../codec/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { MOVEMENT_SPACE } from '../../../ledger/indexes.js'
import { ZERO } from '../../../ledger/money.js'
import { resolveAccount } from '../../../ledger/query.js'
import { limitOf } from '../../../ledger/table-page.js'
import { type AccountId, type AssetId, add, keyBytes, subtract, type TransactionPayload } from '../../../model/index.js'
import { isIsoReference } from '../../../model/iso-text.js'
import type { BalanceChange } from '../schema/changes.js'
import { type Movement, movement, REFERENCE_KEY, type Statement, type StatementQuery } from '../schema/statement.js'

/** Movements of other definitions that are passed over in search of an opening balance. */
const OPENING_SCAN_MAX = 10_000
const TIME_BYTES = 6
const HEIGHT_BYTES = 6

/** The transaction that caused a movement. */
export interface CausingTransaction {
  readonly id: Uint8Array
  readonly payload: Pick<TransactionPayload, 'authority' | 'metadata'>
}

/** The reference of a transaction and who set it. Anybody may write the key: what is no reference is none. */
function referenceOf(payload: CausingTransaction['payload'] | undefined) {
  const reference = payload?.metadata.get(REFERENCE_KEY)
  return isIsoReference(reference)
    ? { reference, referenceBy: payload?.authority }
    : { reference: undefined, referenceBy: undefined }
}

/** What a block tells about its transactions. */
export interface BlockMoves {
  readonly height: number
  readonly timeMs: number
  readonly changes: readonly BalanceChange[]
  /** The transaction at a place, with what it says of itself; undefined for what the block itself did. */
  readonly transaction: (entry: number) => CausingTransaction | undefined
  /** Balance after the block; undefined when the block did not change it. */
  readonly balance: (asset: AssetId) => Numeric | undefined
}

/** Prefix of the movements of an account. */
function accountPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([Buffer.of(MOVEMENT_SPACE, id.length), id])
}

/** Key of a movement: account, time, height, number within the block; so that a period is a range. */
function movementKey(account: AccountId, timeMs: number, height: number, number: number): Buffer {
  const { length } = account
  const key = Buffer.allocUnsafe(2 + length + TIME_BYTES + HEIGHT_BYTES + 4)
  key[0] = MOVEMENT_SPACE
  key[1] = length
  key.write(account, 2, 'latin1')
  key.writeUIntBE(timeMs, 2 + length, TIME_BYTES)
  key.writeUIntBE(height, 2 + length + TIME_BYTES, HEIGHT_BYTES)
  key.writeUInt32BE(number, 2 + length + TIME_BYTES + HEIGHT_BYTES)
  return key
}

/** Where the movements from a time on begin. */
function timeKey(account: AccountId, timeMs: number): Buffer {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(Math.min(timeMs, 2 ** 48 - 1), 0, TIME_BYTES)
  return Buffer.concat([accountPrefix(account), time])
}

/** Balance before a movement, from the one after it. */
function before(balance: Numeric, { amount, side }: Pick<BalanceChange, 'amount' | 'side'>): Numeric {
  const result = side === 'credit' ? subtract(balance, amount) : add(balance, amount)
  if (result === undefined) throw new Error('a movement does not fit the balance after it')
  return result
}

/** Index entries of the movements of a block; each carries the balance after it. */
export function movementEntries(block: BlockMoves): [Uint8Array, Uint8Array][] {
  const { height, timeMs, changes } = block
  const running = new Map<string, Numeric>()
  const entries: [Uint8Array, Uint8Array][] = []
  // Backwards from the balances after the block, so that no earlier state has to be read.
  for (let number = changes.length - 1; number >= 0; number--) {
    const change = changes[number] as BalanceChange
    const { account, entry, definition, amount, side, kind, counterparty } = change
    const name = `${account}#${definition}`
    const balance = running.get(name) ?? block.balance({ definition, account }) ?? ZERO
    running.set(name, before(balance, change))
    const caused = block.transaction(entry)
    const value = movement.encode({
      definition,
      side,
      amount,
      balance,
      kind,
      counterparty,
      transactionHash: caused?.id,
      ...referenceOf(caused?.payload),
      height,
      timeMs,
    })
    entries.push([movementKey(account, timeMs, height, number), value])
  }
  return entries
}

function decoded(bytes: Uint8Array): Movement {
  const result = movement.decode(bytes)
  if (!result.ok) throw new Error(`a movement does not decode: ${result.fault.message}`)
  return result.value
}

/** Balance before a time, from the last movement before it. */
async function openingBalance(
  ctx: QueryContext,
  account: AccountId,
  definition: string,
  fromMs: number,
): Promise<Numeric> {
  const range = { gte: accountPrefix(account), lt: timeKey(account, fromMs), reverse: true, limit: OPENING_SCAN_MAX }
  for await (const [, bytes] of ctx.indexRange(range)) {
    const found = decoded(bytes)
    if (found.definition === definition) return found.balance
  }
  return ZERO
}

export const statementByAccountQuery: QueryRun<StatementQuery, Statement> = async (ctx, query) => {
  const account = resolveAccount(ctx, query)
  if (account === undefined) return undefined
  const { definition, fromMs = 0, toMs = 2 ** 48 - 1 } = query
  const limit = limitOf(query.limit)
  const prefix = accountPrefix(account)
  const start =
    query.after === undefined ? timeKey(account, fromMs) : Buffer.concat([prefix, Buffer.from(query.after, 'hex')])
  const items: Movement[] = []
  let next: string | undefined
  const range = { gte: start, lt: timeKey(account, toMs), limit: OPENING_SCAN_MAX }
  let scanned = 0
  for await (const [key, bytes] of ctx.indexRange(range)) {
    scanned += 1
    if (items.length === limit || scanned === OPENING_SCAN_MAX) {
      next = key.toString('hex', prefix.length)
      break
    }
    const found = decoded(bytes)
    if (definition === undefined || found.definition === definition) items.push(found)
  }
  const opening =
    definition === undefined || query.after !== undefined
      ? undefined
      : await openingBalance(ctx, account, definition, fromMs)
  return { account, items, nextCursor: next, openingBalance: opening, height: ctx.height }
}
