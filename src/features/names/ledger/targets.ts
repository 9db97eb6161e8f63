/** Owns the queries about aliases: their accounts and definitions, and, by a read index, the aliases of an account or a definition. */
import type { Page } from '../../../api/paging.js'
import type { PageQuery } from '../../../api/query-inputs.js'
import { accounts } from '../../../executor/accounts.js'
import type { IndexRun, QueryContext, QueryRun } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix, PRESENT } from '../../../ledger/indexes.js'
import { accountOfIban, currencies, definitionOfCurrency, ibans } from '../../../ledger/iso-bindings.js'
import { nowOf } from '../../../ledger/query.js'
import { limitOf, scanRowsFor } from '../../../ledger/table-page.js'
import { aliases, definitions } from '../../../ledger/tables.js'
import {
  type AccountId,
  keyBytes,
  type NameId,
  nameText,
  parseAliasText,
  sameRegistration,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import type { AccountAliasesQuery, AliasState, AssetAliasesQuery, ListedAlias } from '../schema/aliases.js'
import { ASSET_RECORD, NAME_INDEXES } from '../schema/records.js'
import { accountOfAlias, definitionOfAlias, standingOf } from './resolution.js'
import { names, primaries } from './tables.js'

/** State of an alias at a header time; undefined if it is free. */
function aliasState(state: StateReader, text: string, timeMs: number): AliasState | undefined {
  const alias = parseAliasText(text)
  if (alias === undefined) return undefined
  const nothing = {
    text,
    assetDefinitionId: undefined,
    homeDomain: undefined,
    sinceMs: undefined,
    expiresMs: undefined,
  }
  if (alias.kind === 'currency') {
    const definition = definitionOfCurrency(state, alias.currency)
    if (definition === undefined) return undefined
    return { ...nothing, kind: 'currency', standing: 'live', accountId: undefined, assetDefinitionId: definition }
  }
  if (alias.kind === 'iban') {
    const account = accountOfIban(state, alias.iban)
    if (account === undefined) return undefined
    const homeDomain = state.get(accounts, account)?.domain
    return { ...nothing, kind: 'iban', standing: 'live', accountId: account, homeDomain }
  }
  const standing = standingOf(state, alias, timeMs)
  if (standing === undefined) return undefined
  const row = state.get(names, alias)
  const account = accountOfAlias(state, alias, timeMs)
  return {
    text,
    kind: row?.kind ?? 'assigned',
    standing,
    accountId: account,
    assetDefinitionId: definitionOfAlias(state, alias, timeMs),
    homeDomain: account === undefined ? undefined : state.get(accounts, account)?.domain,
    sinceMs: row?.sinceMs,
    expiresMs: row?.expiresMs,
  }
}

export const aliasesQuery: QueryRun<
  { readonly texts: readonly string[] },
  { readonly height: number; readonly items: readonly (AliasState | undefined)[] }
> = async (ctx, { texts }) => {
  const timeMs = await nowOf(ctx)
  return { height: ctx.height, items: texts.map((text) => aliasState(ctx.reader, text, timeMs)) }
}

/**
 * Prefix of the aliases of an account or definition. It is length-prefixed, so that no target is in the range of a
 * different target.
 */
function targetPrefix(target: string): Buffer {
  const id = keyBytes(target)
  return Buffer.concat([featureIndexPrefix(NAME_INDEXES.targets), Buffer.from([id.length >> 8, id.length & 0xff]), id])
}
const targetKey = (target: string, text: string): Buffer =>
  Buffer.concat([targetPrefix(target), Buffer.from(text, 'latin1')])
/** Upper bound of aliases, which are ASCII. */
const BEYOND = Buffer.of(0xff)

/**
 * Entries of the aliases written by a block, one for each target that an alias ever had. They are not removed; readers
 * skip entries whose alias now has a different target.
 */
export const targetIndexes: IndexRun = ({ rows }) => {
  const put: [Uint8Array, Uint8Array][] = []
  const add = (target: string | undefined, text: string): void => {
    if (target !== undefined) put.push([targetKey(target, text), PRESENT])
  }
  for (const { key, value } of changedRows(aliases, rows)) add(value, nameText(key))
  for (const { key, value } of changedRows(names, rows)) add(value.records.get(ASSET_RECORD), nameText(key))
  for (const { key, value } of changedRows(ibans, rows)) add(value, `iban:${key}`)
  for (const { key, value } of changedRows(currencies, rows)) add(value, `ccy:${key}`)
  return { put, del: [] }
}

/** Aliases of a target, ordered by text. */
async function aliasesOf(
  ctx: QueryContext,
  target: string,
  { limit, after }: PageQuery,
  isMeant: (state: AliasState) => boolean,
  primary?: string,
): Promise<Page<ListedAlias>> {
  const prefix = targetPrefix(target)
  const timeMs = await nowOf(ctx)
  const readAfter = async (place: string | undefined, count: number): Promise<string[]> => {
    const texts: string[] = []
    const gte = place === undefined ? prefix : Buffer.concat([targetKey(target, place), Buffer.of(0)])
    const range = { gte, lt: Buffer.concat([prefix, BEYOND]), limit: count }
    for await (const [key] of ctx.indexRange(range)) texts.push(key.toString('latin1', prefix.length))
    return texts
  }
  const { items, after: next } = await scanRowsFor(
    { limit: limitOf(limit), after },
    readAfter,
    (text) => text,
    (text): ListedAlias | undefined => {
      const state = aliasState(ctx.reader, text, timeMs)
      if (state === undefined || !isMeant(state)) return undefined
      const { kind, standing, sinceMs, expiresMs } = state
      return { alias: text, kind, standing, sinceMs, expiresMs, isPrimary: text === primary }
    },
  )
  return { items, nextCursor: next, height: ctx.height }
}

/** Primary name that the current registration of an account has set. */
export function primaryNameOf(state: StateReader, account: AccountId): NameId | undefined {
  const row = state.get(primaries, account)
  const isOwn = sameRegistration(row?.accountIncarnation, state.get(accounts, account)?.incarnation)
  return isOwn ? row?.name : undefined
}

export const accountAliasesQuery: QueryRun<AccountAliasesQuery, Page<ListedAlias>> = (
  ctx,
  { account, isOwner, ...page },
) => {
  const primary = primaryNameOf(ctx.reader, account)
  return aliasesOf(
    ctx,
    account,
    page,
    (state) => state.accountId === account && (state.kind !== 'iban' || isOwner === 1),
    primary && nameText(primary),
  )
}

export const assetAliasesQuery: QueryRun<AssetAliasesQuery, Page<ListedAlias>> = async (
  ctx,
  { definition, ...page },
) =>
  ctx.reader.has(definitions, definition)
    ? aliasesOf(ctx, definition, page, (state) => state.assetDefinitionId === definition)
    : undefined
