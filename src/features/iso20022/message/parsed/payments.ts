/** Owns the field tables of payment status, return, reversal, request and initiation messages (ISO 20022 catalogue). */
import { RECOGNISED_STATUS_CODES } from '../reasons.js'
import { fieldTable, type ParsedFamily } from './table.js'

const STATUS = RECOGNISED_STATUS_CODES.join('|')

const PACS_002 = `
xml MsgId id35 = GrpHdr/MsgId
xml CreDtTm dateTime = GrpHdr/CreDtTm
req OrgnlMsgId id35 = OrgnlGrpInfAndSts/OrgnlMsgId | TxInfAndSts/OrgnlGrpInf/OrgnlMsgId
opt OrgnlMsgNmId id35 = OrgnlGrpInfAndSts/OrgnlMsgNmId | TxInfAndSts/OrgnlGrpInf/OrgnlMsgNmId
flat TxSts ${STATUS} = TxInfAndSts/TxSts | OrgnlGrpInfAndSts/GrpSts
opt GrpSts ${STATUS} = OrgnlGrpInfAndSts/GrpSts
opt RsnCd id4 = TxInfAndSts/StsRsnInf/Rsn/Cd | OrgnlGrpInfAndSts/StsRsnInf/Rsn/Cd
opt AddtlInf{8} text105 = TxInfAndSts/StsRsnInf/AddtlInf | OrgnlGrpInfAndSts/StsRsnInf/AddtlInf
TxInfAndSts[0,1024]
  opt OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
  opt TxSts ${STATUS}
  StsRsnInf[0,8]
    opt Rsn/Cd id4
    opt Rsn/Prtry id35
`

const PACS_004 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
xml NbOfTxs count = GrpHdr/NbOfTxs
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId
TxInf[1,1024]
  opt RtrId id35
  flat OrgnlInstrId id35
  opt OrgnlEndToEndId id35
  opt OrgnlTxId id35
  opt OrgnlUETR uetr
  req RtrdInstdAmt amount = RtrdInstdAmt | RtrdIntrBkSttlmAmt
  req RtrdInstdAmtCcy currency = RtrdInstdAmt/@Ccy | RtrdIntrBkSttlmAmt/@Ccy
  opt IntrBkSttlmDt date
  opt ChrgBr DEBT|CRED|SHAR|SLEV
  opt RtrdRsn/Cd id4 = RtrRsnInf/Rsn/Cd
  opt RtrdRsn/Prtry id35 = RtrRsnInf/Rsn/Prtry
`

const PACS_007 = `
req MsgId id35 = GrpHdr/MsgId
req CreDtTm dateTime = GrpHdr/CreDtTm
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId
opt SplmtryData/LedgerInstruction text2048 = SplmtryData/Envlp/LedgerInstruction
TxInf[1,1024]
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
req OrgnlGrpInf/OrgnlMsgId id35 = OrgnlGrpInf/OrgnlMsgId | TxInf/OrgnlGrpInf/OrgnlMsgId
opt OrgnlCreDtTm dateTime = OrgnlGrpInf/OrgnlCreDtTm | TxInf/OrgnlGrpInf/OrgnlCreDtTm
TxInf[0,1024]
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
TxInfAndSts[1,1024]
  req TxSts ACSC|RJCT|PDNG|ACSP|MS02|MS03
  opt StsRsnInf/Rsn/Cd id4
`

const PAIN_001 = `
req GrpHdr/MsgId id35
req GrpHdr/CreDtTm dateTime
req GrpHdr/NbOfTxs count
opt GrpHdr/CtrlSum number
flat GrpHdr/InitgPty/Nm text140
PmtInf[1,64]
  req PmtInfId id35
  xml PmtMtd CHK|TRF|TRA
  req ReqdExctnDt date = ReqdExctnDt/Dt | ReqdExctnDt/DtTm:dateTime | ReqdExctnDt
  req DbtrAcct/Id iban = DbtrAcct/Id/IBAN | DbtrAcct/Id/Othr/Id:id34
  opt DbtrAgt bic = DbtrAgt/FinInstnId/BICFI | DbtrAgt/FinInstnId/BIC
  CdtTrfTxInf[1,1024]
    req EndToEndId id35 = PmtId/EndToEndId
    opt UETR uetr = PmtId/UETR
    req Amt amount = Amt/InstdAmt | Amt/EqvtAmt/Amt
    req Ccy currency = Amt/InstdAmt/@Ccy | Amt/EqvtAmt/Amt/@Ccy
    req CdtrAcct/Id iban = CdtrAcct/Id/IBAN | CdtrAcct/Id/Othr/Id:id34
    flat CdtrAgt bic = CdtrAgt/FinInstnId/BICFI | CdtrAgt/FinInstnId/BIC
`

const PAIN_002 = `
req GrpHdr/MsgId id35
req GrpHdr/CreDtTm dateTime
req OrgnlGrpInfAndSts/OrgnlMsgId id35
opt OrgnlGrpInfAndSts/OrgnlMsgNmId id35
flat OrgnlGrpInfAndSts/GrpSts ${STATUS}
OrgnlPmtInfAndSts[0,1024]
  opt OrgnlPmtInfId id35
  opt PmtInfSts ${STATUS}
  TxInfAndSts[0,1024]
    opt OrgnlEndToEndId id35
    opt TxSts ${STATUS}
    opt StsRsnInf/Rsn/Cd id4
`

const family = (name: string, title: string, bodies: readonly string[], text: string): ParsedFamily => ({
  family: name,
  title,
  bodies,
  group: fieldTable(text),
})

export const PAYMENT_TABLES: readonly ParsedFamily[] = [
  family('pacs.002', 'Payment status report', ['FIToFIPmtStsRpt'], PACS_002),
  family('pacs.004', 'Payment return', ['PmtRtr'], PACS_004),
  family('pacs.007', 'Payment reversal', ['FIToFIPmtRvsl'], PACS_007),
  family('pacs.028', 'Payment status request', ['FIToFIPmtStsReq'], PACS_028),
  // ISO gave this number to a settlement request; the profile here is a resolution with statuses.
  family('pacs.029', 'Resolution of a status request', [], PACS_029),
  family('pain.001', 'Customer credit transfer initiation', ['CstmrCdtTrfInitn'], PAIN_001),
  family('pain.002', 'Customer payment status report', ['CstmrPmtStsRpt'], PAIN_002),
]
