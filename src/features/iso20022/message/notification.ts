/** Owns the writing of notifications of one entry of an account (camt.054) as flat pairs. */
import { readablePairs } from './readable.js'
import type { FlatPairs } from './write.js'

/** Credit or debit of an account. Absent values are missing on the ledger. */
export interface AccountEntry {
  readonly id: string
  readonly iban: string | undefined
  readonly amount: string
  readonly currency: string | undefined
  readonly direction: 'CRDT' | 'DBIT'
  /** Header time of the block with the entry. */
  readonly timeMs: number
  /** Reference of the agreement of the entry. */
  readonly reference: string
}

/** Fields that the ledger may lack, in words. */
const NAMES = {
  'Ntfctn[1]/Acct/Id': 'the IBAN of the account',
  'Ntfctn[1]/Ntry[1]/Ccy': 'the currency of the cash',
}

/** Message of an entry. Throws `iso_unmapped` if the ledger lacks a value, or if the reader of the bridge refuses one. */
export function notificationPairs(entry: AccountEntry): FlatPairs {
  const time = new Date(entry.timeMs).toISOString()
  const fields = [
    ['Ntfctn[1]/Id', entry.id],
    ['Ntfctn[1]/CreDtTm', time],
    ['Ntfctn[1]/Acct/Id', entry.iban],
    ['Ntfctn[1]/Ntry[1]/Amt', entry.amount],
    ['Ntfctn[1]/Ntry[1]/Ccy', entry.currency],
    ['Ntfctn[1]/Ntry[1]/CdtDbtInd', entry.direction],
    ['Ntfctn[1]/Ntry[1]/BookgDt', time.slice(0, 10)],
    ['Ntfctn[1]/Ntry[1]/NtryRef', entry.reference],
  ] as const
  return readablePairs('camt.054', fields, NAMES)
}
