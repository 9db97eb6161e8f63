/** Owns the last step to a payment: fields read from XML or flat text are checked against each other and combined. */
import type { FieldName, PaymentFamily } from './families.js'
import type { FaultInput, FaultSink } from './fault.js'
import type { ParseOptions, Payment, Pins } from './payment.js'
import { type Amount, currencyProblem, parseAmount } from './values/amount.js'
import { canonicalBic } from './values/bic.js'
import { collapse } from './values/blanks.js'
import { currencyScale } from './values/currency.js'
import { canonicalIban, failsDomesticCheck } from './values/iban.js'
import { windowProblem } from './values/window.js'

/** A value and its place; the place is computed only for a fault. */
export interface LocatedValue {
  readonly value: string
  readonly where: () => Pick<FaultInput, 'path' | 'at'>
}

/** Values read so far, before they form a payment. A value is present only if its own check passed. */
export interface Draft {
  readonly fields: ReadonlyMap<FieldName, LocatedValue>
  readonly amount?: LocatedValue | undefined
  readonly currency?: LocatedValue | undefined
  readonly remittance: readonly string[]
  /** Codes of instructions for the agent of the creditor. */
  readonly instructions: readonly string[]
  readonly pins: Pins
}

/** Sinks for faults and remarks. */
export interface Findings {
  readonly faults: FaultSink
  readonly warnings: FaultSink
}

/** Check the fields against each other and build the payment; undefined with at least one fault otherwise. */
export function finish(
  draft: Draft,
  family: PaymentFamily,
  options: ParseOptions,
  findings: Findings,
): Payment | undefined {
  const { faults } = findings
  const amount = settlementAmount(draft, faults)
  checkAccounts(draft, findings)
  checkPurpose(draft, family, faults)
  if (!faults.isSound) {
    checkWindow(draft, options, faults)
    return undefined
  }
  const text = (name: FieldName): string => {
    const found = draft.fields.get(name)
    if (found === undefined) throw new Error(`${name} is required but was not reported missing`)
    return found.value
  }
  const optional = (name: FieldName): string | undefined => draft.fields.get(name)?.value
  const bic = (name: FieldName): string => canonicalBic(text(name))
  const optionalBic = (name: FieldName): string | undefined => {
    const value = optional(name)
    return value === undefined ? undefined : canonicalBic(value)
  }
  if (amount === undefined || draft.currency === undefined)
    throw new Error('an amount is required but was not reported missing')
  const creationTime = optional('creationTime')
  const base = {
    definition: family.definition,
    messageId: text('messageId'),
    creationTime: creationTime === undefined ? undefined : collapse(creationTime),
    settlementDate: collapse(text('settlementDate')),
    currency: draft.currency.value,
    amount,
    debtorIban: canonicalIban(text('debtorIban')),
    creditorIban: canonicalIban(text('creditorIban')),
    endToEndId: optional('endToEndId'),
    instructionId: optional('instructionId'),
    transactionId: optional('transactionId'),
    uetr: optional('uetr'),
    purpose: optional('purpose'),
    settlementMethod: optional('settlementMethod'),
    creditorInstructions: draft.instructions.length === 0 ? undefined : draft.instructions,
    remittance: draft.remittance.length === 0 ? undefined : draft.remittance,
    pins: draft.pins,
  }
  if (family.family === 'pacs.008') {
    return {
      family: 'pacs.008',
      ...base,
      debtorBic: bic('debtorBic'),
      creditorBic: bic('creditorBic'),
      instructingBic: optionalBic('instructingBic'),
      instructedBic: optionalBic('instructedBic'),
      chargeBearer: optional('chargeBearer'),
      debtorName: optional('debtorName'),
      creditorName: optional('creditorName'),
    }
  }
  return {
    family: 'pacs.009',
    ...base,
    instructingBic: bic('instructingBic'),
    instructedBic: bic('instructedBic'),
    debtorBic: optionalBic('debtorBic'),
    creditorBic: optionalBic('creditorBic'),
  }
}

/** Amount in minor units, above zero. */
function settlementAmount({ amount, currency }: Draft, faults: FaultSink): Amount | undefined {
  if (currency === undefined) return undefined
  if (currencyScale(currency.value) === undefined) {
    faults.add({ ...currencyProblem(currency.value), ...currency.where(), value: currency.value })
    return undefined
  }
  if (amount === undefined) return undefined
  const parsed = parseAmount(amount.value, currency.value)
  if (!parsed.ok) {
    faults.add({ ...parsed.problem, ...amount.where(), value: amount.value })
    return undefined
  }
  if (parsed.amount.mantissa === 0n) {
    faults.add({
      code: 'amount_zero',
      ...amount.where(),
      value: amount.value,
      expected: 'an amount above zero',
      reasonCode: 'AM01',
      hint: 'A payment of zero has no effect.',
    })
    return undefined
  }
  return parsed.amount
}

function checkAccounts({ fields }: Draft, { faults, warnings }: Findings): void {
  const debtor = fields.get('debtorIban')
  const creditor = fields.get('creditorIban')
  for (const account of [debtor, creditor]) {
    if (account !== undefined && failsDomesticCheck(account.value)) {
      warnings.add({
        code: 'iban_domestic_check',
        value: account.value,
        ...account.where(),
        expected: 'an account number with correct domestic check digits',
        reasonCode: 'AC01',
        hint: 'Accepted: only the IBAN check digits decide.',
      })
    }
  }
  if (debtor !== undefined && creditor !== undefined && canonicalIban(debtor.value) === canonicalIban(creditor.value)) {
    faults.add({
      code: 'same_account',
      value: creditor.value,
      ...creditor.where(),
      expected: 'another account than that of the debtor',
      reasonCode: 'AC03',
      hint: 'Debtor and creditor account are the same.',
    })
  }
}

function checkPurpose({ fields }: Draft, { onlyPurpose, family }: PaymentFamily, faults: FaultSink): void {
  const purpose = fields.get('purpose')
  if (onlyPurpose === undefined || purpose === undefined || purpose.value === onlyPurpose) return
  faults.add({
    code: 'purpose_not_accepted',
    value: purpose.value,
    ...purpose.where(),
    expected: `${onlyPurpose}, or no purpose`,
    reasonCode: 'FF07',
    hint: `${family} is booked for securities and PvP funding only.`,
  })
}

/** Add a fault if the settlement date is outside the window. */
export function checkWindow({ fields }: Draft, { settlementWindow }: ParseOptions, faults: FaultSink): void {
  const date = fields.get('settlementDate')
  if (settlementWindow === undefined || date === undefined) return
  const problem = windowProblem(collapse(date.value), settlementWindow)
  if (problem !== undefined) faults.add({ value: date.value, ...date.where(), ...problem })
}
