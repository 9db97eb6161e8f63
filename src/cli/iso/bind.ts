/** Owns bindings of the ISO 20022 bridge: validation and instructions. */
import { isAliasText } from '../../api/alias-ids.js'
import { type Json, parseNumeric } from '../../codec/index.js'
import {
  canonicalBic,
  canonicalIban,
  checkBic,
  checkIban,
  currencyScale,
} from '../../features/iso20022/message/index.js'
import { instructions } from '../../features/iso20022/schema/instructions.js'
import { LedgerError } from '../../model/errors.js'
import type { Instruction } from '../../model/index.js'
import { assetDefinitionFault } from '../../model/names.js'
import { optional } from '../gateway/directory.js'
import { RejectedError } from '../gateway/gateway.js'
import type { ReadInstruction } from '../transaction/submit.js'

/** Canonical IBAN; throws `bad_value` with the fault. */
export function ibanOf(text: string): string {
  const iban = canonicalIban(text.replace(/\s/g, ''))
  const problem = checkIban(iban)
  if (problem !== undefined)
    throw new LedgerError('bad_value', `${text}: ${problem.code}, expected ${problem.expected}`)
  return iban
}

/** Canonical BIC; throws `bad_value`. */
export function bicOf(text: string): string {
  const upper = text.toUpperCase()
  const problem = checkBic(upper)
  if (problem !== undefined)
    throw new LedgerError('bad_value', `${text}: ${problem.code}, expected ${problem.expected}`)
  return canonicalBic(upper)
}

/** ISO 4217 code; throws `bad_value`. */
export function currencyOf(text: string): string {
  const code = text.toUpperCase()
  if (currencyScale(code) === undefined) throw new LedgerError('bad_value', `${text}: not a currency code of ISO 4217`)
  return code
}

/** Instructions that bind an IBAN, with `replace` after unbinding it. */
export function bindIban(read: ReadInstruction, iban: string, account: string, replace: boolean): Instruction[] {
  const unbound = replace ? [read(instructions.unbindIban, { iban })] : []
  return [...unbound, read(instructions.bindIban, { iban, account })]
}

/** Instructions that bind a currency, with `replace` after unbinding it. */
export function bindCurrency(
  read: ReadInstruction,
  currency: string,
  definition: string,
  replace: boolean,
): Instruction[] {
  const unbound = replace ? [read(instructions.unbindCurrency, { currency })] : []
  return [...unbound, read(instructions.bindCurrency, { currency, definition })]
}

/** Limit `ASSET:PER_PAYMENT:PER_DAY`; throws `bad_value`. */
export function limitOf(text: string): Json {
  const parts = text.split(':')
  const [day = '', payment = ''] = [parts.pop(), parts.pop()]
  const definition = parts.join(':')
  const amount = (part: string): Json => {
    if (part === '') return null
    if (parseNumeric(part) === undefined)
      throw new LedgerError('bad_value', `--limit ${text}: ${part} is not a decimal`)
    return part
  }
  const isAsset = isAliasText(definition) || assetDefinitionFault(definition) === undefined
  if (!isAsset || (payment === '' && day === '')) {
    throw new LedgerError(
      'bad_value',
      `--limit ${text}: expected ASSET:PER_PAYMENT:PER_DAY, such as eur#bank:50000:250000`,
    )
  }
  return { definition, per_payment: amount(payment), per_day: amount(day) }
}

/** Instruction that registers a submitter for the accounts of a domain, or for the listed ones. */
export function setSubmitter(
  read: ReadInstruction,
  submitter: string,
  bics: readonly string[],
  debtors: { readonly domain: string } | { readonly accounts: readonly string[] },
  limits: readonly Json[] = [],
): Instruction {
  const debtor: Json = 'domain' in debtors ? { Domain: debtors.domain } : { Accounts: debtors.accounts }
  return read(instructions.setSubmitter, { submitter, bics, debtor, limits })
}

/**
 * Run a binding. If `subject` (an IBAN or a currency) is already bound, the error names its holder and explains how to
 * replace it. `holder`: looks up the account or definition, with its kind.
 */
export async function withReplaceHint(
  work: Promise<void>,
  subject: string,
  holder: () => Promise<string>,
): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'exists') throw error
    // A gateway may restrict the lookup.
    const held = await optional(holder())
    throw new RejectedError('exists', held === undefined ? error.message : `${subject} is bound to ${held}`, {
      hint: 'Give --replace to unbind it first.',
      details: error.details,
    })
  }
}
