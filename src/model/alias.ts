/**
 * Owns names of payees and assets: the ASCII grammar, texts of accounts and assets, skeletons, and the standing of a
 * name at a header time. Shared by nodes and clients.
 */
import { type Infer, struct, unitEnum } from '../codec/index.js'
import { type AccountId, parseAddress } from './address.js'
import { currencyCode, iban } from './iso-codes.js'
import { assetDefinitionFault, domainId, name, parseAlias } from './names.js'
import { type Incarnation, sameIncarnation } from './permission.js'

/** Maximum label of a name, in bytes, as in host names. */
export const LABEL_MAX_BYTES = 63
/** Maximum path of a name, in bytes; also the maximum of an ABI 1 alias. */
export const PATH_MAX_BYTES = 128
/** Maximum labels of a path. */
export const PATH_LABELS_MAX = 4
/** Longest text of a name: path, @ and domain. */
export const NAME_TEXT_MAX_BYTES = PATH_MAX_BYTES + 1 + 128

/** A label as a regular expression, without anchors. */
const LABEL = '[a-z0-9]+(?:-[a-z0-9]+)*'
const WHOLE_LABEL = new RegExp(`^${LABEL}$`)

/** Key of a name in the state, both for its account and for its row. */
export const aliasKey = struct('Alias', { domain: domainId, label: name })
/** Parts of a name: a path of labels joined by dots, and the domain. */
export interface NameId extends Infer<typeof aliasKey> {}

/** Canonical bytes of the state key of a name. */
export const nameKeyBytes = ({ domain, label }: NameId): Buffer => aliasKey.encode({ domain, label })

/** Fault of one label, or undefined if valid. */
export function labelFault(label: string): string | undefined {
  if (label.length === 0) return 'a label must not be empty'
  if (label.length > LABEL_MAX_BYTES) return `a label must have at most ${LABEL_MAX_BYTES} bytes`
  return WHOLE_LABEL.test(label) ? undefined : 'a label must consist of a-z, 0-9 and single hyphens inside'
}

/** Fault of a path, or undefined if valid. */
export function pathFault(path: string): string | undefined {
  if (path.length > PATH_MAX_BYTES) return `the path of a name must have at most ${PATH_MAX_BYTES} bytes`
  const labels = path.split('.')
  if (labels.length > PATH_LABELS_MAX) return `the path of a name must have at most ${PATH_LABELS_MAX} labels`
  for (const label of labels) {
    const fault = labelFault(label)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Text of a name: `path@domain`. */
export const nameText = ({ label, domain }: NameId): string => `${label}@${domain}`

/** Parts of a canonical name `path@domain`; undefined for any other text. */
export function parseName(text: string): NameId | undefined {
  const parts = parseAlias(text)
  return parts !== undefined && pathFault(parts.label) === undefined ? parts : undefined
}

/** Parent name of a subname; undefined for a name of one label. */
export function parentOf({ label, domain }: NameId): NameId | undefined {
  const dot = label.indexOf('.')
  return dot < 0 ? undefined : { label: label.slice(dot + 1), domain }
}

/** Skeleton of a label; labels that look alike have equal skeletons. */
export const skeletonOf = (label: string): string =>
  label.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('-', '')

/** Text that resolves to an account or an asset definition through ledger rows. */
export type AliasText =
  | ({ readonly kind: 'name' } & NameId)
  | { readonly kind: 'iban'; readonly iban: string }
  | { readonly kind: 'currency'; readonly currency: string }

const IBAN_PREFIX = 'iban:'
const CURRENCY_PREFIX = 'ccy:'

/**
 * Read `path@domain`, `iban:IBAN` or `ccy:EUR` in canonical form; undefined for any other text. The path of a name may
 * be an ABI 1 label, which does not match the current grammar.
 */
export function parseAliasText(text: string): AliasText | undefined {
  if (text.includes('@')) {
    const name = parseAlias(text)
    return name && { kind: 'name', ...name }
  }
  if (text.startsWith(IBAN_PREFIX)) {
    const number = text.slice(IBAN_PREFIX.length)
    return iban.fromJson(number).ok ? { kind: 'iban', iban: number } : undefined
  }
  if (text.startsWith(CURRENCY_PREFIX)) {
    const currency = text.slice(CURRENCY_PREFIX.length)
    return currencyCode.fromJson(currency).ok ? { kind: 'currency', currency } : undefined
  }
  return undefined
}

/** Text of an account: its address, or an alias that resolves to an account. */
export type AccountText =
  | { readonly kind: 'account'; readonly account: AccountId }
  | Extract<AliasText, { kind: 'name' | 'iban' }>

/** Read the canonical text of an account; undefined for any other text. */
export function parseAccountText(text: string, addressPrefix: string | undefined): AccountText | undefined {
  const alias = parseAliasText(text)
  if (alias !== undefined) return alias.kind === 'currency' ? undefined : alias
  const account = parseAddress(text, addressPrefix)
  return account === undefined ? undefined : { kind: 'account', account }
}

/** Text of an asset definition: `name#domain`, or an alias that resolves to a definition. */
export type AssetText =
  | { readonly kind: 'definition'; readonly definition: string }
  | Extract<AliasText, { kind: 'name' | 'currency' }>

/** Read the canonical text of an asset definition; undefined for any other text. */
export function parseAssetText(text: string): AssetText | undefined {
  const alias = parseAliasText(text)
  if (alias !== undefined) return alias.kind === 'iban' ? undefined : alias
  return assetDefinitionFault(text) === undefined ? { kind: 'definition', definition: text } : undefined
}

/** Kind of a name: assigned by the owner of the domain, leased for years, or created by the holder of its parent. */
export const NAME_KINDS = { assigned: 0, leased: 1, sub: 2 } as const
export type NameKind = keyof typeof NAME_KINDS
export const nameKind = unitEnum('NameKind', NAME_KINDS)

/** Fields that determine the standing of a name. */
export interface StandingRow {
  readonly kind: NameKind
  readonly incarnation: Incarnation
  readonly expiresMs: number | undefined
  readonly graceUntilMs: number | undefined
  readonly quarantineUntilMs: number | undefined
  /** Registration of the parent, for a subname. */
  readonly parent: Incarnation | undefined
}

/** Rows of names and their accounts at one height. */
export interface NameRows<Row extends StandingRow = StandingRow> {
  row(name: NameId): Row | undefined
  account(name: NameId): AccountId | undefined
}

/**
 * Standing of a name: assigned names are `live`; leased names are `active`, then in `grace`, in `quarantine` and
 * `open`. Names in quarantine and open names do not resolve.
 */
export const NAME_STANDINGS = { live: 0, active: 1, grace: 2, quarantine: 3, open: 4 } as const
export type NameStanding = keyof typeof NAME_STANDINGS

/** True if a name of this standing resolves to an account. */
export const resolves = (standing: NameStanding | undefined): boolean =>
  standing === 'live' || standing === 'active' || standing === 'grace'

/** True if the row has expired at a time; an absent time never expires. */
const isPast = (untilMs: number | undefined, timeMs: number): boolean => untilMs !== undefined && timeMs >= untilMs

/** Standing of a name at a header time; undefined if it has neither a row nor an account. */
export function nameStanding(rows: NameRows, name: NameId, timeMs: number): NameStanding | undefined {
  const row = rows.row(name)
  // A label of ABI 1 has no row until an instruction writes it.
  if (row === undefined) return rows.account(name) === undefined ? undefined : 'live'
  if (row.kind === 'assigned') return 'live'
  if (row.kind === 'leased') {
    if (!isPast(row.expiresMs, timeMs)) return 'active'
    if (!isPast(row.graceUntilMs, timeMs)) return 'grace'
    return isPast(row.quarantineUntilMs, timeMs) ? 'open' : 'quarantine'
  }
  const parent = parentOf(name)
  const above = parent && rows.row(parent)
  if (parent === undefined || above === undefined || row.parent === undefined) return 'open'
  if (isPast(row.expiresMs, timeMs) || !sameIncarnation(row.parent, above.incarnation)) return 'open'
  return nameStanding(rows, parent, timeMs)
}
