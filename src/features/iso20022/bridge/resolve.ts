/**
 * Owns the resolution of payments by the ledger: parties, definition, permission of the submitter; all faults are
 * reported at once.
 */

import { isAliasText, type Wanted } from '../../../api/alias-ids.js'
import type { NodeServices } from '../../../api/services.js'
import { formatNumeric, normalizeNumeric } from '../../../codec/index.js'
import { type AccountId, add, parseAddress } from '../../../model/index.js'
import type { AssertedAlias } from '../../names/schema/instructions.js'
import { resolveAlias } from '../../texts.js'
import {
  formatAmount,
  type IsoFault,
  type Payment,
  type Pins,
  type ReasonCode,
  reasonForError,
} from '../message/index.js'
import { queries as isoQueries } from '../schema/queries.js'
import { RESOLVED_TOGETHER, type Resolution, type ResolveAllQuery, type ResolveQuery } from '../schema/views.js'
import type { Parties } from './transaction.js'

export type Resolved =
  | { readonly ok: true; readonly value: Parties; readonly definition: string }
  | {
      readonly ok: false
      readonly faults: readonly IsoFault[]
      /** True if the submitter may not send it, independent of the parties. */
      readonly submitter: boolean
      /** True if the submitter does not exist on the ledger. */
      readonly unknown: boolean
      /** Error code of the control or limit that forbids the payment, if there is no other fault. */
      readonly refusedBy: string | undefined
      /** Definition bound to the currency. */
      readonly definition: string | undefined
    }

/** Fault of a sender that is not a submitter on the ledger. */
export const UNKNOWN_SUBMITTER: IsoFault = {
  code: 'submitter_unknown',
  path: '',
  line: 0,
  column: 0,
  value: '',
  expected: 'a submitter set on the ledger',
  reasonCode: 'AG01',
  hint: 'causeway iso submitter set',
}

/** Effect of pins: confirm the bindings, or replace them. */
export type PinMode = 'match' | 'override'

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
  // Bindings are not part of the body, so the fault has no line in it.
  line: 0,
  column: 0,
  value,
  expected,
  reasonCode,
  hint,
})

/** BIC of the sender as given in the payment. */
const senderBic = (payment: Payment): string =>
  payment.family === 'pacs.008' ? payment.debtorBic : payment.instructingBic

/** Inputs of a resolution besides the payments. */
export interface ResolveOptions {
  readonly mode: PinMode
  /** Now, in ms since the Unix epoch. */
  readonly timeMs: number
  /** Sums of the open payments of the submitter by definition, which count towards its daily limits. */
  readonly open: ResolveAllQuery['open']
}

/** Resolve payments with the bindings of the ledger, in the order in which they would be made. */
export async function resolvePayments(
  services: NodeServices,
  payments: readonly Payment[],
  submitter: AccountId,
  options: ResolveOptions,
): Promise<readonly Resolved[]> {
  const resolved: Resolved[] = []
  let { open } = options
  for (let from = 0; from < payments.length; from += RESOLVED_TOGETHER) {
    const some = payments.slice(from, from + RESOLVED_TOGETHER)
    const asked = await Promise.all(some.map((payment) => askedOf(services, payment, submitter, options)))
    const found = await services.query(isoQueries.isoResolveAll, { items: asked.map(({ query }) => query), open })
    for (const [at, payment] of some.entries()) {
      const one = found?.items[at]
      const own = asked[at]
      if (one === undefined || own === undefined) throw new Error('a payment has no resolution')
      const result = resolvedOf(services.info.chain, payment, own, one)
      resolved.push(result)
      if (result.ok) open = withAmount(open, result.definition, own.query.amount)
    }
  }
  return resolved
}

/** Sums by definition after adding an amount. */
function withAmount(
  open: ResolveOptions['open'],
  definition: string,
  amount: ResolveQuery['amount'],
): ResolveOptions['open'] {
  const before = open.find((one) => one.definition === definition)
  const sum = before === undefined ? amount : add(before.amount, amount)
  return [...open.filter((one) => one !== before), { definition, amount: sum ?? amount }]
}

/** Payment as an item of the ledger query, with the accounts of its pins. */
interface Asked {
  readonly query: ResolveQuery
  readonly pinned: PinnedAccounts
}

async function askedOf(
  services: NodeServices,
  payment: Payment,
  submitter: AccountId,
  { mode, timeMs }: ResolveOptions,
): Promise<Asked> {
  const amount = normalizeNumeric(payment.amount)
  if (amount === undefined) throw new Error('an amount within its bounds has no canonical form')
  const pinned = await readPins(services, payment.pins)
  const isOverride = mode === 'override'
  const query = {
    submitter,
    debtorIban: payment.debtorIban,
    creditorIban: payment.creditorIban,
    currency: payment.currency,
    amount,
    timeMs,
    source: isOverride ? pinned.source : undefined,
    target: isOverride ? pinned.target : undefined,
    definition: isOverride ? pinned.definition : undefined,
  }
  return { query, pinned }
}

function resolvedOf(
  chain: string,
  payment: Payment,
  { query: { amount }, pinned }: Asked,
  found: Resolution,
): Resolved {
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
  faults.push(...pinFaults(chain, payment.pins, pinned, found))
  if (found.scale !== undefined && amount.scale > found.scale) {
    faults.push(
      fault(
        'amount_scale',
        'IntrBkSttlmAmt',
        formatNumeric(amount),
        `at most ${found.scale} fraction digits`,
        'AM12',
        '',
      ),
    )
  }
  const refusals = submitterFaults(payment, found)
  const { source, target, definition, payerRefusal, receiverRefusal } = found
  const isSound = faults.length === 0 && refusals.length === 0
  if (isSound && payerRefusal !== undefined) faults.push(payerRefused(payerRefusal, payment))
  if (isSound && receiverRefusal !== undefined) faults.push(creditorRefused(receiverRefusal, payment))
  const isClear = isSound && faults.length === 0
  if (isClear && source !== undefined && target !== undefined && definition !== undefined) {
    return { ok: true, value: { source, target, definition, aliases: pinned.aliases }, definition }
  }
  return {
    ok: false,
    faults: [...refusals, ...faults],
    submitter: refusals.length > 0,
    unknown: !found.submitterKnown,
    refusedBy: isSound ? (payerRefusal ?? receiverRefusal) : undefined,
    definition,
  }
}

/** True if the account is a submitter on the ledger. */
export async function isSubmitter(services: NodeServices, account: AccountId, timeMs: number): Promise<boolean> {
  const nothing = { debtorIban: '', creditorIban: '', currency: '', source: undefined, target: undefined }
  const amount = { mantissa: 0n, scale: 0 }
  const query = { submitter: account, amount, timeMs, definition: undefined, ...nothing }
  return (await services.query(isoQueries.isoResolve, query))?.submitterKnown === true
}

/** Fault for a control on the payer, or for a limit. */
function payerRefused(code: string, payment: Payment): IsoFault {
  return code === 'asset_frozen' || code === 'asset_blacklisted'
    ? fault(code, 'DbtrAcct/Id/IBAN', payment.debtorIban, 'an account that may pay', reasonForError(code), '')
    : fault(
        code,
        'IntrBkSttlmAmt',
        formatAmount(payment.amount),
        'an amount within the limits of submitter and account',
        reasonForError(code),
        '',
      )
}

/** Fault for a control on the receiver. */
const creditorRefused = (code: string, payment: Payment): IsoFault =>
  fault(code, 'CdtrAcct/Id/IBAN', payment.creditorIban, 'an account that may be paid', reasonForError(code), '')

interface ResolutionFacts {
  readonly source: string | undefined
  readonly target: string | undefined
  readonly definition: string | undefined
  readonly submitterKnown: boolean
  readonly mayDebit: boolean
  readonly bics: string
}

function submitterFaults(payment: Payment, found: ResolutionFacts): IsoFault[] {
  if (!found.submitterKnown) {
    return [UNKNOWN_SUBMITTER]
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

/** Accounts named by pins; a pin that does not resolve is absent. */
interface PinnedAccounts {
  readonly source: AccountId | undefined
  readonly sourceAddress: AccountId | undefined
  readonly target: AccountId | undefined
  readonly targetAddress: AccountId | undefined
  readonly definition: string | undefined
  /** Pins that are aliases; the ledger checks them again. */
  readonly aliases: readonly AssertedAlias[]
}

async function readPins(services: NodeServices, pins: Pins): Promise<PinnedAccounts> {
  const aliases: AssertedAlias[] = []
  const read = async (text: string | undefined, want: Wanted): Promise<string | undefined> => {
    if (text === undefined) return undefined
    if (!isAliasText(text)) return want === 'asset' ? text : parseAddress(text, services.info.addressPrefix)
    const found = await resolveAlias(services, { text, want })
    if (found === undefined) return undefined
    const target = { kind: want === 'asset' ? 'definition' : 'account', value: found.id } as const
    if (!aliases.some((one) => one.text === found.canonical)) aliases.push({ text: found.canonical, target })
    return found.id
  }
  return {
    source: await read(pins.sourceAccount, 'account'),
    sourceAddress: await read(pins.sourceAddress, 'account'),
    target: await read(pins.targetAccount, 'account'),
    targetAddress: await read(pins.targetAddress, 'account'),
    definition: await read(pins.assetDefinition, 'asset'),
    aliases,
  }
}

/** Refuse pins that contradict the bindings, because a sender must not choose the account. */
function pinFaults(chain: string, pins: Pins, pinned: PinnedAccounts, found: ResolutionFacts): IsoFault[] {
  const faults: IsoFault[] = []
  if (pins.ledgerId !== undefined && pins.ledgerId !== chain) {
    faults.push(
      fault('pin_ledger', 'SplmtryData/LedgerId', pins.ledgerId, chain, 'NARR', 'send it to the ledger that it names'),
    )
  }
  const accounts = [
    ['SplmtryData/SourceAccountId', pins.sourceAccount, pinned.source, found.source, 'AC02'],
    ['SplmtryData/SourceAccountAddress', pins.sourceAddress, pinned.sourceAddress, found.source, 'AC02'],
    ['SplmtryData/TargetAccountId', pins.targetAccount, pinned.target, found.target, 'AC03'],
    ['SplmtryData/TargetAccountAddress', pins.targetAddress, pinned.targetAddress, found.target, 'AC03'],
  ] as const
  for (const [path, text, account, bound, reason] of accounts) {
    if (text === undefined || (account !== undefined && account === bound)) continue
    faults.push(
      fault(
        'pin_account',
        path,
        text,
        'the account that the IBAN is bound to',
        reason,
        'correct the pin or the binding',
      ),
    )
  }
  if (
    pins.assetDefinition !== undefined &&
    (pinned.definition === undefined || pinned.definition !== found.definition)
  ) {
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
