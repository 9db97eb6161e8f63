/**
 * Owns reads shared by the queries of several features: accounts by alias, the address prefix, the time of the last
 * block, stored lists.
 */
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

/** Account of an id or an alias; undefined for an unknown alias. */
export async function resolveAccount(
  ctx: QueryContext,
  { id, alias: text }: { readonly id: AccountId | undefined; readonly alias: string | undefined },
): Promise<AccountId | undefined> {
  if (id !== undefined) return id
  const alias = text === undefined ? undefined : parseAlias(text)
  if (alias === undefined) return undefined
  return ctx.aliasLabels === undefined
    ? ctx.reader.get(aliases, alias)
    : ctx.aliasLabels.accountOf(ctx.reader, await nowOf(ctx), alias)
}

/** Lowest account id in key order: keys begin with the length, and multisig ids are the shortest. */
export const FIRST_ACCOUNT: AccountId = accountOfPolicyHash(new Uint8Array(32))

/** Human-readable part of the addresses of this chain. */
export const prefixOf = (ctx: QueryContext): string => addressPrefixOf(ctx.reader)

/** Throw `history_pruned` for a height whose block this node no longer stores. */
export function assertHeld({ firstHeight }: Pick<QueryContext, 'firstHeight'>, height: number): void {
  if (height <= GENESIS_HEIGHT || height >= firstHeight) return
  throw new LedgerError('history_pruned', `block ${height}: the blocks of this node begin at height ${firstHeight}`, {
    details: { first_height: firstHeight },
  })
}

/**
 * Result for a transaction that is not in a stored block: undefined, or `not_found` with the range of stored blocks.
 */
export function unknownTransaction({ firstHeight }: Pick<QueryContext, 'firstHeight'>): undefined {
  if (firstHeight === GENESIS_HEIGHT) return undefined
  throw new LedgerError('not_found', `the blocks from height ${firstHeight} on contain no transaction with this hash`, {
    hint: 'This node does not store older blocks: ask a node that keeps all blocks.',
    details: { first_height: firstHeight },
  })
}

/** Header time of the last block, which determines expired objects. */
export const nowOf = async (ctx: QueryContext): Promise<number> => (await ctx.header(ctx.height))?.timeMs ?? 0

/** Instructions for display, without instructions removed by an upgrade. */
export const shownList = (list: readonly Instruction[] | Rejection): readonly Instruction[] =>
  'code' in list ? [] : list

/** Name of the error of a rejected entry; undefined if it was approved. */
export function errorOf({ errorName }: Pick<QueryContext, 'errorName'>, outcome: EntryOutcome): string | undefined {
  const rejected = rejectionOf(outcome)
  return rejected === undefined ? undefined : errorName(rejected.code)
}
