/** Owns shared reads of queries of several features: accounts by alias, the address prefix, the time of the last block, stored lists. */
import { addressPrefixOf } from '../executor/addresses.js'
import type { Rejection } from '../executor/contract.js'
import type { QueryContext } from '../executor/reads.js'
import {
  type AccountId,
  accountOfPolicyHash,
  type EntryOutcome,
  GENESIS_HEIGHT,
  type Instruction,
  LedgerError,
  parseAlias,
  rejectionOf,
} from '../model/index.js'
import { aliases } from './tables.js'

/** Account that is asked for by its id or its alias; undefined for an alias that nobody has. */
export function resolveAccount(
  { reader }: QueryContext,
  { id, alias: text }: { readonly id: AccountId | undefined; readonly alias: string | undefined },
): AccountId | undefined {
  if (id !== undefined) return id
  const alias = text === undefined ? undefined : parseAlias(text)
  return alias === undefined ? undefined : reader.get(aliases, alias)
}

/** Least account id in the order of keys: its length comes first, and that of multisig accounts is the shortest. */
export const FIRST_ACCOUNT: AccountId = accountOfPolicyHash(new Uint8Array(32))

/** Human part of the addresses of this chain. */
export const prefixOf = (ctx: QueryContext): string => addressPrefixOf(ctx.reader)

/** Throws `history_pruned` for a height whose block this node holds no more. */
export function assertHeld({ firstHeight }: Pick<QueryContext, 'firstHeight'>, height: number): void {
  if (height <= GENESIS_HEIGHT || height >= firstHeight) return
  throw new LedgerError('history_pruned', `block ${height}: the blocks of this node begin at height ${firstHeight}`, {
    details: { first_height: firstHeight },
  })
}

/** What stands for a transaction that is in no block here: nothing, or `not_found` saying what this node does not know. */
export function unknownTransaction({ firstHeight }: Pick<QueryContext, 'firstHeight'>): undefined {
  if (firstHeight === GENESIS_HEIGHT) return undefined
  throw new LedgerError('not_found', `no transaction of this hash is in the blocks from height ${firstHeight} on`, {
    hint: 'This node holds no older blocks: ask a node that keeps all of them.',
    details: { first_height: firstHeight },
  })
}

/** Header time of the last block: what is expired by it is shown so. */
export const nowOf = async (ctx: QueryContext): Promise<number> => (await ctx.header(ctx.height))?.timeMs ?? 0

/** Instructions for who looks at them; those that an upgrade removed cannot be shown any more. */
export const shownList = (list: readonly Instruction[] | Rejection): readonly Instruction[] =>
  'code' in list ? [] : list

/** Name of the error that an entry was rejected with; undefined: it was approved. */
export function errorOf({ errorName }: Pick<QueryContext, 'errorName'>, outcome: EntryOutcome): string | undefined {
  const rejected = rejectionOf(outcome)
  return rejected === undefined ? undefined : errorName(rejected.code)
}
