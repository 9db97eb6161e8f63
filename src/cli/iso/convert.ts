/** Owns conversions between the forms of a payment message. */
import {
  type Amount,
  type FlatPairs,
  fitsLine,
  flatJson,
  flatLines,
  flatPairs,
  flatXml,
  messageXml,
  PAYMENT_FAMILIES,
  type Payment,
  type PaymentFamilyName,
  type Payments,
  parseAmount,
  parsePayment,
  parsePayments,
} from '../../features/iso20022/message/index.js'
import { PIN_NAMES } from '../../features/iso20022/message/pins.js'
import { LedgerError } from '../../model/errors.js'
import type { Form } from './forms.js'
import { faultsOf } from './iso.js'

/** Payments of a body; throws an error with all faults, including faults of single payments. */
export function paymentsOf(name: string, body: Uint8Array, family?: PaymentFamilyName): Payments {
  const result = parsePayments(body, { family })
  if (!result.ok) throw faultsOf(name, result.stage, result.faults)
  const { payments } = result.message
  const faults = payments.flatMap((one) => (one.ok ? [] : one.faults))
  if (faults.length > 0) throw faultsOf(name, 'invalid', faults)
  const [first, ...others] = payments.flatMap((one) => (one.ok ? [one.payment] : []))
  if (first === undefined) throw new Error('an accepted message has no payment')
  return [first, ...others]
}

/** Payment of a body with exactly one payment; throws an error with all its faults. */
export function paymentOf(name: string, body: Uint8Array, family?: PaymentFamilyName): Payment {
  const result = parsePayment(body, { family })
  if (!result.ok) throw faultsOf(name, result.stage, result.faults)
  return result.payment
}

/**
 * Write the payments of a message in a form, preserving every value exactly. `createdAt` is used if XML needs a
 * creation time and the message has none. Throws `bad_value` if the form cannot represent a value: the result is read
 * back and compared.
 */
export function written(payments: Payments, form: Form, createdAt: string): string {
  const [{ family }] = payments
  const pairs = flatPairs(payments)
  const unfit = form === 'flat' ? pairs.find(([, value]) => !fitsLine(value)) : undefined
  if (unfit !== undefined) {
    throw new LedgerError(
      'bad_value',
      `cannot write ${unfit[0]} as a line: it contains a line break, or begins or ends with a blank`,
      {
        hint: 'The form json can represent every text.',
      },
    )
  }
  const text = textOf(payments, pairs, form, createdAt)
  const kept = new Map(flatPairs(paymentsOf(`${family} as ${form}`, Buffer.from(text), family)))
  const lost = pairs.find(([key, value]) => kept.get(key) !== value)
  if (lost === undefined) return text
  throw new LedgerError(
    'bad_value',
    `cannot write ${family} as ${form}: ${lost[0]} would be read back as another value`,
  )
}

function textOf(payments: Payments, pairs: FlatPairs, form: Form, createdAt: string): string {
  const [{ family }] = payments
  if (form === 'xml') return messageXml(payments, createdAt)
  if (form === 'flat') return flatLines(pairs)
  return form === 'json' ? flatJson(pairs, family) : flatXml(pairs, family)
}

/** Amount of a text in a currency; throws `bad_value`. */
export function amountOf(text: string, currency: string): Amount {
  const parsed = parseAmount(text, currency)
  if (parsed.ok && parsed.amount.mantissa > 0n) return parsed.amount
  throw new LedgerError('bad_value', `${text}: expected ${parsed.ok ? 'more than zero' : parsed.problem.expected}`)
}

/** XML leaf elements that the bridge does not read, by name; empty for a flat body. */
export function unread(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString('utf8')
  if (!/^\s*</.test(text) || text.includes('<ISO20022')) return []
  const read = new Set(['IntrBkSttlmAmt', 'Ustrd', 'NbOfTxs', 'CtrlSum', 'TtlIntrBkSttlmAmt', ...PIN_NAMES])
  for (const { fields } of PAYMENT_FAMILIES) {
    // The duplicate mark of a message is read, but is not part of the payment.
    for (const { name, places } of fields) {
      if (name !== 'copyDuplicate') for (const place of places) read.add(place.split('/').at(-1) ?? '')
    }
  }
  const names = new Set<string>()
  // The body was parsed as a valid message before, so its tags can be recognised by pattern.
  for (const [, name = ''] of text.matchAll(/<(?:[\w.-]+:)?([\w.-]+)(?: [^<>]*)?>[^<>]+<\//g)) {
    if (!read.has(name)) names.add(name)
  }
  return [...names].sort()
}
