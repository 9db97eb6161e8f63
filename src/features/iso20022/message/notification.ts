/** Owns notifications of one account entry (camt.054), as flat pairs. */
import { readablePairs } from './readable.js'
import type { FlatPairs } from './write.js'

/** Credit or debit of an account. Optional values may be absent on the ledger. */
export interface AccountEntry {
  readonly id: string
  readonly iban: string | undefined
  readonly amount: string
  readonly currency: string | undefined
  readonly direction: 'CRDT' | 'DBIT'
  /** Header time of the block that contains the entry. */
  readonly timeMs: number
  /** Reference of the agreement that the entry belongs to. */
  readonly reference: string
}

/** Names of fields that may be absent on the ledger, for error texts. */
const NAMES = {
  'Ntfctn[1]/Acct/Id': 'the IBAN of the account',
  'Ntfctn[1]/Ntry[1]/Ccy': 'the currency of the cash',
}

/**
 * Build the message of an entry. Throws `iso_unmapped` if the ledger lacks a value, or if the reader of the bridge
 * refuses a value.
 */
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
