/** Owns what a payment means on the ledger: parties, definition, permission of the submitter; every fault at once. */
import { type Numeric, normalizeNumeric } from '../../../codec/index.js'
import { parseAddress } from '../../../model/index.js'
import type { NodeServices } from '../../services.js'
import { isoResolve } from '../ledger/queries.js'
import type { IsoFault, Payment, ReasonCode } from '../message/index.js'

/** A payment with its parties. */
export interface ResolvedPayment {
  readonly source: string
  readonly target: string
  readonly definition: string
  readonly amount: Numeric
}

export type Resolved =
  | { readonly ok: true; readonly value: ResolvedPayment }
  | { readonly ok: false; readonly faults: readonly IsoFault[]; readonly submitter: boolean }

const fault = (
  code: string,
  path: string,
  value: string,
  expected: string,
  reasonCode: ReasonCode,
  hint: string,
): IsoFault => ({
  code,
  path,
  // Bindings are no part of the body: there is no place in it to point at.
  line: 0,
  column: 0,
  value,
  expected,
  reasonCode,
  hint,
})

/** BIC whose sender the payment claims to be. */
const senderBic = (payment: Payment): string =>
  payment.family === 'pacs.008' ? payment.debtorBic : payment.instructingBic

/** Resolves a payment against the bindings of the ledger. */
export async function resolvePayment(services: NodeServices, payment: Payment, submitter: string): Promise<Resolved> {
  const found = await services.query(isoResolve, {
    submitter,
    debtorIban: payment.debtorIban,
    creditorIban: payment.creditorIban,
    currency: payment.currency,
  })
  if (found === undefined) throw new Error('the resolution of a payment always has an answer')
  const faults: IsoFault[] = []
  if (found.source === undefined) {
    faults.push(
      fault(
        'debtor_unbound',
        'DbtrAcct/Id/IBAN',
        payment.debtorIban,
        'an IBAN bound to an account',
        'AC02',
        'causeway iso bind iban',
      ),
    )
  }
  if (found.target === undefined) {
    faults.push(
      fault(
        'creditor_unbound',
        'CdtrAcct/Id/IBAN',
        payment.creditorIban,
        'an IBAN bound to an account',
        'AC03',
        'causeway iso bind iban',
      ),
    )
  }
  if (found.definition === undefined) {
    faults.push(
      fault(
        'currency_unbound',
        'IntrBkSttlmAmt/@Ccy',
        payment.currency,
        'a currency bound to an asset definition',
        'AM03',
        'causeway iso bind currency',
      ),
    )
  }
  faults.push(...pinFaults(services, payment, found))
  const amount = normalizeNumeric(payment.amount)
  if (amount === undefined || (found.scale !== undefined && amount.scale > found.scale)) {
    faults.push(
      fault(
        'amount_scale',
        'IntrBkSttlmAmt',
        String(payment.amount.mantissa),
        `at most ${found.scale} fraction digits`,
        'AM12',
        '',
      ),
    )
  }
  const refusals = submitterFaults(payment, found)
  if (faults.length === 0 && refusals.length === 0 && amount && found.source && found.target && found.definition) {
    return { ok: true, value: { source: found.source, target: found.target, definition: found.definition, amount } }
  }
  return { ok: false, faults: [...refusals, ...faults], submitter: refusals.length > 0 }
}

interface Found {
  readonly source: string | undefined
  readonly target: string | undefined
  readonly definition: string | undefined
  readonly submitterKnown: boolean
  readonly mayDebit: boolean
  readonly bics: string
}

function submitterFaults(payment: Payment, found: Found): IsoFault[] {
  if (!found.submitterKnown) {
    return [fault('submitter_unknown', '', '', 'a submitter set on the ledger', 'AG01', 'causeway iso submitter set')]
  }
  const faults: IsoFault[] = []
  const bic = senderBic(payment)
  if (found.bics !== '' && !found.bics.split(' ').includes(bic)) {
    faults.push(
      fault(
        'submitter_bic',
        'DbtrAgt/FinInstnId/BICFI',
        bic,
        `one of ${found.bics}`,
        'AG01',
        'causeway iso submitter set',
      ),
    )
  }
  if (found.source !== undefined && !found.mayDebit) {
    faults.push(
      fault(
        'submitter_debtor',
        'DbtrAcct/Id/IBAN',
        payment.debtorIban,
        'an account that the submitter may have debited',
        'AG01',
        'causeway iso submitter set',
      ),
    )
  }
  return faults
}

/** Pins that contradict the bindings are refused: whoever can post must not choose the account. */
function pinFaults(services: NodeServices, payment: Payment, found: Found): IsoFault[] {
  const { pins } = payment
  const { chain, addressPrefix } = services.info
  const faults: IsoFault[] = []
  if (pins.ledgerId !== undefined && pins.ledgerId !== chain) {
    faults.push(
      fault('pin_ledger', 'SplmtryData/LedgerId', pins.ledgerId, chain, 'NARR', 'send it to the ledger that it names'),
    )
  }
  const accounts = [
    ['SplmtryData/SourceAccountId', pins.sourceAccount, found.source, 'AC02'],
    ['SplmtryData/SourceAccountAddress', pins.sourceAddress, found.source, 'AC02'],
    ['SplmtryData/TargetAccountId', pins.targetAccount, found.target, 'AC03'],
    ['SplmtryData/TargetAccountAddress', pins.targetAddress, found.target, 'AC03'],
  ] as const
  for (const [path, pinned, bound, reason] of accounts) {
    if (pinned === undefined || (bound !== undefined && parseAddress(pinned, addressPrefix) === bound)) continue
    faults.push(
      fault(
        'pin_account',
        path,
        pinned,
        'the account that the IBAN is bound to',
        reason,
        'correct the pin or the binding',
      ),
    )
  }
  if (pins.assetDefinition !== undefined && pins.assetDefinition !== found.definition) {
    faults.push(
      fault(
        'pin_definition',
        'SplmtryData/AssetDefinitionId',
        pins.assetDefinition,
        found.definition ?? 'the bound definition',
        'AM03',
        '',
      ),
    )
  }
  return faults
}
