/** Owns the field tables of cash management messages: reports, statements, notifications, cancellation requests. */
import { fieldTable, type ParsedFamily } from './table.js'

const ENTRY = `
  Ntry[0,*]
    req Amt amount
    req Ccy currency = Amt/@Ccy
    req CdtDbtInd CRDT|DBIT
    opt BookgDt date = BookgDt/Dt | BookgDt/DtTm:dateTime
    opt NtryRef id35`

const ACCOUNT = `
  req Acct/Id iban = Acct/Id/IBAN | Acct/Id/Othr/Id:id34`

const CAMT_052 = `
xml GrpHdr/MsgId id35
Rpt[1,*]
  req Id id35
  req CreDtTm dateTime${ACCOUNT}
  flat Acct/Ccy currency${ENTRY}
`

const CAMT_053 = `
xml GrpHdr/MsgId id35
Stmt[1,*]
  req Id id35
  opt CreDtTm dateTime${ACCOUNT}
  flat Acct/Ccy currency
  Bal[1,*]
    req Amt amount
    req Ccy currency = Amt/@Ccy
    req Cd id4 = Tp/CdOrPrtry/Cd | Tp/CdOrPrtry/Prtry:id35
    xml CdtDbtInd CRDT|DBIT
    opt Dt date = Dt/Dt | Dt/DtTm:dateTime${ENTRY}
`

const CAMT_054 = `
xml GrpHdr/MsgId id35
Ntfctn[1,*]
  req Id id35
  opt CreDtTm dateTime${ACCOUNT}${ENTRY}
`

const CAMT_056 = `
req Assgnmt/Id id35
req Assgnmt/CreDtTm dateTime
req Undrlyg/TxInf/OrgnlGrpInf/OrgnlMsgId id35 = Undrlyg/TxInf/OrgnlGrpInf/OrgnlMsgId | Undrlyg/OrgnlGrpInfAndCxl/OrgnlMsgId unless Undrlyg/TxInf/OrgnlUETR
opt Undrlyg/TxInf/OrgnlInstrId id35
opt Undrlyg/TxInf/OrgnlEndToEndId id35
opt Undrlyg/TxInf/OrgnlTxId id35
opt Undrlyg/TxInf/OrgnlUETR uetr
opt Undrlyg/TxInf/CxlRsnInf/Rsn/Cd id4
opt Undrlyg/TxInf/CxlRsnInf/Rsn/Prtry id35
opt Undrlyg/TxInf/CxlRsnInf/AddtlInf{*} text105
`

const family = (name: string, title: string, body: string, text: string): ParsedFamily => ({
  family: name,
  title,
  bodies: [body],
  group: fieldTable(text),
  totals: [],
})

export const CASH_TABLES: readonly ParsedFamily[] = [
  family('camt.052', 'Account report', 'BkToCstmrAcctRpt', CAMT_052),
  family('camt.053', 'Account statement', 'BkToCstmrStmt', CAMT_053),
  family('camt.054', 'Debit or credit notification', 'BkToCstmrDbtCdtNtfctn', CAMT_054),
  family('camt.056', 'Payment cancellation request', 'FIToFIPmtCxlReq', CAMT_056),
]
