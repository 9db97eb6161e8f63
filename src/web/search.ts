/** Owns the interpretation of a search text: possible kinds of ids by their form, the likeliest first. */

/** Possible match of a text. */
export type Found =
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'transaction'; readonly id: string }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'name'; readonly id: string }
  | { readonly kind: 'asset'; readonly id: string }
  | { readonly kind: 'nft'; readonly id: string }
  | { readonly kind: 'payment'; readonly id: string }
  | { readonly kind: 'contract'; readonly id: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'validator'; readonly id: string }
  | { readonly kind: 'reference'; readonly id: string }

/** Maximum length of a search text, in characters: an alias of two long names. */
const TEXT_MAX = 300
/** Message id by the rules of the ledger (docs/design/iso20022.md 3). */
const MESSAGE_ID = /^[0-9A-Za-z/\-?:().,'+ ]{1,35}$/

/** Multihash text of a BLS key, with or without the name of its algorithm. */
const VALIDATOR_KEY = /^(bls:)?ea0130[0-9a-f]{96}$/i
/** Maximum length of an end-to-end id, in characters: Max35Text. */
const REFERENCE_MAX = 35
/** Unique end-to-end transaction reference: a UUID of version 4. */
const UETR = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** Conference call: domain and name. */
const CALL_ID = /^[^\s@#$:]+:[^\s@#$:]+$/

/**
 * Possible matches of a text, in order; empty if it does not have the form of an id. `addressPrefix`: address prefix of
 * the chain, if known.
 */
export function candidates(input: string, addressPrefix = 'cw'): readonly Found[] {
  const text = input.trim().slice(0, TEXT_MAX)
  const found: Found[] = []
  const bare = text.replace(/^0x/i, '')
  if (/^[0-9a-f]{64}$/i.test(bare)) {
    const id = bare.toLowerCase()
    return [
      { kind: 'transaction', id },
      { kind: 'block', id },
    ]
  }
  const height = text.replace(/^#/, '').replace(/(?<=\d)[, _](?=\d{3})/g, '')
  if (/^[1-9][0-9]{0,14}$/.test(height)) found.push({ kind: 'block', id: height })
  if (text.toLowerCase().startsWith(`${addressPrefix}1`) && /^[a-z0-9]{20,}$/i.test(text)) {
    const id = text.toLowerCase()
    return [
      { kind: 'contract', id },
      { kind: 'account', id },
    ]
  }
  if (/^[^\s@#$:]+@[^\s@#$:]+$/.test(text)) {
    return [
      { kind: 'contract', id: text },
      { kind: 'name', id: text },
      { kind: 'account', id: text },
    ]
  }
  if (VALIDATOR_KEY.test(text)) return [{ kind: 'validator', id: text }]
  if (UETR.test(text)) return [{ kind: 'reference', id: text.toLowerCase() }]
  if (CALL_ID.test(text)) found.push({ kind: 'call', id: text })
  if (/^[^\s@#$]+#[^\s@#$]+$/.test(text)) return [{ kind: 'asset', id: text }]
  if (/^[^\s@#$]+\$[^\s@#$]+$/.test(text)) return [{ kind: 'nft', id: text }]
  if (MESSAGE_ID.test(text)) found.push({ kind: 'payment', id: text })
  if (text !== '' && text.length <= REFERENCE_MAX) found.push({ kind: 'reference', id: text })
  return found
}
