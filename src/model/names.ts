/** Owns the text forms of ids: names, domains, asset definitions, labels, aliases (docs/design/ledger.md 3). */
import { type Schema, string, text } from '../codec/index.js'
import { CHAIN_ID_MAX_BYTES, NAME_MAX_BYTES } from './limits.js'

const NAME = /^[!-~]+$/
const FORBIDDEN = /[@#$/]/
const NEW_CHAIN = /^[A-Za-z0-9._:-]+$/

/** Fault of a name, or undefined if valid: ASCII, no white space, none of `@ # $ /`, 1 to 128 bytes. */
export function nameFault(value: string): string | undefined {
  if (value.length === 0) return 'a name must not be empty'
  if (value.length > NAME_MAX_BYTES) return `a name must have at most ${NAME_MAX_BYTES} bytes`
  if (!NAME.test(value)) return 'a name must have visible ASCII characters only'
  if (FORBIDDEN.test(value)) return 'a name must not contain @ # $ /'
  return undefined
}

/** Fault of an asset definition id `name#domain`, or undefined if valid. */
export function assetDefinitionFault(value: string): string | undefined {
  const at = value.indexOf('#')
  if (at < 0) return 'an asset definition is written name#domain'
  return nameFault(value.slice(0, at)) ?? nameFault(value.slice(at + 1))
}

/** Fault of an NFT id `name$domain`, or undefined if valid. */
export function nftFault(value: string): string | undefined {
  const at = value.indexOf('$')
  if (at < 0) return 'an NFT is written name$domain'
  return nameFault(value.slice(0, at)) ?? nameFault(value.slice(at + 1))
}

/** Regular expression for names, without anchors. */
export const NAME_PATTERN = `[!-"%-.0-?A-~]{1,${NAME_MAX_BYTES}}`
/** An alias `label@domain`, without anchors. */
export const ALIAS_PATTERN = `${NAME_PATTERN}@${NAME_PATTERN}`
const whole = (pattern: string): string => `^${pattern}$`

/** Name of a role, a trigger or a metadata key. */
export const name: Schema<string> = text('Name', NAME_MAX_BYTES, nameFault, whole(NAME_PATTERN))
/** Domain id: a name. */
export const domainId: Schema<string> = text('DomainId', NAME_MAX_BYTES, nameFault, whole(NAME_PATTERN))
/** Asset definition id `name#domain`. */
export const assetDefinitionId: Schema<string> = text(
  'AssetDefinitionId',
  2 * NAME_MAX_BYTES + 1,
  assetDefinitionFault,
  whole(`${NAME_PATTERN}#${NAME_PATTERN}`),
)
/** NFT id `name$domain`. */
export const nftId: Schema<string> = text(
  'NftId',
  2 * NAME_MAX_BYTES + 1,
  nftFault,
  whole(`${NAME_PATTERN}\\$${NAME_PATTERN}`),
)
/** Chain id: an opaque text that every transaction and header contains. */
export const chainId: Schema<string> = string(CHAIN_ID_MAX_BYTES)

/**
 * Fault of the chain id of a new network, or undefined if valid. The ledger accepts any text; a manifest accepts only
 * text that can be typed, and used in a log line or a file name without quotes.
 */
export function newChainFault(value: string): string | undefined {
  if (value.length === 0) return 'a chain id must not be empty'
  if (value.length > CHAIN_ID_MAX_BYTES) return `a chain id must have at most ${CHAIN_ID_MAX_BYTES} bytes`
  return NEW_CHAIN.test(value) ? undefined : 'a chain id must consist of letters, digits and . _ - :, without blanks'
}

/** Domain part of an asset definition id. */
export const domainOfDefinition = (definition: string): string => definition.slice(definition.indexOf('#') + 1)
/** Name part of an asset definition id. */
export const nameOfDefinition = (definition: string): string => definition.slice(0, definition.indexOf('#'))

/** Domain part of an NFT id. */
export const domainOfNft = (nft: string): string => nft.slice(nft.indexOf('$') + 1)

/** Split an alias `label@domain`; undefined if malformed. */
export function parseAlias(value: string): { label: string; domain: string } | undefined {
  const at = value.indexOf('@')
  if (at < 0) return undefined
  const label = value.slice(0, at)
  const domain = value.slice(at + 1)
  return nameFault(label) === undefined && nameFault(domain) === undefined ? { label, domain } : undefined
}
