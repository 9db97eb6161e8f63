/** Owns shared reads of queries of several features: accounts by alias, the address prefix, the time of the last block, stored lists. */
import { addressPrefixOf } from '../executor/addresses.js'
import type { Rejection } from '../executor/contract.js'
import type { QueryContext } from '../executor/reads.js'
import {
  type AccountId,
  accountOfPolicyHash,
  type EntryOutcome,
  type Instruction,
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
