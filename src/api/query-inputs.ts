/** Owns input records that queries of several features share: pages, heights, one object by its id. */
import { type Infer, option, refine, type Schema, string, struct, text, varint } from '../codec/index.js'
import {
  ADDRESS_PATTERN,
  ALIAS_PATTERN,
  accountId,
  assetDefinitionFault,
  assetDefinitionId,
  domainId,
  NAME_PATTERN,
  name,
  nftId,
} from '../model/index.js'
import { heightCursor } from './cursors.js'

/** Input of a list query: page size, and the position of the last record of the previous page. */
export interface PageQuery {
  readonly limit: number
  readonly after: string | undefined
}
/** Fields of a list query, with the schema of a position in its list. */
export const pageQueryFields = (place: Schema<string>) => ({ limit: varint, after: option(place) })
export const pageQueryOf = (queryName: string, place: Schema<string>): Schema<PageQuery> =>
  struct(queryName, pageQueryFields(place))

export interface HeightsQuery extends Infer<typeof heightsQuery> {}
/** Heights in descending order from `from`. */
export const heightsQuery = struct('HeightsQuery', { from: option(varint), ...pageQueryFields(heightCursor) })

/** Query for one object by its id; a malformed id is refused before the lookup. */
export type ByIdQuery = Infer<ReturnType<typeof byId>>
const byId = (query: string, id: Schema<string>) => struct(query, { id })
export const byDomainQuery = byId('ByDomainQuery', domainId)
export const byDefinitionQuery = byId('ByDefinitionQuery', assetDefinitionId)
export const byNftQuery = byId('ByNftQuery', nftId)
export const byNameQuery = byId('ByNameQuery', name)

const none_ = struct('NoInput', {})
export const none: Schema<Record<string, never>> = none_

/** Maximum length of an address or an alias, in bytes. */
const ACCOUNT_TEXT_MAX_BYTES = 512
/** Address or alias; resolution checks the form and the chain. */
export const accountText = refine(string(ACCOUNT_TEXT_MAX_BYTES), 'AccountText', () => undefined, {
  pattern: `^(${ADDRESS_PATTERN}|${ALIAS_PATTERN})$`,
})

/** Asset definition in a request: its id, or an alias that the gateway replaces by the id. */
export const assetText = text(
  'AssetText',
  ACCOUNT_TEXT_MAX_BYTES,
  assetDefinitionFault,
  `^(${NAME_PATTERN}#${NAME_PATTERN}|${ALIAS_PATTERN}|[cC][cC][yY]:[A-Za-z]{3})$`,
)

/** Path of an account: its address or its alias. */
export const accountPath = struct('AccountPath', { id: accountText })

/** Path parameter of a named object. */
export const namePath = struct('NamePath', { id: name })

export interface AccountQuery extends Infer<typeof accountQuery> {}
/** Account given by its id or by its alias `label@domain`. */
export const accountQuery = struct('AccountQuery', { id: option(accountId), alias: option(string(257)) })
