/** Owns the resolution of aliases as clients see it: records, queries and routes. */
import { absentText } from '../../../api/absent-texts.js'
import { word } from '../../../api/enum-text.js'
import { type Page, pageFields, pageOf } from '../../../api/paging.js'
import { accountPath, assetText, pageQueryFields } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import {
  bool,
  type Infer,
  list,
  omissible,
  option,
  refine,
  type Schema,
  string,
  struct,
  u8,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  defineQueries,
  domainId,
  NAME_KINDS,
  NAME_STANDINGS,
  NAME_TEXT_MAX_BYTES,
} from '../../../model/index.js'
import './errors.js'
import { NAME_IDS } from './records.js'

const BASE = NAME_IDS.first

/** Maximum texts resolved by one query: the forms of all aliases of a batch. */
const TEXTS_MAX = 512
/** Maximum aliases of one batch. */
export const BATCH_MAX = 100
/** Maximum size of a request, in bytes. */
const BODY_MAX_BYTES = 32 * 1024
/** Maximum length of an alias of a user, in bytes; a non-ASCII character has several. */
const USER_TEXT_MAX_BYTES = 512

/** Text of an alias in ledger form. */
const aliasText = string(NAME_TEXT_MAX_BYTES)
const kindWord = word('AliasKind', [...(Object.keys(NAME_KINDS) as (keyof typeof NAME_KINDS)[]), 'iban', 'currency'])
const standingWord = word('AliasStanding', Object.keys(NAME_STANDINGS) as (keyof typeof NAME_STANDINGS)[])

/** State of an alias on the ledger. Without account and definition it currently resolves to nothing. */
export interface AliasState extends Infer<typeof aliasState> {}
const aliasState = struct('AliasState', {
  text: aliasText,
  kind: kindWord,
  standing: standingWord,
  accountId: option(accountId),
  assetDefinitionId: option(assetDefinitionId),
  /** Domain in which the account is registered. */
  homeDomain: option(domainId),
  /** Time at which the current owner got the name. */
  sinceMs: option(varint),
  expiresMs: option(varint),
})
const aliasesQuery = struct('AliasesQuery', { texts: list(aliasText, TEXTS_MAX) })
const aliasStates = struct('AliasStates', { height: varint, items: list(option(aliasState), TEXTS_MAX) })

export interface AccountAliasesQuery extends Infer<typeof accountAliasesQuery> {}
const accountAliasesQuery = struct('AccountAliasesQuery', {
  ...pageQueryFields(aliasText),
  account: accountId,
  /** True if IBANs are listed too. */
  isOwner: u8,
})
export interface AssetAliasesQuery extends Infer<typeof assetAliasesQuery> {}
const assetAliasesQuery = struct('AssetAliasesQuery', { ...pageQueryFields(aliasText), definition: assetDefinitionId })

export interface ListedAlias extends Infer<typeof listedAlias> {}
const listedAlias = struct('ListedAlias', {
  alias: aliasText,
  kind: kindWord,
  standing: standingWord,
  sinceMs: omissible(varint),
  expiresMs: omissible(varint),
  /** True for the primary name of the account. */
  isPrimary: bool,
})
const aliasPage: Schema<Page<ListedAlias>> = pageOf('AliasPage', listedAlias)

export const aliasQueries = defineQueries({
  aliases: { id: BASE + 40, input: aliasesQuery, output: aliasStates },
  accountAliases: { id: BASE + 41, input: accountAliasesQuery, output: aliasPage },
  assetAliases: { id: BASE + 42, input: assetAliasesQuery, output: aliasPage },
})

/** Alias that currently resolves to an account or asset definition. */
export interface AliasAnswer extends Infer<typeof aliasAnswer> {}
export const aliasAnswer = struct('AliasAnswer', {
  /** Requested text. */
  alias: string(USER_TEXT_MAX_BYTES),
  /** Form that an instruction can assert. */
  canonical: aliasText,
  kind: kindWord,
  standing: standingWord,
  accountId: omissible(accountId),
  assetDefinitionId: omissible(assetDefinitionId),
  homeDomain: omissible(domainId),
  sinceMs: omissible(varint),
  expiresMs: omissible(varint),
  height: varint,
})

const refusedAlias_ = struct('RefusedAlias', {
  code: string(64),
  message: string(256),
  standing: omissible(standingWord),
})
export interface BatchedAlias extends Infer<typeof batchedAlias_> {}
const batchedAlias_ = struct('BatchedAlias', {
  alias: string(USER_TEXT_MAX_BYTES),
  answer: omissible(aliasAnswer),
  error: omissible(refusedAlias_),
})

/** Text of an alias as written by users; its form is checked on resolution. */
const userText = refine(string(USER_TEXT_MAX_BYTES), 'AliasUserText', () => undefined, { pattern: '^.+$' })
const wantedWord = word('AliasWanted', ['account', 'asset'])
const aliasPath_ = struct('AliasPath', { alias: userText })
const aliasErrors = ['alias_unknown', 'bad_name', 'plaintext_identifier'] as const
const posted = { method: 'POST', access: 'public', format: 'json', safe: true } as const

const resolveRoute = defineRoute({
  ...posted,
  id: 'aliases.resolve',
  tool: { name: 'resolve_alias', about: 'Account or asset definition that a name, an IBAN or a currency resolves to' },
  path: '/v1/aliases/resolve',
  summary: 'The account or asset definition that a name, an IBAN or a currency resolves to now',
  body: {
    as: 'record',
    schema: struct('AliasRequest', { alias: userText, want: omissible(wantedWord) }),
    maxBytes: BODY_MAX_BYTES,
  },
  response: aliasAnswer,
  errors: aliasErrors,
})

const batchRoute = defineRoute({
  ...posted,
  id: 'aliases.batch',
  path: '/v1/aliases/resolve/batch',
  summary: 'Accounts and asset definitions of up to 100 aliases, each an answer or an error',
  body: {
    as: 'record',
    schema: struct('AliasBatchRequest', { aliases: list(userText, BATCH_MAX) }),
    maxBytes: BODY_MAX_BYTES,
  },
  response: struct('AliasBatch', { items: list(batchedAlias_, BATCH_MAX), height: varint }),
})

const aliasRoute = defineRoute({
  ...publicRead,
  id: 'aliases.show',
  path: '/v1/aliases/{alias}',
  summary: 'The account or asset definition that an alias resolves to now',
  params: aliasPath_,
  response: aliasAnswer,
  errors: aliasErrors,
})

const byAccountRoute = defineRoute({
  ...publicRead,
  id: 'aliases.by_account',
  path: '/v1/aliases/by-account/{id}',
  summary: 'Names of an account; its IBANs only for a request that the account signed',
  params: accountPath,
  query: struct('AccountAliasesParameters', pageFields),
  accounts: { id: 'id' },
  response: aliasPage,
  errors: ['not_found'],
})

const assetAnswer_ = struct('AssetAliasAnswer', {
  alias: string(USER_TEXT_MAX_BYTES),
  canonical: aliasText,
  assetDefinitionId,
  assetName: string(128),
  ownedBy: accountId,
  scale: omissible(u8),
  height: varint,
})
const resolveAssetRoute = defineRoute({
  ...posted,
  id: 'assets.alias.resolve',
  path: '/v1/assets/aliases/resolve',
  summary: 'The asset definition that a name or a currency resolves to now',
  body: { as: 'record', schema: struct('AssetAliasRequest', { alias: userText }), maxBytes: BODY_MAX_BYTES },
  response: assetAnswer_,
  errors: aliasErrors,
})

const assetAliasesRoute = defineRoute({
  ...publicRead,
  id: 'assets.aliases',
  path: '/v1/assets/aliases',
  summary: 'Names and currencies of an asset definition',
  query: struct('AssetAliasesParameters', { definition: assetText, ...pageFields }),
  response: aliasPage,
}).byPage(
  aliasQueries.assetAliases,
  ({ query: { definition } }) => ({ definition }),
  ({ query: { definition } }) => absentText({ definition }),
)

export const aliasRoutes = {
  aliasResolve: resolveRoute,
  aliasBatch: batchRoute,
  alias: aliasRoute,
  aliasesByAccount: byAccountRoute,
  assetAliasResolve: resolveAssetRoute,
  assetAliases: assetAliasesRoute,
}
