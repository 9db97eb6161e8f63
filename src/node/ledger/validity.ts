/** Owns whether entries may be in a block at its time: the same question for building and for voting. */
import {
  type Abi,
  type ExecutableEntry,
  staticTeu,
  type TransactionLimits,
  transactionFault,
} from '../../executor/index.js'
import { routeTransaction } from '../../lanes/index.js'
import { keyString } from '../../model/index.js'

/** An entry that may not be in the block. */
export interface InvalidEntry {
  readonly index: number
  readonly code: string
  readonly message: string
}

/** What validity depends on beside the entries. */
export interface ValidityContext {
  readonly abi: Abi
  readonly chain: string
  readonly limits: TransactionLimits
  readonly timeMs: number
  /** True when a block within the replay window holds this transaction. */
  readonly isCommitted: (id: Uint8Array) => boolean
}

/** Every entry that may not be in the block: unacceptable at its time, committed before, repeated, or routed elsewhere. */
export function invalidEntries(ctx: ValidityContext, entries: readonly ExecutableEntry[]): InvalidEntry[] {
  const invalid: InvalidEntry[] = []
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const fault = entryFault(ctx, entry, seen)
    if (fault !== undefined) invalid.push({ index, ...fault })
  }
  return invalid
}

function entryFault(ctx: ValidityContext, entry: ExecutableEntry, seen: Set<string>) {
  const fault = transactionFault(ctx, entry.signedBytes.length, entry.signed)
  if (fault !== undefined) return fault
  const id = keyString(entry.id)
  if (seen.has(id) || ctx.isCommitted(entry.id)) {
    return { code: 'already_committed', message: 'the transaction is in a block' }
  }
  seen.add(id)
  const route = routeTransaction(entry.signed.payload.value)
  if (!route.ok) return { code: 'queue_unresolved_route', message: route.fault }
  const { lane, dataspace } = route.decision
  if (lane !== entry.lane || dataspace !== entry.dataspace) {
    return { code: 'queue_unresolved_route', message: `routed to lane ${lane}, the block says lane ${entry.lane}` }
  }
  return undefined
}

/** Why a whole block is too large, or undefined: transactions and static execution units; the first is always admitted. */
export function blockSizeFault(ctx: ValidityContext, entries: readonly ExecutableEntry[]): string | undefined {
  const { limits } = ctx
  if (entries.length > limits.blockMaxTransactions) {
    return `${entries.length} transactions, at most ${limits.blockMaxTransactions} are allowed`
  }
  const teu = entries.reduce(
    (sum, entry) => sum + staticTeu(ctx.abi, entry.signed.signatures.length, entry.signed.payload.value),
    0,
  )
  return entries.length > 1 && teu > limits.blockTeu
    ? `${teu} execution units, at most ${limits.blockTeu} are allowed`
    : undefined
}
