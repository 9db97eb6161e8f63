/** Owns the field tables of payment status, return, reversal, request and initiation messages (ISO 20022 catalogue). */
import { GROUP_STATUSES, TRANSACTION_STATUSES } from '../values/status.js'
import { fieldTable, type ParsedFamily, type Totals } from './table.js'

const STATUS = TRANSACTION_STATUSES.join('|')
const GROUP_STATUS = GROUP_STATUSES.join('|')

const PACS_002 = `
xml MsgId id35 = GrpHdr/MsgId
xml CreDtTm dateTime = GrpHdr/CreDtTm
req OrgnlMsgId id35 = OrgnlGrpInfAndSts/OrgnlMsgId | TxInfAndSts/OrgnlGrpInf/OrgnlMsgId
opt OrgnlMsgNmId id35 = OrgnlGrpInfAndSts/OrgnlMsgNmId | TxInfAndSts/OrgnlGrpInf/OrgnlMsgNmId
flat TxSts ${STATUS} = TxInfAndSts/TxSts | OrgnlGrpInfAndSts/GrpSts:${GROUP_STATUS}
opt GrpSts ${GROUP_STATUS} = OrgnlGrpInfAndSts/GrpSts
opt RsnCd statusReason = TxInfAndSts/StsRsnInf/Rsn/Cd | OrgnlGrpInfAndSts/StsRsnInf/Rsn/Cd
opt AddtlInf{*} text105 = TxInfAndSts/StsRsnInf/AddtlInf | OrgnlGrpInfAndSts/StsRsnInf/AddtlInf
TxInfAndSts[0,*]
  opt OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
  opt TxSts ${STATUS}
  StsRsnInf[0,*]
    opt Rsn/Cd statusReason
    opt Rsn/Prtry id35
`

const PACS_004 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
xml NbOfTxs count = GrpHdr/NbOfTxs
opt CtrlSum number = GrpHdr/CtrlSum
opt TtlRtrdIntrBkSttlmAmt amount = GrpHdr/TtlRtrdIntrBkSttlmAmt
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId unless TxInf/OrgnlUETR
TxInf[1,*]
  opt RtrId id35
  flat OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
  req RtrdInstdAmt amount = RtrdInstdAmt | RtrdIntrBkSttlmAmt
  req RtrdInstdAmtCcy currency = RtrdInstdAmt/@Ccy | RtrdIntrBkSttlmAmt/@Ccy
  opt RtrdIntrBkSttlmAmt amount
  opt IntrBkSttlmDt date
  opt ChrgBr DEBT|CRED|SHAR|SLEV
  opt RtrdRsn/Cd id4 = RtrRsnInf/Rsn/Cd
  opt RtrdRsn/Prtry id35 = RtrRsnInf/Rsn/Prtry
`

const PACS_007 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
opt NbOfTxs count = GrpHdr/NbOfTxs
opt CtrlSum number = GrpHdr/CtrlSum
opt TtlRvsdIntrBkSttlmAmt amount = GrpHdr/TtlRvsdIntrBkSttlmAmt
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId unless TxInf/OrgnlUETR
opt SplmtryData/LedgerInstruction text2048 = SplmtryData/Envlp/LedgerInstruction
TxInf[1,*]
  opt RvslId id35
  flat OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
  opt RvsdIntrBkSttlmAmt amount
  opt CxlRsnInf/Rsn/Cd id4 = RvslRsnInf/Rsn/Cd
`

const PACS_028 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId unless TxInf/OrgnlUETR
opt OrgnlCreDtTm dateTime = OrgnlGrpInf/OrgnlCreDtTm | TxInf/OrgnlGrpInf/OrgnlCreDtTm
TxInf[0,*]
  opt StsReqId id35
  opt OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
`

const PACS_029 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
req OrgnlGrpInf/OrgnlMsgId id35
opt OrgnlCreDtTm dateTime = OrgnlGrpInf/OrgnlCreDtTm
TxInfAndSts[1,*]
  req TxSts ACSC|RJCT|PDNG|ACSP|MS02|MS03
  opt StsRsnInf/Rsn/Cd id4
`

const PAIN_001 = `
req GrpHdr/MsgId id35
req GrpHdr/CreDtTm dateTime
req GrpHdr/NbOfTxs count
opt GrpHdr/CtrlSum number
flat GrpHdr/InitgPty/Nm text140
PmtInf[1,*]
  req PmtInfId id35
  opt NbOfTxs count
  opt CtrlSum number
  xml PmtMtd CHK|TRF|TRA
  req ReqdExctnDt date = ReqdExctnDt/Dt | ReqdExctnDt/DtTm:dateTime | ReqdExctnDt
  req DbtrAcct/Id iban = DbtrAcct/Id/IBAN | DbtrAcct/Id/Othr/Id:id34
  opt DbtrAgt bic = DbtrAgt/FinInstnId/BICFI | DbtrAgt/FinInstnId/BIC
  CdtTrfTxInf[1,*]
    req EndToEndId id35 = PmtId/EndToEndId
    opt UETR uetr = PmtId/UETR
    req Amt amount = Amt/InstdAmt | Amt/EqvtAmt/Amt
    req Ccy currency = Amt/InstdAmt/@Ccy | Amt/EqvtAmt/Amt/@Ccy
    flat CdtrAcct/Id iban = CdtrAcct/Id/IBAN | CdtrAcct/Id/Othr/Id:id34
    flat CdtrAgt bic = CdtrAgt/FinInstnId/BICFI | CdtrAgt/FinInstnId/BIC
`

const PAIN_002 = `
req GrpHdr/MsgId id35
req GrpHdr/CreDtTm dateTime
req OrgnlGrpInfAndSts/OrgnlMsgId id35
opt OrgnlGrpInfAndSts/OrgnlMsgNmId id35
flat OrgnlGrpInfAndSts/GrpSts ${GROUP_STATUS}
OrgnlPmtInfAndSts[0,*]
  opt OrgnlPmtInfId id35
  opt PmtInfSts ${GROUP_STATUS}
  TxInfAndSts[0,*]
    opt OrgnlEndToEndId id35
    opt TxSts ${STATUS}
    opt StsRsnInf/Rsn/Cd statusReason
`

const family = (
  name: string,
  title: string,
  bodies: readonly string[],
  text: string,
  totals: readonly Totals[] = [],
): ParsedFamily => ({
  family: name,
  title,
  bodies,
  group: fieldTable(text),
  totals,
})

const totalsOf = (amount: string): readonly Totals[] => [
  { within: '', of: 'TxInf', amount, count: 'NbOfTxs', sums: ['CtrlSum', `Ttl${amount}`] },
]
const PAIN_001_TOTALS: readonly Totals[] = [
  { within: '', of: 'PmtInf/CdtTrfTxInf', amount: 'Amt', count: 'GrpHdr/NbOfTxs', sums: ['GrpHdr/CtrlSum'] },
  { within: 'PmtInf', of: 'CdtTrfTxInf', amount: 'Amt', count: 'NbOfTxs', sums: ['CtrlSum'] },
]

export const PAYMENT_TABLES: readonly ParsedFamily[] = [
  family('pacs.002', 'Payment status report', ['FIToFIPmtStsRpt'], PACS_002),
  family('pacs.004', 'Payment return', ['PmtRtr'], PACS_004, totalsOf('RtrdIntrBkSttlmAmt')),
  family('pacs.007', 'Payment reversal', ['FIToFIPmtRvsl'], PACS_007, totalsOf('RvsdIntrBkSttlmAmt')),
  family('pacs.028', 'Payment status request', ['FIToFIPmtStsReq'], PACS_028),
  // ISO assigned this number to a settlement request; the profile here is a resolution with statuses.
  family('pacs.029', 'Resolution of a status request', [], PACS_029),
  family('pain.001', 'Customer credit transfer initiation', ['CstmrCdtTrfInitn'], PAIN_001, PAIN_001_TOTALS),
  family('pain.002', 'Customer payment status report', ['CstmrPmtStsRpt'], PAIN_002),
]
