/** Owns the resolution of user texts for accounts and asset definitions on a node. */

import type { NamedAccount } from '../api/accounts.js'
import { readWithAliases, TEXTS_MAX, type Texts, type Wanted, type WantedText } from '../api/alias-ids.js'
import { parameterFault } from '../api/answers.js'
import type { NodeServices } from '../api/services.js'
import { type CanonicalTexts, canonicalTexts } from '../api/user-text.js'
import type { CodecContext } from '../codec/index.js'
import { type AccountId, LedgerError, parseAccountText, parseAssetText } from '../model/index.js'
import { queries as accounts } from './accounts/schema.js'
import { aliasQueries } from './names/schema/aliases.js'

/** Id of an account or of an asset definition. */
export type ResolvedId = AccountId | string

const EXPECTED: Readonly<Record<Wanted, string>> = {
  account: 'not an address of this chain or an alias label@domain',
  asset: 'not an asset definition name#domain or an alias',
}

/** Forms of a text for the ledger query, or its id. */
type Parsed = { readonly id: ResolvedId } | { readonly id: undefined; readonly texts: CanonicalTexts }

/** Read the text of a parameter; an error never quotes the text. */
async function parseText(
  services: NodeServices,
  { text, want }: WantedText,
  path: string,
): Promise<Parsed | LedgerError> {
  const texts = await canonicalTexts(text)
  if ('code' in texts) {
    return texts.code === 'plaintext_identifier'
      ? new LedgerError(texts.code, `${path}: ${texts.message}`)
      : parameterFault(path, EXPECTED[want])
  }
  const [canonical] = texts
  if (want === 'asset') {
    const asset = parseAssetText(canonical)
    if (asset === undefined) return parameterFault(path, EXPECTED.asset)
    return asset.kind === 'definition' ? { id: asset.definition } : { id: undefined, texts }
  }
  const account = parseAccountText(canonical, services.info.addressPrefix)
  if (account === undefined) return parameterFault(path, EXPECTED.account)
  return account.kind === 'account' ? { id: account.account } : { id: undefined, texts }
}

/** Ids of texts from the ledger; undefined for a text that resolves to nothing. */
async function lookUp(
  services: NodeServices,
  wanted: readonly WantedText[],
): Promise<readonly (ResolvedId | undefined)[]> {
  if (services.queries().has(aliasQueries.aliases.kind)) {
    const found = await services.query(aliasQueries.aliases, { texts: wanted.map(({ text }) => text) })
    return wanted.map(({ want }, at) => found?.items[at]?.[want === 'account' ? 'accountId' : 'assetDefinitionId'])
  }
  // A chain of ABI 1 has aliases of accounts only.
  return Promise.all(
    wanted.map(async ({ text, want }) =>
      want === 'asset' ? undefined : (await services.query(accounts.account, { id: undefined, alias: text }))?.id,
    ),
  )
}

const unknown = (path: string, want: Wanted): LedgerError =>
  new LedgerError('not_found', want === 'account' ? `${path}: account does not exist` : `${path}: asset does not exist`)

/** Alias in its form for assertions, and the id that it resolves to. */
interface ResolvedAlias {
  readonly canonical: string
  readonly id: ResolvedId
}

/** Id of one text, from the first of its forms that resolves. */
async function aliasOf(
  services: NodeServices,
  texts: CanonicalTexts,
  want: Wanted,
): Promise<ResolvedAlias | undefined> {
  const wanted = texts.flatMap((text) => (text === undefined ? [] : [{ text, want }]))
  const found = await lookUp(services, wanted)
  for (const [at, id] of found.entries()) {
    const canonical = wanted[at]?.text
    if (id !== undefined && canonical !== undefined) return { canonical, id }
  }
  return undefined
}

const idOf = async (services: NodeServices, texts: CanonicalTexts, want: Wanted): Promise<ResolvedId | undefined> =>
  (await aliasOf(services, texts, want))?.id

/** Resolve an alias for an instruction that asserts it; undefined for a text that resolves to nothing. */
export async function resolveAlias(
  services: NodeServices,
  { text, want }: WantedText,
): Promise<ResolvedAlias | undefined> {
  const texts = await canonicalTexts(text)
  return 'code' in texts ? undefined : aliasOf(services, texts, want)
}

/**
 * Resolve the text of an account or asset definition to its id. `path` names the parameter in a fault. Returns
 * `not_found` for an alias that currently resolves to nothing.
 */
export async function resolveText(
  services: NodeServices,
  text: string,
  want: Wanted,
  path: string,
): Promise<ResolvedId | LedgerError> {
  const parsed = await parseText(services, { text, want }, path)
  if (parsed instanceof LedgerError) return parsed
  return parsed.id ?? (await idOf(services, parsed.texts, want)) ?? unknown(path, want)
}

/** Read the text of an account for a query that reports its absence itself. */
export async function nameAccount(
  services: NodeServices,
  text: string,
  path: string,
): Promise<NamedAccount | LedgerError> {
  const parsed = await parseText(services, { text, want: 'account' }, path)
  if (parsed instanceof LedgerError) return parsed
  const id = parsed.id ?? (await idOf(services, parsed.texts, 'account'))
  return id === undefined ? { id, alias: text } : { id, alias: undefined }
}

/** Read user input and replace the texts in it by ids; at most `TEXTS_MAX` texts. */
export const readWithTexts = <T>(
  services: NodeServices,
  path: string,
  read: (codec: CodecContext) => T,
): Promise<T | LedgerError> => readWithAliases(services.info.codec, read, (texts) => resolveAll(services, texts, path))

/** Resolve the texts that were read, all in one query. */
async function resolveAll(services: NodeServices, texts: Texts, path: string): Promise<LedgerError | undefined> {
  if (texts.size > TEXTS_MAX) return parameterFault(path, `more than ${TEXTS_MAX} aliases`)
  const { missing } = texts
  const parsed = await Promise.all(missing.map((wanted) => parseText(services, wanted, path)))
  const fault = parsed.find((one) => one instanceof LedgerError)
  if (fault !== undefined) return fault
  const asked = parsed.flatMap((one, at) => {
    const wanted = missing[at]
    if (wanted === undefined || one instanceof LedgerError || one.id !== undefined) return []
    return one.texts.flatMap((text) => (text === undefined ? [] : [{ text, want: wanted.want, of: wanted }]))
  })
  const found = await lookUp(services, asked)
  for (const wanted of missing) {
    const id = found[asked.findIndex(({ of }, at) => of === wanted && found[at] !== undefined)]
    if (id === undefined) return unknown(path, wanted.want)
    texts.resolved(wanted, id)
  }
  return undefined
}

/** True if the account is registered on the ledger. */
export const isRegistered = async (services: NodeServices, id: AccountId): Promise<boolean> =>
  (await services.query(accounts.account, { id, alias: undefined })) !== undefined
