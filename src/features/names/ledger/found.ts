/** Owns the common checks of instructions on one name: its form, its row, its standing, its holder. */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { aliases } from '../../../ledger/tables.js'
import { type AccountId, type NameId, type NameStanding, parseName, resolves } from '../../../model/index.js'
import type { NameRow } from '../schema/records.js'
import { standingOf } from './resolution.js'
import { type NameContent, newContent } from './rows.js'
import { names } from './tables.js'

/** A name of the ledger. */
export interface FoundName {
  readonly text: string
  readonly name: NameId
  /** Absent for a label of ABI 1 that has not needed a row yet. */
  readonly row: NameRow | undefined
  readonly account: AccountId
  readonly standing: NameStanding
}

/** Domain of the text of a name, for routing; accepts any text. */
export const domainOfText = (text: string): string | undefined => parseName(text)?.domain

/** Name of a text, or the reason why it is invalid. */
export function nameOf(text: string): NameId | Rejection {
  return parseName(text) ?? reject('bad_name', `${JSON.stringify(text)} is not a name path@domain of the ledger`)
}

/** Existing name, in any standing. */
export function foundName(ctx: ExecContext, text: string): FoundName | Rejection {
  const name = nameOf(text)
  if ('code' in name) return name
  const account = ctx.get(aliases, name)
  const standing = standingOf(ctx, name, ctx.env.timeMs)
  if (account === undefined || standing === undefined) return reject('absent', `name ${text} does not exist`)
  return { text, name, row: ctx.get(names, name), account, standing }
}

/** Name that currently resolves to its account. */
export function liveName(ctx: ExecContext, text: string): FoundName | Rejection {
  const found = foundName(ctx, text)
  if ('code' in found || resolves(found.standing)) return found
  return reject('name_not_live', `name ${text} is ${found.standing === 'open' ? 'open' : 'in quarantine'}`)
}

/** Kind of a name; a label of ABI 1 is assigned. */
export const kindOf = ({ row }: FoundName): NameRow['kind'] => row?.kind ?? 'assigned'

/** Holder of a name: its owner or, for an assigned name, its account. */
export const holderOf = (found: FoundName): AccountId =>
  found.row === undefined || found.row.kind === 'assigned' ? found.account : found.row.owner

/** Reason why the authority is not the holder (or the manager, if a manager suffices). */
export function holderFault(
  ctx: ExecContext,
  found: FoundName,
  what: string,
  byManager = false,
): Rejection | undefined {
  if (ctx.env.genesis || ctx.authority === holderOf(found)) return undefined
  if (byManager && found.row?.manager === ctx.authority) return undefined
  const needed = byManager ? 'the holder or the manager' : 'the holder'
  return reject('not_permitted', `${what} requires ${needed} of ${found.text}`)
}

/** Rejection of a name that cannot change hands: an assigned name follows its account. */
export function movableFault(found: FoundName): Rejection | undefined {
  return kindOf(found) === 'assigned'
    ? reject('name_not_leased', `name ${found.text} is assigned to its account`)
    : undefined
}

/** Content of the row of a name; for a label of ABI 1 without a row, the content of its first row. */
export const contentOf = (ctx: ExecContext, { row, account }: FoundName): NameContent =>
  row ?? newContent(ctx, 'assigned', account)
