/** Owns the writing of payments: as flat pairs in their three forms, and as XML that is valid by its schema. */

import { escapeXml } from '../schema/xml-text.js'
import { type FieldRow, PAYMENT_ELEMENT, PAYMENT_FAMILIES, type PaymentFamily } from './families.js'
import type { Payment } from './payment.js'
import { PIN_NAMES, type PinName } from './pins.js'
import { formatAmount } from './values/amount.js'
import { collapse } from './values/blanks.js'

/** Payments of one message, at least one. */
export type Payments = readonly [Payment, ...Payment[]]

/** Keys and values of the flat form, in the order of the message. */
export type FlatPairs = readonly (readonly [key: string, value: string])[]

/** Namespace of the pins in SplmtryData, which are not elements of ISO 20022. */
const PIN_NAMESPACE = 'urn:causeway:pin:1'
/** Defaults of elements that a schema requires and a flat message may omit. */
const DEFAULTS = { endToEndId: 'NOTPROVIDED', chargeBearer: 'SHAR', settlementMethod: 'CLRG' } as const

const pinsOf = ({ pins }: Payment): [PinName, string][] => {
  const { sourceAccount, sourceAddress, targetAccount, targetAddress, ledgerId, assetDefinition } = pins
  const values: Record<PinName, string | undefined> = {
    LedgerId: ledgerId,
    SourceAccountId: sourceAccount,
    SourceAccountAddress: sourceAddress,
    TargetAccountId: targetAccount,
    TargetAccountAddress: targetAddress,
    AssetDefinitionId: assetDefinition,
  }
  return PIN_NAMES.flatMap((name): [PinName, string][] => {
    const value = values[name]
    return value === undefined ? [] : [[name, value]]
  })
}

const familyOf = (payment: Payment): PaymentFamily => {
  const family = PAYMENT_FAMILIES.find((one) => one.family === payment.family)
  if (family === undefined) throw new Error(`family ${payment.family} has no field table`)
  return family
}

/** True for a field that a message has once for all of its payments. */
const isOfMessage = ({ places }: FieldRow): boolean => places.every((place) => !place.startsWith('T/'))

/** Flat pairs that parse to these payments of one message; keys of a payment among several contain its number. */
export function flatPairs(payments: Payments): FlatPairs {
  const [first] = payments
  const pairs: [string, string][] = []
  if (first.family === 'pacs.008') pairs.push(['MsgDefIdr', first.definition])
  const isSeveral = payments.length > 1
  const fieldPairs = (payment: Payment, rows: readonly FieldRow[], prefix: string): void => {
    const values: ReadonlyMap<string, unknown> = new Map(Object.entries(payment))
    for (const { name, flat } of rows) {
      const value = values.get(name)
      if (typeof value === 'string') pairs.push([`${prefix}${flat}`, value])
    }
  }
  const { fields } = familyOf(first)
  if (isSeveral) fieldPairs(first, fields.filter(isOfMessage), '')
  for (const [at, payment] of payments.entries()) {
    const prefix = isSeveral ? `${PAYMENT_ELEMENT}[${at + 1}]/` : ''
    fieldPairs(payment, isSeveral ? fields.filter((row) => !isOfMessage(row)) : fields, prefix)
    pairs.push([`${prefix}IntrBkSttlmAmt`, formatAmount(payment.amount)], [`${prefix}IntrBkSttlmCcy`, payment.currency])
    payment.creditorInstructions?.forEach((code, index) => {
      pairs.push([`${prefix}InstrForCdtrAgt[${index + 1}]/Cd`, code])
    })
    payment.remittance?.forEach((line, index) => {
      pairs.push([`${prefix}RmtInf/Ustrd[${index + 1}]`, line])
    })
    for (const [name, value] of pinsOf(payment)) pairs.push([`${prefix}SplmtryData/${name}`, value])
  }
  return pairs
}

/** True if a value can be written as a line. The form has no escapes: a line break ends the value, and surrounding blanks are removed. */
export const fitsLine = (value: string): boolean => !/[\r\n]/.test(value) && collapse(value) === value

/** `Key=Value` lines of values that `fitsLine` accepts. */
export const flatLines = (pairs: FlatPairs): string => `${pairs.map(([key, value]) => `${key}=${value}`).join('\n')}\n`

/** Pairs in the flat JSON form. */
export const flatJson = (pairs: FlatPairs, family: string): string =>
  `${JSON.stringify({ message: family, ...Object.fromEntries(pairs) }, null, 2)}\n`

/** Pairs in the flat XML form. */
export const flatXml = (pairs: FlatPairs, family: string): string =>
  `<ISO20022 message="${family}">\n${pairs.map(([key, value]) => `  <Field path="${escapeXml(key)}">${escapeXml(value)}</Field>\n`).join('')}</ISO20022>\n`

/**
 * Element with its content on separate indented lines; '' if there is no content. No value has a line break: see
 * `escapeXml`.
 */
function wrap(name: string, ...content: readonly string[]): string {
  const inner = content.filter((one) => one !== '').join('')
  return inner === '' ? '' : `<${name}>\n${inner.replace(/^(?=.)/gm, '  ')}</${name.split(' ')[0]}>\n`
}
const leaf = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `<${name}>${escapeXml(value)}</${name.split(' ')[0]}>\n`

const institution = (bic: string | undefined): string => wrap('FinInstnId', leaf('BICFI', bic))
const agent = (name: string, bic: string | undefined): string => wrap(name, institution(bic))
const account = (name: string, iban: string): string => wrap(name, wrap('Id', leaf('IBAN', iban)))
/** Required party element, possibly empty. */
const party = (name: string, text: string | undefined): string =>
  text === undefined ? `<${name}/>\n` : wrap(name, leaf('Nm', text))

function supplementary(payment: Payment): string {
  const pins = pinsOf(payment)
  if (pins.length === 0) return ''
  const inner = wrap(`Pins xmlns="${PIN_NAMESPACE}"`, ...pins.map(([name, value]) => leaf(name, value)))
  return wrap('SplmtryData', wrap('Envlp', inner))
}

function header(payment: Payment, createdAt: string): string {
  const side = (name: string, bic: string | undefined): string => wrap(name, wrap('FIId', institution(bic)))
  return wrap(
    'AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"',
    side('Fr', payment.instructingBic),
    side('To', payment.instructedBic),
    leaf('BizMsgIdr', payment.messageId),
    leaf('MsgDefIdr', payment.definition),
    leaf('CreDt', createdAt),
  )
}

function transactionXml(payment: Payment): string {
  const is8 = payment.family === 'pacs.008'
  const purpose = wrap('Purp', leaf((payment.purpose ?? '').length > 4 ? 'Prtry' : 'Cd', payment.purpose))
  const ids = wrap(
    'PmtId',
    leaf('InstrId', payment.instructionId),
    leaf('EndToEndId', payment.endToEndId ?? DEFAULTS.endToEndId),
    leaf('TxId', payment.transactionId),
    leaf('UETR', payment.uetr),
  )
  const parties = is8
    ? [
        party('Dbtr', payment.debtorName),
        account('DbtrAcct', payment.debtorIban),
        agent('DbtrAgt', payment.debtorBic),
        agent('CdtrAgt', payment.creditorBic),
        party('Cdtr', payment.creditorName),
        account('CdtrAcct', payment.creditorIban),
      ]
    : [
        agent('Dbtr', payment.debtorBic ?? payment.instructingBic),
        account('DbtrAcct', payment.debtorIban),
        agent('Cdtr', payment.creditorBic ?? payment.instructedBic),
        account('CdtrAcct', payment.creditorIban),
      ]
  return wrap(
    PAYMENT_ELEMENT,
    ids,
    leaf(`IntrBkSttlmAmt Ccy="${payment.currency}"`, formatAmount(payment.amount)),
    leaf('IntrBkSttlmDt', payment.settlementDate),
    is8 ? leaf('ChrgBr', payment.chargeBearer ?? DEFAULTS.chargeBearer) : '',
    agent('InstgAgt', payment.instructingBic),
    agent('InstdAgt', payment.instructedBic),
    ...parties,
    ...(payment.creditorInstructions ?? []).map((code) => wrap('InstrForCdtrAgt', leaf('Cd', code))),
    purpose,
    wrap('RmtInf', ...(payment.remittance ?? []).map((line) => leaf('Ustrd', line))),
    supplementary(payment),
  )
}

/**
 * Payments of a message as XML that is valid by its schema: pacs.008 as a Document, pacs.009 with its header in an
 * envelope. `createdAt` is used if the message has no creation time; other elements that a schema requires and a flat
 * message may omit get their neutral value (EndToEndId NOTPROVIDED, ChrgBr SHAR, SttlmMtd CLRG).
 */
export function messageXml(payments: Payments, createdAt: string): string {
  const [first] = payments
  const is8 = first.family === 'pacs.008'
  const created = first.creationTime ?? createdAt
  const groupHeader = wrap(
    'GrpHdr',
    leaf('MsgId', first.messageId),
    leaf('CreDtTm', created),
    leaf('NbOfTxs', String(payments.length)),
    wrap('SttlmInf', leaf('SttlmMtd', first.settlementMethod ?? DEFAULTS.settlementMethod)),
  )
  const { body } = familyOf(first)
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${first.definition}`
  const document = wrap(`Document xmlns="${namespace}"`, wrap(body, groupHeader, ...payments.map(transactionXml)))
  const declared = '<?xml version="1.0" encoding="UTF-8"?>\n'
  return is8 ? declared + document : declared + wrap('Envelope', header(first, created), document)
}
