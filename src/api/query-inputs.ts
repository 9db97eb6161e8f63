/** Owns input records that queries of several features share: pages, heights, one object by its id. */
import { type Infer, option, refine, type Schema, string, struct, varint } from '../codec/index.js'
import { ADDRESS_PATTERN, ALIAS_PATTERN, accountId, assetDefinitionId, domainId, name, nftId } from '../model/index.js'
import { heightCursor } from './cursors.js'

/** What a list query takes: items of the page, and the place of the last record of the page before. */
export interface PageQuery {
  readonly limit: number
  readonly after: string | undefined
}
/** Fields of such a query, with what a place in its list looks like. */
export const pageQueryFields = (place: Schema<string>) => ({ limit: varint, after: option(place) })
export const pageQueryOf = (queryName: string, place: Schema<string>): Schema<PageQuery> =>
  struct(queryName, pageQueryFields(place))

export interface HeightsQuery extends Infer<typeof heightsQuery> {}
/** Heights from `from` down. */
export const heightsQuery = struct('HeightsQuery', { from: option(varint), ...pageQueryFields(heightCursor) })

/** One object by its id: a text that is no id is refused before anything is looked up. */
export type ByIdQuery = Infer<ReturnType<typeof byId>>
const byId = (query: string, id: Schema<string>) => struct(query, { id })
export const byDomainQuery = byId('ByDomainQuery', domainId)
export const byDefinitionQuery = byId('ByDefinitionQuery', assetDefinitionId)
export const byNftQuery = byId('ByNftQuery', nftId)
export const byNameQuery = byId('ByNameQuery', name)

const none_ = struct('NoInput', {})
export const none: Schema<Record<string, never>> = none_

/** Longest text of an address or an alias, in bytes. */
const ACCOUNT_TEXT_MAX_BYTES = 512
/** Which of both it is, and whether of this chain, is looked at when it is read. */
export const accountText = refine(string(ACCOUNT_TEXT_MAX_BYTES), 'AccountText', () => undefined, {
  pattern: `^(${ADDRESS_PATTERN}|${ALIAS_PATTERN})$`,
})

/** Path of an account: its address or its alias. */
export const accountPath = struct('AccountPath', { id: accountText })

/** Path of what has a name. */
export const namePath = struct('NamePath', { id: name })

export interface AccountQuery extends Infer<typeof accountQuery> {}
/** An account by its id or by its alias `label@domain`. */
export const accountQuery = struct('AccountQuery', { id: option(accountId), alias: option(string(257)) })
