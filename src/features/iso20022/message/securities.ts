/** Owns the writing of securities settlements: an instruction (sese.023) or its confirmation (sese.025) as flat pairs. */
import { readablePairs } from './readable.js'
import type { FlatPairs } from './write.js'

/** Families of settlements. */
export type SettlementFamily = 'sese.023' | 'sese.025'

/** A party of a settlement. */
export interface SettlementParty {
  readonly bic: string | undefined
  readonly iban: string | undefined
}

/** Delivery of securities against payment. Absent values are missing on the ledger. */
export interface SecuritiesSettlement {
  readonly id: string
  /** ISO date of the settlement. */
  readonly date: string
  /** Side of the account that receives the message. */
  readonly side: 'DELI' | 'RECE'
  readonly isin: string | undefined
  readonly quantity: string
  readonly amount: string
  readonly currency: string | undefined
  readonly seller: SettlementParty
  readonly buyer: SettlementParty
}

/** Fields of a settlement that the ledger may lack, in words. */
const NAMES: Readonly<Record<string, string>> = {
  'SctiesLeg/FinInstrmId': 'the ISIN of the class',
  'CashLeg/Ccy': 'the currency of the payment',
  'DlvrgSttlmPties/Pty/Bic': 'the BIC of the seller',
  'DlvrgSttlmPties/Acct': 'the IBAN of the seller',
  'RcvgSttlmPties/Pty/Bic': 'the BIC of the buyer',
  'RcvgSttlmPties/Acct': 'the IBAN of the buyer',
}

function fieldsOf(
  family: SettlementFamily,
  { id, date, side, isin, quantity, amount, currency, seller, buyer }: SecuritiesSettlement,
): readonly (readonly [key: string, value: string | undefined])[] {
  const confirmation = [
    ['ConfSts', 'ACCP'],
    ['SttlmQty', quantity],
    ['SttlmAmt', amount],
    ['SttlmCcy', currency],
  ] as const
  return [
    ['TxId', id],
    ['SttlmDt', date],
    ['SttlmTpAndAddtlParams/SctiesMvmntTp', side],
    ['SttlmTpAndAddtlParams/Pmt', 'APMT'],
    ['SctiesLeg/FinInstrmId', isin],
    ['SctiesLeg/Qty', quantity],
    ['CashLeg/Amt', amount],
    ['CashLeg/Ccy', currency],
    ['DlvrgSttlmPties/Pty/Bic', seller.bic],
    ['DlvrgSttlmPties/Acct', seller.iban],
    ['RcvgSttlmPties/Pty/Bic', buyer.bic],
    ['RcvgSttlmPties/Acct', buyer.iban],
    ['Plan/ExecutionOrder', 'DELIVERY_THEN_PAYMENT'],
    ['Plan/Atomicity', 'ALL_OR_NOTHING'],
    ...(family === 'sese.025' ? confirmation : []),
  ]
}

/**
 * Message of a settlement. Throws `iso_unmapped` if the ledger lacks a value that the message requires, or has one that the
 * reader of the bridge refuses.
 */
export const settlementPairs = (family: SettlementFamily, settlement: SecuritiesSettlement): FlatPairs =>
  readablePairs(family, fieldsOf(family, settlement), NAMES)
