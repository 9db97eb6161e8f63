/** Owns the field tables of securities settlement and collateral messages: a custom profile with ISO names. */
import { fieldTable, type ParsedFamily } from './table.js'

const INSTRUCTION = `
req TxId id35
req SttlmDt date = TradDtls/SttlmDt/Dt/Dt | SttlmDt/Dt | SttlmDt
req SttlmTpAndAddtlParams/SctiesMvmntTp DELI|RECE
req SttlmTpAndAddtlParams/Pmt APMT|FREE
req SctiesLeg/FinInstrmId security = SctiesLeg/FinInstrmId | FinInstrmId/ISIN:isin
req SctiesLeg/Qty number = SctiesLeg/Qty | QtyAndAcctDtls/SttlmQty/Qty/Unit
req CashLeg/Amt amount = CashLeg/Amt | SttlmAmt/Amt
req CashLeg/Ccy currency = CashLeg/Ccy | CashLeg/Amt/@Ccy | SttlmAmt/Amt/@Ccy
req DlvrgSttlmPties/Pty/Bic bic = DlvrgSttlmPties/Pty/Bic | DlvrgSttlmPties/Pty1/Id/AnyBIC
req DlvrgSttlmPties/Acct id35 = DlvrgSttlmPties/Acct | DlvrgSttlmPties/Pty1/SfkpgAcct/Id
req RcvgSttlmPties/Pty/Bic bic = RcvgSttlmPties/Pty/Bic | RcvgSttlmPties/Pty1/Id/AnyBIC
req RcvgSttlmPties/Acct id35 = RcvgSttlmPties/Acct | RcvgSttlmPties/Pty1/SfkpgAcct/Id
req Plan/ExecutionOrder DELIVERY_THEN_PAYMENT|PAYMENT_THEN_DELIVERY
req Plan/Atomicity ALL_OR_NOTHING|COMMIT_FIRST_LEG|COMMIT_SECOND_LEG
`

const OPTIONS = `
opt SttlmParams/HldInd boolean
opt SttlmParams/PrtlSttlmInd NPAR|PART|PARQ|PARC
opt SttlmParams/SttlmTxCond/Cd id4
opt PlcOfSttlm/MktId mic
Lnkgs/Lnkg[0,*]
  opt Tp/Cd WITH|BEFO|AFTE
  opt Ref/Prtry id35
`

const CONFIRMATION = `${INSTRUCTION.replaceAll(/^req (SctiesLeg|CashLeg)/gm, 'opt $1')}
req ConfSts ACCP|PEND|PART|RJCT
req SttlmQty number = SttlmQty | QtyAndAcctDtls/SttldQty/Qty/Unit
req SttlmAmt amount = SttlmAmt | SttldAmt/Amt
req SttlmCcy currency = SttlmCcy | SttlmAmt/@Ccy | SttldAmt/Amt/@Ccy
opt RsnCd id4
opt AddtlInf{*} text105
`

const SUBSTITUTION = `
req TxId id35
req OblgtnId id35
req Substitution/OriginalAmt amount
req Substitution/OriginalCcy currency
req Substitution/SubstituteAmt amount
req Substitution/SubstituteCcy currency
req Substitution/EffectiveDt date
req Substitution/Type FULL|PARTIAL
opt Substitution/Haircut number
opt Substitution/OriginalFinInstrmId security
opt Substitution/SubstituteFinInstrmId security
opt Substitution/ReasonCd id35
`

const family = (name: string, title: string, text: string): ParsedFamily => ({
  family: name,
  title,
  bodies: [],
  group: fieldTable(text),
  totals: [],
})

export const SECURITIES_TABLES: readonly ParsedFamily[] = [
  family('sese.023', 'Securities settlement instruction', INSTRUCTION + OPTIONS),
  family('sese.025', 'Securities settlement confirmation', CONFIRMATION + OPTIONS),
  family('colr.007', 'Collateral substitution', SUBSTITUTION),
]
