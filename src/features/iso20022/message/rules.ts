/**
 * Owns the rules of the message definitions that concern several elements (ISO 20022 message definition reports of
 * pacs.008.001.08 and pacs.009.001.10), over the fields of a message in any form. Rules about unread elements, such as
 * parties and addresses, are not checked.
 */
import type { FaultSink, Place } from './fault.js'
import type { ReasonCode } from './reasons.js'
import { parseAmount } from './values/amount.js'
import { isCreditorReference } from './values/identifier.js'

/** One element of a message. */
export interface RuleField {
  readonly value: string
  /** Currency of an amount; '' otherwise. */
  readonly currency: string
  readonly path: string
  readonly at: Place
}

/**
 * Fields of a message as input of the rules. Places are named as in families.ts: `G/` is the group header, `T/` the
 * transaction.
 */
export interface RuleFields {
  /** Element at a place; undefined: absent. */
  get(place: string): RuleField | undefined
  /** All elements at a place, any step of which may repeat. */
  all(place: string): readonly RuleField[]
  /** Elements at a place, as fields; places inside are relative to it, without a leading slash. */
  each(place: string): readonly RuleFields[]
}

/** Element that breaks a rule, and the expected value. */
interface Breach {
  readonly field: RuleField
  readonly expected: string
}

/** A rule with its name in the message definition report, or a name of this project if the report has none. */
export interface MessageRule {
  readonly name: string
  readonly reasonCode: ReasonCode
  /** Reason for the rule; absent: it is part of the message definition. */
  readonly why?: string
  check(fields: RuleFields): Breach | undefined
}

const SETTLEMENT = 'G/SttlmInf'
const REIMBURSEMENT = ['InstgRmbrsmntAgt', 'InstdRmbrsmntAgt', 'ThrdRmbrsmntAgt'] as const

const methodOf = (fields: RuleFields): string | undefined => fields.get(`${SETTLEMENT}/SttlmMtd`)?.value

/** Rule that forbids elements under a condition. */
const forbidden = (
  name: string,
  places: readonly string[],
  expected: string,
  isForbidden: (fields: RuleFields) => boolean = () => true,
): MessageRule => ({
  name,
  reasonCode: 'FF01',
  check(fields) {
    if (!isForbidden(fields)) return undefined
    const field = places.map((place) => fields.get(place)).find((one) => one !== undefined)
    return field && { field, expected }
  },
})

/** Rule that allows an element only together with a second element. */
const needs = (name: string, place: string, other: string): MessageRule =>
  forbidden(name, [place], `${other.slice(2)} beside it`, (fields) => fields.get(other) === undefined)

/** Rule that forbids an element in the transaction if the group header has it. */
const inOnePlace = (name: string, element: string): MessageRule =>
  forbidden(
    name,
    [`T/${element}`],
    `${element} in the group header or in the transaction, not in both`,
    (fields) => fields.get(`G/${element}`) !== undefined,
  )

/** Rules for a chain of agents: each agent requires the previous one, and an account requires its agent. */
const chain = (rule: string, agents: readonly string[]): readonly MessageRule[] => [
  ...agents.slice(1).map((agent, at) => needs(`${rule}${at + 2}Rule`, agent, agents[at] as string)),
  ...agents.map((agent, at) => needs(`${rule}${at + 1}AccountRule`, `${agent}Acct`, agent)),
]

const numbered = (name: string): readonly string[] => [1, 2, 3].map((at) => `T/${name}${at}`)

/** Places of creditor references: of the payment, and of the underlying payment that it covers. */
const REFERENCES = ['T', 'T/UndrlygCstmrCdtTrf'].map((holder) => `${holder}/RmtInf/Strd/CdtrRefInf`)

/** Reason why a creditor reference is invalid by ISO 11649; references of other schemes are not checked. */
function referenceBreach(information: RuleFields): Breach | undefined {
  const field = information.get('Ref')
  if (field === undefined || information.get('Tp/CdOrPrtry/Cd')?.value !== 'SCOR') return undefined
  const isMeant = /^RF *[0-9]/i.test(field.value) || information.get('Tp/Issr')?.value === 'ISO'
  return isMeant && !isCreditorReference(field.value)
    ? { field, expected: 'RF, two check digits by modulo 97, and 1 to 21 letters or digits (ISO 11649)' }
    : undefined
}

/** Rules of both messages. */
const SHARED: readonly MessageRule[] = [
  {
    name: 'CopyDuplicateRule',
    reasonCode: 'FF01',
    why: 'A copy informs of a payment and orders none.',
    check(fields) {
      const field = fields.get('H/CpyDplct')
      return field && field.value !== 'DUPL' ? { field, expected: 'an original, or a duplicate (DUPL)' } : undefined
    },
  },
  {
    name: 'TotalInterbankSettlementAmountAndDateRule',
    reasonCode: 'DT01',
    check(fields) {
      const total = fields.get('G/TtlIntrBkSttlmAmt')
      if (total === undefined || fields.get('G/IntrBkSttlmDt') !== undefined) return undefined
      return { field: total, expected: 'GrpHdr/IntrBkSttlmDt beside the total' }
    },
  },
  inOnePlace('GroupHeaderInterbankSettlementDateRule', 'IntrBkSttlmDt'),
  inOnePlace('PaymentTypeInformationRule', 'PmtTpInf'),
  inOnePlace('InstructingAgentRule', 'InstgAgt'),
  inOnePlace('InstructedAgentRule', 'InstdAgt'),
  forbidden(
    'SettlementMethodAgentRule',
    [...REIMBURSEMENT, 'ClrSys'].map((name) => `${SETTLEMENT}/${name}`),
    'no reimbursement agents and no clearing system with INDA or INGA',
    (fields) => ['INDA', 'INGA'].includes(methodOf(fields) ?? ''),
  ),
  forbidden(
    'SettlementMethodClearingRule',
    ['SttlmAcct', ...REIMBURSEMENT].map((name) => `${SETTLEMENT}/${name}`),
    'no settlement account and no reimbursement agents with CLRG',
    (fields) => methodOf(fields) === 'CLRG',
  ),
  forbidden(
    'SettlementMethodCoverRule',
    ['SttlmAcct', 'ClrSys'].map((name) => `${SETTLEMENT}/${name}`),
    'no settlement account and no clearing system with COVE',
    (fields) => methodOf(fields) === 'COVE',
  ),
  forbidden(
    'SettlementMethodCoverAgentRule',
    [`${SETTLEMENT}/SttlmMtd`],
    'an instructing or instructed reimbursement agent with COVE',
    (fields) =>
      methodOf(fields) === 'COVE' &&
      REIMBURSEMENT.slice(0, 2).every((name) => fields.get(`${SETTLEMENT}/${name}`) === undefined),
  ),
  forbidden(
    'ThirdReimbursementAgentRule',
    [`${SETTLEMENT}/ThrdRmbrsmntAgt`],
    'the instructing and the instructed reimbursement agent beside the third',
    (fields) => REIMBURSEMENT.slice(0, 2).some((name) => fields.get(`${SETTLEMENT}/${name}`) === undefined),
  ),
  ...REIMBURSEMENT.map((name) => needs(`${name}AccountRule`, `${SETTLEMENT}/${name}Acct`, `${SETTLEMENT}/${name}`)),
  ...chain('PreviousInstructingAgent', numbered('PrvsInstgAgt')),
  ...chain('IntermediaryAgent', numbered('IntrmyAgt')),
  {
    name: 'CreditorReferenceRule',
    reasonCode: 'FF01',
    why: 'References of ISO 11649 have check digits.',
    check: (fields) =>
      REFERENCES.flatMap((place) => fields.each(place))
        .map(referenceBreach)
        .find((breach) => breach !== undefined),
  },
]

/** Reason why an additional amount is invalid; undefined: it is absent or valid. */
function amountBreach(fields: RuleFields, place: string): Breach | undefined {
  for (const field of fields.all(place)) {
    const read = parseAmount(field.value, field.currency)
    if (!read.ok) return { field, expected: read.problem.expected }
  }
  return undefined
}

const codesOf = (fields: RuleFields): readonly RuleField[] => fields.all('T/InstrForCdtrAgt/Cd')
const withCode = (fields: RuleFields, code: string): RuleField | undefined =>
  codesOf(fields).find(({ value }) => value === code)

/** Rule that the instructions of a payment may have only one of two codes. */
const exclusive = (name: string, one: string, other: string): MessageRule => ({
  name,
  reasonCode: 'FF01',
  check(fields) {
    const field = withCode(fields, one) && withCode(fields, other)
    return field && { field, expected: `${one} or ${other}, not both` }
  },
})

/** Rules of pacs.008.001.08 in addition to the shared ones. */
export const PACS_008_RULES: readonly MessageRule[] = [
  ...SHARED,
  {
    name: 'CurrencyAmountRule',
    reasonCode: 'AM12',
    check: (fields) => amountBreach(fields, 'T/InstdAmt') ?? amountBreach(fields, 'T/ChrgsInf/Amt'),
  },
  {
    name: 'InstructedAmountRule',
    reasonCode: 'AM01',
    check(fields) {
      const field = fields.get('T/InstdAmt')
      return field && /^[0.\s]*$/.test(field.value) ? { field, expected: 'an amount above zero' } : undefined
    },
  },
  {
    name: 'InstructedAmountAndExchangeRateRule',
    reasonCode: 'FF01',
    check(fields) {
      const [amount, rate] = [fields.get('T/InstdAmt'), fields.get('T/XchgRate')]
      if (amount === undefined) return rate && { field: rate, expected: 'InstdAmt beside an exchange rate' }
      const isForeign = amount.currency !== fields.get('T/IntrBkSttlmAmt')?.currency
      if (isForeign)
        return rate === undefined ? { field: amount, expected: 'XchgRate: the currencies differ' } : undefined
      return rate && { field: rate, expected: 'no exchange rate between amounts of one currency' }
    },
  },
  {
    name: 'ChargesInformationAndInstructedAmountRule',
    reasonCode: 'FF01',
    check(fields) {
      const field = fields.get('T/ChrgsInf')
      return field && fields.get('T/InstdAmt') === undefined
        ? { field, expected: 'InstdAmt beside charges' }
        : undefined
    },
  },
  {
    name: 'ChequeInstructionRule',
    reasonCode: 'FF01',
    check(fields) {
      const field = fields.get('T/CdtrAcct')
      return field && withCode(fields, 'CHQB') ? { field, expected: 'no creditor account with CHQB' } : undefined
    },
  },
  exclusive('HoldCashAndChequeRule', 'HOLD', 'CHQB'),
  exclusive('PhoneAndTelecommunicationRule', 'PHOB', 'TELB'),
]

/** Rules of pacs.009.001.10. */
export const PACS_009_RULES: readonly MessageRule[] = SHARED

/** First day on which payment systems refuse addresses that consist of lines only (Swift Standards Release 2026). */
const STRUCTURED_SINCE = '2026-11-14'
/** Places of parties and agents with addresses. */
const ADDRESSED = [
  ...['Dbtr', 'Cdtr', 'UltmtDbtr', 'UltmtCdtr', 'InitgPty'].map((party) => `T/${party}`),
  ...['DbtrAgt', 'CdtrAgt', 'Dbtr', 'Cdtr', 'InstgAgt', 'InstdAgt', ...[1, 2, 3].map((at) => `IntrmyAgt${at}`)].map(
    (agent) => `T/${agent}/FinInstnId`,
  ),
]

/** Rules whose breach is only a remark; the payment is still made. */
export const REMARKS: readonly MessageRule[] = [
  {
    name: 'StructuredAddressRule',
    reasonCode: 'FF01',
    why: `Other payment systems refuse an address of lines alone from ${STRUCTURED_SINCE} on.`,
    check(fields) {
      const date = fields.get('T/IntrBkSttlmDt') ?? fields.get('G/IntrBkSttlmDt')
      if (date === undefined || date.value < STRUCTURED_SINCE) return undefined
      const unstructured = ADDRESSED.flatMap((place) => fields.each(`${place}/PstlAdr`)).find(
        (address) => address.get('TwnNm') === undefined || address.get('Ctry') === undefined,
      )
      const field = unstructured?.get('AdrLine')
      return field && { field, expected: 'TwnNm and Ctry beside the lines of an address' }
    },
  },
]

/** Add a fault or a remark for each rule that a message breaks, unless the place already has one. */
export function checkRules(fields: RuleFields, rules: readonly MessageRule[], faults: FaultSink): void {
  for (const { name, reasonCode, why, check } of rules) {
    const breach = check(fields)
    if (breach === undefined) continue
    const { field, expected } = breach
    const { value, path, at } = field
    if (faults.covers(path)) continue
    const hint = why === undefined ? `${name} of the message definition.` : `${name}: ${why}`
    faults.add({ code: 'message_rule', value, path, at, expected, reasonCode, hint })
  }
}
