/** Owns account statements: the movements of a block, and the query for a period. */

import type { Numeric } from '../../../codec/index.js'
import type { QueryContext, QueryRun } from '../../../executor/reads.js'
import { MOVEMENT_SPACE } from '../../../ledger/indexes.js'
import { ZERO } from '../../../ledger/money.js'
import { assertHeld, resolveAccount } from '../../../ledger/query.js'
import { limitOf } from '../../../ledger/table-page.js'
import { balances } from '../../../ledger/tables.js'
import {
  type AccountId,
  type AssetId,
  add,
  GENESIS_HEIGHT,
  keyBytes,
  subtract,
  type TransactionPayload,
} from '../../../model/index.js'
import { isIsoReference } from '../../../model/iso-text.js'
import { type PaymentId, partsOf } from '../../iso20022/schema/claimed.js'
import type { MessageParts } from '../../iso20022/schema/instructions.js'
import type { BalanceChange } from '../schema/changes.js'
import {
  type BookedBatch,
  decodeMovement,
  encodeMovement,
  type Movement,
  REFERENCE_KEY,
  type Statement,
  type StatementQuery,
} from '../schema/statement.js'

/** Maximum movements of other definitions skipped in search of an opening balance. */
const OPENING_SCAN_MAX = 10_000
const TIME_BYTES = 6
const HEIGHT_BYTES = 6

/** Transaction that caused a movement. */
export interface CausingTransaction {
  readonly id: Uint8Array
  readonly payload: Pick<TransactionPayload, 'authority' | 'metadata' | 'executable'>
}

/** Statement fields of a payment in a shared transaction. */
interface PaymentReference {
  readonly endToEndId: string | undefined
  readonly batch: BookedBatch | undefined
}

/** References of payments in shared transactions, by transaction index and payment. */
class PaymentReferences {
  private readonly byEntry = new Map<number, ReadonlyMap<string, PaymentReference>>()

  of(entry: number, { executable }: CausingTransaction['payload'], payment: PaymentId): PaymentReference | undefined {
    let found = this.byEntry.get(entry)
    if (found === undefined) {
      const parts = partsOf(executable.value)
      found = new Map(
        parts.map(([message, { place, details }]) => [
          nameOf({ ...message, place }),
          { endToEndId: details.endToEndId, batch: batchOf(message) },
        ]),
      )
      this.byEntry.set(entry, found)
    }
    return found.get(nameOf(payment))
  }
}

/** Message whose payments are booked as one entry. */
const batchOf = ({ batchBooking, submitter, family, messageId, payments }: MessageParts): BookedBatch | undefined =>
  batchBooking && payments > 1 ? { submitter, family, messageId, payments } : undefined

const nameOf = ({ submitter, family, messageId, place }: PaymentId): string =>
  `${submitter} ${family} ${messageId} ${place}`

/**
 * Reference of a movement and the account that set it: the end-to-end id of a payment in a shared transaction, else the
 * reference of the transaction. Any signer may write the key; invalid references are ignored.
 */
function referenceOf(
  { entry, payment }: Pick<BalanceChange, 'entry' | 'payment'>,
  payload: CausingTransaction['payload'] | undefined,
  references: PaymentReferences,
) {
  const shared = payment === undefined || payload === undefined ? undefined : references.of(entry, payload, payment)
  const reference = payment === undefined ? payload?.metadata.get(REFERENCE_KEY) : shared?.endToEndId
  const batch = shared?.batch
  return isIsoReference(reference)
    ? { reference, referenceBy: payload?.authority, batch }
    : { reference: undefined, referenceBy: undefined, batch }
}

/** Movements of the transactions of a block. */
export interface BlockMoves {
  readonly height: number
  readonly timeMs: number
  readonly changes: readonly BalanceChange[]
  /** Transaction at an index, with its own fields; undefined for changes made by the block itself. */
  readonly transaction: (entry: number) => CausingTransaction | undefined
  /** Balance after the block; undefined if the block did not change it. */
  readonly balance: (asset: AssetId) => Numeric | undefined
}

/** Prefix of the movements of an account. */
function accountPrefix(account: AccountId): Buffer {
  const id = keyBytes(account)
  return Buffer.concat([Buffer.of(MOVEMENT_SPACE, id.length), id])
}

/** Key of a movement: account, time, height, number within the block. A period is thus one range of keys. */
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

/** Key of the first movement at or after a time. */
function timeKey(account: AccountId, timeMs: number): Buffer {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(Math.min(timeMs, 2 ** 48 - 1), 0, TIME_BYTES)
  return Buffer.concat([accountPrefix(account), time])
}

/** Upper bound of the movements of an account. */
const beyondAccount = (account: AccountId): Buffer =>
  Buffer.concat([accountPrefix(account), Buffer.alloc(TIME_BYTES + HEIGHT_BYTES, 0xff)])

/** Balance before a movement, given the balance after it. */
function before(balance: Numeric, { amount, side }: Pick<BalanceChange, 'amount' | 'side'>): Numeric {
  const result = side === 'credit' ? subtract(balance, amount) : add(balance, amount)
  if (result === undefined) throw new Error('a movement does not fit the balance after it')
  return result
}

/** Index entries of the movements of a block, each with the balance after it. */
export function movementEntries(block: BlockMoves): [Uint8Array, Uint8Array][] {
  const { height, timeMs, changes } = block
  const running = new Map<string, Numeric>()
  const references = new PaymentReferences()
  const entries: [Uint8Array, Uint8Array][] = []
  // Backwards from the balances after the block, so that no earlier state is read.
  for (let number = changes.length - 1; number >= 0; number--) {
    const change = changes[number] as BalanceChange
    const { account, entry, definition, amount, side, kind, counterparty } = change
    const name = `${account}#${definition}`
    const balance = running.get(name) ?? block.balance({ definition, account }) ?? ZERO
    running.set(name, before(balance, change))
    const caused = block.transaction(entry)
    const value = encodeMovement({
      definition,
      side,
      amount,
      balance,
      kind,
      counterparty,
      transactionHash: caused?.id,
      ...referenceOf(change, caused?.payload, references),
      height,
      timeMs,
    })
    entries.push([movementKey(account, timeMs, height, number), value])
  }
  return entries
}

/** Keys of these entries, derived from the events of the block. */
export const movementKeys = ({
  height,
  timeMs,
  changes,
}: Pick<BlockMoves, 'height' | 'timeMs' | 'changes'>): Buffer[] =>
  changes.map(({ account }, number) => movementKey(account, timeMs, height, number))

/** First movement of a definition in a range; `null` if there is none; undefined if it is not among the rows read. */
async function firstOf(
  ctx: QueryContext,
  definition: string,
  range: Omit<Parameters<QueryContext['indexRange']>[0], 'limit'>,
): Promise<Movement | null | undefined> {
  let scanned = 0
  for await (const [, bytes] of ctx.indexRange({ ...range, limit: OPENING_SCAN_MAX })) {
    const found = decodeMovement(bytes)
    if (found.definition === definition) return found
    scanned += 1
  }
  return scanned < OPENING_SCAN_MAX ? null : undefined
}

/**
 * Balance before a time: after the last earlier movement or, if that one was not found, before the first later one.
 * Undefined if movements of other definitions exhaust the search for both.
 */
async function openingBalance(
  ctx: QueryContext,
  account: AccountId,
  definition: string,
  { fromMs, heldMs }: { readonly fromMs: number; readonly heldMs: number },
): Promise<Numeric | undefined> {
  const start = timeKey(account, fromMs)
  const last = await firstOf(ctx, definition, { gte: timeKey(account, heldMs), lt: start, reverse: true })
  if (last) return last.balance
  if (last === null && heldMs === 0) return ZERO
  const next = await firstOf(ctx, definition, { gte: start, lt: beyondAccount(account) })
  if (next) return before(next.balance, next)
  return next === null ? (ctx.reader.get(balances, { account, definition }) ?? ZERO) : undefined
}

/** Time from which this node has every movement, apart from genesis movements, which all nodes have. */
async function heldSince(ctx: QueryContext): Promise<number> {
  if (ctx.firstHeight === GENESIS_HEIGHT) return 0
  const last = await ctx.header(ctx.firstHeight - 1)
  return (last?.timeMs ?? 0) + 1
}

export const statementByAccountQuery: QueryRun<StatementQuery, Statement> = async (ctx, query) => {
  const account = await resolveAccount(ctx, query)
  if (account === undefined) return undefined
  const { definition, toMs = 2 ** 48 - 1 } = query
  const heldMs = await heldSince(ctx)
  const fromMs = query.fromMs ?? heldMs
  if (fromMs < heldMs) assertHeld(ctx, ctx.firstHeight - 1)
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
    const found = decodeMovement(bytes)
    if (definition === undefined || found.definition === definition) items.push(found)
  }
  const opening =
    definition === undefined || query.after !== undefined
      ? undefined
      : await openingBalance(ctx, account, definition, { fromMs, heldMs })
  return { account, items, nextCursor: next, openingBalance: opening, height: ctx.height }
}
