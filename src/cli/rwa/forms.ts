/** Owns the command line forms of lots: arguments, papers, columns of lists. */
import { Args, Flags } from '@oclif/core'
import type { Json } from '../../codec/index.js'
import { parseLedgerDuration } from '../input/duration.js'
import { assetArg } from '../input/texts.js'
import { hashOf } from '../input/values.js'
import { usageError } from '../terminal/failure.js'

export const classArg = {
  class: assetArg({ description: 'class: asset definition name#domain', required: true, ignoreStdin: true }),
}
export const lotArg = {
  lot: Args.string({ description: 'lot, as name#domain/number', required: true, ignoreStdin: true }),
}
export const holdArg = { hold: Args.integer({ description: 'id of the hold', required: true, min: 1 }) }
export const reasonFlag = {
  reason: Flags.string({ description: 'reason, at most 128 bytes; it is public', required: true }),
}

/** Class and number of a lot, for its routes. Throws `usage`. */
export function lotPath(text: string): { readonly class: string; readonly number: string } {
  const [, definition, number] = /^(.+)\/([1-9][0-9]{0,15})$/.exec(text) ?? []
  if (definition === undefined || number === undefined) {
    throw usageError(`"${text}" is not a lot`, 'Write its class and number, for example gold#bank/7.')
  }
  return { class: definition, number }
}

/** Lots of the arguments of a command that takes any number of them. Throws `usage`. */
export function lotsOf(texts: readonly unknown[]): readonly string[] {
  const lots = texts.map(String)
  for (const lot of lots) lotPath(lot)
  return lots
}

/** Time at the end of a duration from now; null without a duration. */
export const timeAfter = (duration: string | undefined, flag: string): number | null =>
  duration === undefined ? null : Date.now() + parseLedgerDuration(duration, flag)

export const paperFlags = {
  grade: Flags.string({ description: 'grade, at most 32 bytes', default: '' }),
  reference: Flags.string({ description: 'reference of the issuer, at most 64 bytes', default: '' }),
  'document-hash': Flags.string({ description: 'hash of the document behind the lot: 64 hex digits' }),
  'expires-in': Flags.string({ description: 'time until the papers expire, such as 90d' }),
  attribute: Flags.string({ description: 'attribute as key=value; may be repeated', multiple: true }),
}

/** Papers of a lot. Throws `usage`. */
export function papersOf(flags: {
  readonly grade: string
  readonly reference: string
  readonly 'document-hash'?: string | undefined
  readonly 'expires-in'?: string | undefined
  readonly attribute?: readonly string[] | undefined
}) {
  const document = flags['document-hash']
  const attributes: Record<string, Json> = {}
  for (const text of flags.attribute ?? []) {
    const at = text.indexOf('=')
    if (at < 1) throw usageError(`--attribute: "${text}" is not key=value`)
    attributes[text.slice(0, at)] = text.slice(at + 1)
  }
  return {
    grade: flags.grade,
    reference: flags.reference,
    attributes,
    document_hash: document === undefined ? null : hashOf(document),
    expires_ms: timeAfter(flags['expires-in'], '--expires-in'),
  }
}

/** Columns of a list of lots. */
export const LOT_COLUMNS = {
  LOT: 'id',
  HOLDER: 'holder',
  QUANTITY: 'quantity',
  FREE: 'free',
  FROZEN: 'frozen',
  GRADE: 'grade',
  REFERENCE: 'reference',
}
