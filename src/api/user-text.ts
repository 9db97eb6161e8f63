/**
 * Owns the canonical form of user texts for accounts and asset definitions. Gateways and clients apply it before they
 * query the ledger, which supports only the ASCII grammar of names.
 */
import { areGenerated, remainderBy97 } from '../base/mod97.js'
import { parseAlias, parseName } from '../model/index.js'

/** Fault of a text. Its message never quotes the text, which may be personal data. */
export interface TextFault {
  readonly code: 'bad_name' | 'plaintext_identifier'
  readonly message: string
}

/**
 * Spellings of a text for ledger lookups: the canonical one first; then the text itself if it is an alias of ABI 1 that
 * the current grammar does not allow, such as `Bob_1@bank`.
 */
export type CanonicalTexts = readonly [text: string, exact?: string]

/** Pattern of personal identifiers that must not reach a gateway in plain text. */
const PLAINTEXT = /^(?:phone|mailto):/i
const IBAN = /^iban:(.*)$/is
const CURRENCY = /^ccy:(.*)$/is
const IBAN_SHAPE = /^[A-Z]{2}([0-9]{2})[A-Z0-9]{1,30}$/
const NON_ASCII = /[^\p{ASCII}]/u

/** Rules of UTS #46 for the labels of a path. */
const UTS46 = {
  checkHyphens: true,
  checkBidi: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const

const badName = (message: string): TextFault => ({ code: 'bad_name', message })

/** Path with its labels in ASCII; undefined if UTS #46 refuses it. ASCII characters are mapped only to lower case. */
async function asciiPath(path: string): Promise<string | undefined> {
  if (!NON_ASCII.test(path)) return path.toLowerCase()
  // Loads tables of 200 kB, so only when needed.
  const { toASCII } = await import('tr46')
  return toASCII(path, UTS46) ?? undefined
}

async function canonicalName(text: string): Promise<CanonicalTexts | TextFault> {
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  const path = await asciiPath(text.slice(0, at))
  const canonical = path === undefined ? undefined : `${path}@${domain}`
  const isExact = parseAlias(text) !== undefined
  if (canonical === undefined || parseName(canonical) === undefined) {
    return isExact ? [text] : badName('a name is written path@domain, with up to 4 labels of a-z, 0-9 and hyphens')
  }
  return isExact && text !== canonical ? [canonical, text] : [canonical]
}

function canonicalIban(text: string): CanonicalTexts | TextFault {
  const iban = text.replaceAll(' ', '').toUpperCase()
  const digits = IBAN_SHAPE.exec(iban)?.[1]
  const isValid = digits !== undefined && areGenerated(digits) && remainderBy97(iban.slice(4) + iban.slice(0, 4)) === 1
  return isValid ? [`iban:${iban}`] : badName('iban: expected an IBAN with valid check digits')
}

function canonicalCurrency(text: string): CanonicalTexts | TextFault {
  const code = text.toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? [`ccy:${code}`] : badName('ccy: expected a currency code of three letters')
}

/**
 * Canonical forms of the text of an account or asset definition. Addresses and ids of definitions have one form and are
 * returned unchanged.
 */
export async function canonicalTexts(text: string): Promise<CanonicalTexts | TextFault> {
  if (PLAINTEXT.test(text)) {
    return {
      code: 'plaintext_identifier',
      message: 'phone numbers and e-mail addresses are not accepted in plain text',
    }
  }
  if (text.includes('@')) return canonicalName(text)
  if (text.includes('#')) return [text]
  const iban = IBAN.exec(text)?.[1]
  if (iban !== undefined) return canonicalIban(iban)
  const currency = CURRENCY.exec(text)?.[1]
  return currency === undefined ? [text] : canonicalCurrency(currency)
}
