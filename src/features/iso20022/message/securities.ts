/** Owns securities settlements as flat pairs: an instruction (sese.023) or its confirmation (sese.025). */
import { readablePairs } from './readable.js'
import type { FlatPairs } from './write.js'

/** Families of settlements. */
export type SettlementFamily = 'sese.023' | 'sese.025'

/** A party of a settlement. */
export interface SettlementParty {
  readonly bic: string | undefined
  readonly iban: string | undefined
}

/** Delivery of securities against payment. Optional values may be absent on the ledger. */
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

/** Names of fields that may be absent on the ledger, for error texts. */
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
 * Build the message of a settlement. Throws `iso_unmapped` if the ledger lacks a required value, or if the reader of
 * the bridge refuses a value.
 */
export const settlementPairs = (family: SettlementFamily, settlement: SecuritiesSettlement): FlatPairs =>
  readablePairs(family, fieldsOf(family, settlement), NAMES)
