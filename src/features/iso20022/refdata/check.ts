/** Owns the check of a payment against reference data, before a transaction is built (specification 4.4, rule 6). */
import type { IsoFault, Payment, ReasonCode } from '../message/index.js'
import type { BicEntry, CurrencyEntry, Dataset, DatasetKind, IbanEntry } from './dataset.js'

/** Index of banks: an entry of eight characters matches every branch. */
export class BicIndex {
  private readonly byBic: ReadonlyMap<string, BicEntry>

  constructor({ entries }: Dataset<BicEntry>) {
    this.byBic = new Map(entries.map((entry) => [entry.bic, entry]))
  }

  find(bic: string): BicEntry | undefined {
    return this.byBic.get(bic) ?? this.byBic.get(bic.slice(0, 8))
  }
}

/** Index of accounts: by IBAN, otherwise by the longest prefix of the BBAN. */
export class IbanIndex {
  private readonly byKey = new Map<string, IbanEntry>()
  private readonly lengths: readonly number[]

  constructor({ entries }: Dataset<IbanEntry>) {
    const lengths = new Set<number>()
    for (const entry of entries) {
      this.byKey.set(entry.iban ?? `${entry.country}/${entry.bbanPrefix}`, entry)
      if (entry.iban === undefined) lengths.add(entry.bbanPrefix.length)
    }
    this.lengths = [...lengths].sort((a, b) => b - a)
  }

  find(iban: string): IbanEntry | undefined {
    const exact = this.byKey.get(iban)
    if (exact !== undefined) return exact
    for (const length of this.lengths) {
      const found = this.byKey.get(`${iban.slice(0, 2)}/${iban.slice(4, 4 + length)}`)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Index of currencies. */
export class CurrencyIndex {
  private readonly byCode: ReadonlyMap<string, CurrencyEntry>

  constructor({ entries }: Dataset<CurrencyEntry>) {
    this.byCode = new Map(entries.map((entry) => [entry.currency, entry]))
  }

  find(currency: string): CurrencyEntry | undefined {
    return this.byCode.get(currency)
  }
}

/** Active sets; a kind of data without a file is not checked. */
export interface ReferenceIndexes {
  readonly bic: BicIndex | undefined
  readonly iban: IbanIndex | undefined
  readonly currency: CurrencyIndex | undefined
}

function fault(kind: DatasetKind, path: string, value: string, expected: string, reasonCode: ReasonCode): IsoFault {
  // Reference data is not part of the body, so the fault has no line in it.
  const hint = 'Ask the operator of the node for the version of its reference data.'
  return { code: `refdata_${kind}`, path, line: 0, column: 0, value, expected, reasonCode, hint }
}

/** All faults of a payment against the active sets. `definition`: asset definition bound to its currency. */
export function checkReferences(
  indexes: ReferenceIndexes,
  payment: Payment,
  definition: string | undefined,
): IsoFault[] {
  const faults: IsoFault[] = []
  const is8 = payment.family === 'pacs.008'
  const agents: [path: string, bic: string | undefined, reason: ReasonCode][] = [
    [is8 ? 'DbtrAgt/FinInstnId/BICFI' : 'Dbtr/FinInstnId/BICFI', payment.debtorBic, 'DNOR'],
    [is8 ? 'CdtrAgt/FinInstnId/BICFI' : 'Cdtr/FinInstnId/BICFI', payment.creditorBic, 'CNOR'],
    ['InstgAgt/FinInstnId/BICFI', payment.instructingBic, 'DNOR'],
    ['InstdAgt/FinInstnId/BICFI', payment.instructedBic, 'CNOR'],
  ]
  for (const [path, bic, reason] of agents) {
    if (bic === undefined || indexes.bic === undefined || indexes.bic.find(bic)?.active === true) continue
    faults.push(fault('bic', path, bic, 'an active BIC of the directory', reason))
  }
  const accounts = [
    ['DbtrAcct/Id/IBAN', payment.debtorIban, is8 ? payment.debtorBic : undefined, 'AC02', 'RC03'],
    ['CdtrAcct/Id/IBAN', payment.creditorIban, is8 ? payment.creditorBic : undefined, 'AC03', 'RC04'],
  ] as const
  for (const [path, iban, bic, reason, bankReason] of accounts) {
    if (indexes.iban === undefined) continue
    const entry = indexes.iban.find(iban)
    if (entry?.active !== true) faults.push(fault('iban', path, iban, 'an account of the crosswalk', reason))
    else if (entry.bic !== undefined && bic !== undefined && entry.bic.slice(0, 8) !== bic.slice(0, 8)) {
      faults.push(fault('iban', path, bic, `the bank of the account, ${entry.bic}`, bankReason))
    }
  }
  if (indexes.currency === undefined) return faults
  const entry = indexes.currency.find(payment.currency)
  const path = 'IntrBkSttlmAmt/@Ccy'
  if (entry?.active !== true) {
    faults.push(fault('currency', path, payment.currency, 'an active currency of the crosswalk', 'AM11'))
  } else if (entry.definition !== undefined && definition !== undefined && entry.definition !== definition) {
    faults.push(fault('currency', path, definition, `a binding to ${entry.definition}`, 'AM03'))
  }
  return faults
}
