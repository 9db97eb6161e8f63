/** Owns the keys of the flat forms, with or without the number of a payment, and the fields that they denote. */
import {
  AMOUNT_PLACE,
  type FieldRow,
  INSTRUCTION_PLACE,
  PAYMENT_ELEMENT,
  PAYMENT_FAMILIES,
  type PaymentFamily,
  placePath,
} from './families.js'
import { isPinName, type PinName } from './pins.js'

/** Key of the currency, which is an attribute of the amount in XML. */
export const CURRENCY_KEY = 'IntrBkSttlmCcy'
export const AMOUNT_KEY = 'IntrBkSttlmAmt'
/** Key of a code for the agent of the creditor, without an optional number. */
const INSTRUCTION_KEY = 'InstrForCdtrAgt/Cd'
const DEFINITION_KEY = 'MsgDefIdr'
const REMITTANCE = /^RmtInf\/Ustrd(?:\[[0-9]{1,5}\])?$/
const PIN_PREFIX = 'SplmtryData/'
const PAYMENTS_PATTERN = `^/?(?:(?:Document(?:\\[1\\])?/)?[A-Za-z]+(?:\\[1\\])?/)?${PAYMENT_ELEMENT}`
/** Key of the list of payments. */
const PAYMENTS = new RegExp(`${PAYMENTS_PATTERN}$`)
/** A key of one payment among several: the number of the payment, and the key that follows it. */
const NUMBERED = new RegExp(`${PAYMENTS_PATTERN}\\[([1-9][0-9]{0,6})\\]/(.+)$`)
/** A key that contains a payment number anywhere, valid or not. */
const WITH_NUMBER = new RegExp(`(?:^|/)${PAYMENT_ELEMENT}\\[`)

/** Meaning of the value of a key. */
export type KeyTarget =
  | { readonly kind: 'field'; readonly row: FieldRow }
  | { readonly kind: 'amount' | 'currency' | 'instruction' | 'remittance' | 'definition' }
  | { readonly kind: 'pin'; readonly name: PinName | undefined }

/** True if a key names the message definition. */
export const isDefinitionKey = (key: string): boolean =>
  key === DEFINITION_KEY || (key.includes('/') && pathsOf('H/MsgDefIdr').includes(plainPath(key)))

/** True for the key of the list of payments, which has one entry per payment. */
export const isPaymentsKey = (key: string): boolean => PAYMENTS.test(key)

/** Number of the payment that a key belongs to, and the key without it; the number is undefined for a key of the message. */
export function splitKey(key: string): { readonly place: number | undefined; readonly key: string } {
  const match = key.includes(PAYMENT_ELEMENT) ? NUMBERED.exec(key) : null
  const [, number, below] = match ?? []
  return number === undefined || below === undefined ? { place: undefined, key } : { place: Number(number), key: below }
}

/**
 * True for a key with an invalid payment number, such as 0, or with nothing after the number. Its value does not belong
 * to any payment.
 */
export const isMisnumbered = (key: string): boolean => WITH_NUMBER.test(key) && !NUMBERED.test(key)

/** Meaning of a key without the number of a payment; undefined: unknown in the family. */
export function targetOf(key: string, family: PaymentFamily): KeyTarget | undefined {
  if (REMITTANCE.test(key)) return { kind: 'remittance' }
  if (key.includes(PIN_PREFIX)) {
    const name = key.slice(key.lastIndexOf('/') + 1)
    return { kind: 'pin', name: isPinName(name) ? name : undefined }
  }
  const targets = targetsOf(family)
  return targets.get(key) ?? (key.includes('/') ? targets.get(plainPath(key)) : undefined)
}

/** Path without numbers, from the root. */
const plainPath = (key: string): string => `/${key.replace(/\[[0-9]+\]/g, '').replace(/^\//, '')}`

/** Paths of a place, without numbers: complete, without Document, and below the payment. */
function pathsOf(place: string): readonly string[] {
  const below = place.startsWith('T/') ? [place.slice(1)] : []
  return PAYMENT_FAMILIES.flatMap(({ body }) => {
    const path = placePath(body, place, 0)
    return path.startsWith('/Document/') ? [path, path.slice('/Document'.length)] : [path]
  }).concat(below)
}

const known = new WeakMap<PaymentFamily, ReadonlyMap<string, KeyTarget>>()

/** Meaning of each key of a family, by its short name and by its paths. */
function targetsOf(family: PaymentFamily): ReadonlyMap<string, KeyTarget> {
  const before = known.get(family)
  if (before !== undefined) return before
  const targets = new Map<string, KeyTarget>()
  const add = (target: KeyTarget, key: string, ...places: readonly string[]): void => {
    for (const one of [key, ...places.flatMap(pathsOf)]) if (!targets.has(one)) targets.set(one, target)
  }
  for (const row of family.fields) add({ kind: 'field', row }, row.flat, ...row.places)
  add({ kind: 'amount' }, AMOUNT_KEY, AMOUNT_PLACE)
  add({ kind: 'currency' }, CURRENCY_KEY, `${AMOUNT_PLACE}/@Ccy`)
  add({ kind: 'instruction' }, INSTRUCTION_KEY, INSTRUCTION_PLACE)
  add({ kind: 'definition' }, DEFINITION_KEY, 'H/MsgDefIdr')
  known.set(family, targets)
  return targets
}
