/** Owns the declarative description of the payment families: their structure, and the place of each field of a payment. */
import type { PaymentFamilyName } from './payment.js'
import type { ReasonCode } from './reasons.js'
import { type MessageRule, PACS_008_RULES, PACS_009_RULES } from './rules.js'
import { PACS_008_001_08 } from './structure/pacs008.js'
import { PACS_009_001_10 } from './structure/pacs009.js'
import { type Content, compile } from './structure/schema.js'
import { checkMessageId } from './values/identifier.js'
import type { ValueCheck } from './values/problem.js'

/** Fields with one value; amount, currency, remittance and pins are read separately. */
export type FieldName =
  | 'messageId'
  | 'definition'
  | 'creationTime'
  | 'settlementDate'
  | 'debtorIban'
  | 'creditorIban'
  | 'debtorBic'
  | 'creditorBic'
  | 'instructingBic'
  | 'instructedBic'
  | 'endToEndId'
  | 'instructionId'
  | 'transactionId'
  | 'uetr'
  | 'purpose'
  | 'settlementMethod'
  | 'chargeBearer'
  | 'debtorName'
  | 'creditorName'
  | 'copyDuplicate'

/** Field: its place in the message and its check. */
export interface FieldRow {
  readonly name: FieldName
  /** Places in order of precedence: H/ is AppHdr, G/ the group header, T/ the transaction. */
  readonly places: readonly string[]
  /** Place that is accepted with a remark if all others are empty. */
  readonly fallback?: string
  /** Value type of values/leaf.ts. */
  readonly type: string
  /** Check in addition to the type. */
  readonly rule?: ValueCheck
  readonly required: boolean
  readonly reason: ReasonCode
  /** Key of the flat form. */
  readonly flat: string
  readonly hint?: string
}

/** A family whose messages become payments. */
export interface PaymentFamily {
  readonly family: PaymentFamilyName
  readonly definition: string
  /** Name of the only child of Document. */
  readonly body: string
  /** Content of Document. */
  readonly content: Content
  readonly fields: readonly FieldRow[]
  /** Rules between several elements. */
  readonly rules: readonly MessageRule[]
  /** Only accepted purpose; undefined: any. */
  readonly onlyPurpose?: string | undefined
  /** Reason code of a place by its path without numbers; elements around a field have the reason code of the field. */
  readonly reasons: ReadonlyMap<string, ReasonCode>
}

const bicAt = (agent: string): string => `${agent}/FinInstnId/BICFI`
const BIC_HINT = 'The bank must be named by BICFI; a clearing member id alone is not enough.'
const GROUP_HINT = 'It may be in the transaction or in the group header.'

const SHARED: readonly FieldRow[] = [
  {
    name: 'copyDuplicate',
    places: ['H/CpyDplct'],
    type: 'CODU|COPY|DUPL',
    required: false,
    reason: 'FF01',
    flat: 'CpyDplct',
  },
  { name: 'creationTime', places: ['G/CreDtTm'], type: 'dateTime', required: true, reason: 'DT02', flat: 'CreDtTm' },
  {
    name: 'settlementDate',
    places: ['T/IntrBkSttlmDt', 'G/IntrBkSttlmDt'],
    type: 'date',
    required: true,
    reason: 'DT01',
    flat: 'IntrBkSttlmDt',
    hint: GROUP_HINT,
  },
  {
    name: 'debtorIban',
    places: ['T/DbtrAcct/Id/IBAN'],
    fallback: 'T/DbtrAcct/Id/Othr/Id',
    type: 'iban',
    required: true,
    reason: 'AC02',
    flat: 'DbtrAcct',
    hint: 'The debtor account must be an IBAN.',
  },
  {
    name: 'creditorIban',
    places: ['T/CdtrAcct/Id/IBAN'],
    fallback: 'T/CdtrAcct/Id/Othr/Id',
    type: 'iban',
    required: true,
    reason: 'AC03',
    flat: 'CdtrAcct',
    hint: 'The creditor account must be an IBAN.',
  },
  {
    name: 'endToEndId',
    places: ['T/PmtId/EndToEndId'],
    type: 'id35',
    required: false,
    reason: 'FF01',
    flat: 'EndToEndId',
  },
  {
    name: 'instructionId',
    places: ['T/PmtId/InstrId'],
    type: 'id35',
    required: false,
    reason: 'FF01',
    flat: 'InstrId',
  },
  { name: 'transactionId', places: ['T/PmtId/TxId'], type: 'id35', required: false, reason: 'FF01', flat: 'TxId' },
  { name: 'uetr', places: ['T/PmtId/UETR'], type: 'uetr', required: false, reason: 'FF01', flat: 'UETR' },
  {
    name: 'purpose',
    places: ['T/Purp/Cd', 'T/Purp/Prtry'],
    type: 'id35',
    required: false,
    reason: 'FF07',
    flat: 'Purp',
  },
  {
    name: 'settlementMethod',
    places: ['G/SttlmInf/SttlmMtd'],
    type: 'INDA|INGA|COVE|CLRG',
    required: false,
    reason: 'FF01',
    flat: 'SttlmMtd',
  },
]

const agents = (required: boolean): FieldRow[] => [
  {
    name: 'instructingBic',
    places: [`T/${bicAt('InstgAgt')}`, `G/${bicAt('InstgAgt')}`],
    type: 'bic',
    required,
    reason: 'RC05',
    flat: 'InstgAgt',
    hint: `${BIC_HINT} ${GROUP_HINT}`,
  },
  {
    name: 'instructedBic',
    places: [`T/${bicAt('InstdAgt')}`, `G/${bicAt('InstdAgt')}`],
    type: 'bic',
    required,
    reason: 'RC05',
    flat: 'InstdAgt',
    hint: `${BIC_HINT} ${GROUP_HINT}`,
  },
]

const PACS_008_FIELDS: readonly FieldRow[] = [
  {
    name: 'messageId',
    places: ['G/MsgId'],
    type: 'id35',
    rule: checkMessageId,
    required: true,
    reason: 'FF01',
    flat: 'MsgId',
  },
  ...SHARED.map((row) => (row.name === 'creationTime' ? { ...row, required: false } : row)),
  {
    name: 'debtorBic',
    places: [`T/${bicAt('DbtrAgt')}`],
    type: 'bic',
    required: true,
    reason: 'RC03',
    flat: 'DbtrAgt',
    hint: BIC_HINT,
  },
  {
    name: 'creditorBic',
    places: [`T/${bicAt('CdtrAgt')}`],
    type: 'bic',
    required: true,
    reason: 'RC04',
    flat: 'CdtrAgt',
    hint: BIC_HINT,
  },
  ...agents(false),
  {
    name: 'chargeBearer',
    places: ['T/ChrgBr'],
    type: 'DEBT|CRED|SHAR|SLEV',
    required: false,
    reason: 'FF01',
    flat: 'ChrgBr',
  },
  { name: 'debtorName', places: ['T/Dbtr/Nm'], type: 'text140', required: false, reason: 'FF01', flat: 'DbtrNm' },
  { name: 'creditorName', places: ['T/Cdtr/Nm'], type: 'text140', required: false, reason: 'FF01', flat: 'CdtrNm' },
]

const HEADER_HINT = 'pacs.009 needs its application header: put AppHdr before Document, in one envelope.'

const PACS_009_FIELDS: readonly FieldRow[] = [
  {
    name: 'messageId',
    places: ['H/BizMsgIdr'],
    type: 'id35',
    rule: checkMessageId,
    required: true,
    reason: 'FF01',
    flat: 'BizMsgIdr',
    hint: HEADER_HINT,
  },
  {
    name: 'definition',
    places: ['H/MsgDefIdr'],
    type: 'id35',
    required: true,
    reason: 'FF01',
    flat: 'MsgDefIdr',
    hint: HEADER_HINT,
  },
  ...SHARED,
  ...agents(true),
  { name: 'debtorBic', places: [`T/${bicAt('Dbtr')}`], type: 'bic', required: false, reason: 'RC03', flat: 'Dbtr' },
  { name: 'creditorBic', places: [`T/${bicAt('Cdtr')}`], type: 'bic', required: false, reason: 'RC04', flat: 'Cdtr' },
]

/** Name of the element of a payment. */
export const PAYMENT_ELEMENT = 'CdtTrfTxInf'

/** Path of an element as shown in faults; `number` is the number of the transaction, 0 for a path without numbers. */
export function placePath(body: string, place: string, number = 1): string {
  const rest = place.slice(1)
  if (place.startsWith('H/')) return `/AppHdr${rest}`
  const part = place.startsWith('G/') ? 'GrpHdr' : number === 0 ? PAYMENT_ELEMENT : `${PAYMENT_ELEMENT}[${number}]`
  return `/Document/${body}/${part}${rest}`
}

/** Place of the settlement amount. */
export const AMOUNT_PLACE = 'T/IntrBkSttlmAmt'
/** Codes of instructions for the agent of the creditor. */
export const INSTRUCTION_PLACE = 'T/InstrForCdtrAgt/Cd'

function reasonsOf(body: string, fields: readonly FieldRow[]): Map<string, ReasonCode> {
  const reasons = new Map<string, ReasonCode>()
  const set = (place: string, reason: ReasonCode) => {
    // The part itself (T, G, H) has no reason code: it contains many fields.
    for (let path = place; path.length > 1; path = path.slice(0, path.lastIndexOf('/'))) {
      const key = placePath(body, path, 0)
      if (!reasons.has(key)) reasons.set(key, reason)
    }
  }
  for (const row of fields) for (const place of row.places) set(place, row.reason)
  set(AMOUNT_PLACE, 'AM12')
  set(`${AMOUNT_PLACE}/@Ccy`, 'AM11')
  set('G/NbOfTxs', 'AM18')
  set('G/CtrlSum', 'AM10')
  set('G/TtlIntrBkSttlmAmt', 'AM10')
  return reasons
}

const family = (
  name: PaymentFamilyName,
  definition: string,
  body: string,
  content: Content,
  fields: readonly FieldRow[],
  rules: readonly MessageRule[],
  onlyPurpose?: string,
): PaymentFamily => ({
  family: name,
  definition,
  body,
  content,
  fields,
  rules,
  onlyPurpose,
  reasons: reasonsOf(body, fields),
})

/** Families whose messages become payments (specification 4.4). */
export const PAYMENT_FAMILIES: readonly PaymentFamily[] = [
  family(
    'pacs.008',
    'pacs.008.001.08',
    'FIToFICstmrCdtTrf',
    compile(PACS_008_001_08, 'Document'),
    PACS_008_FIELDS,
    PACS_008_RULES,
  ),
  family(
    'pacs.009',
    'pacs.009.001.10',
    'FICdtTrf',
    compile(PACS_009_001_10, 'Document'),
    PACS_009_FIELDS,
    PACS_009_RULES,
    'SECU',
  ),
]
