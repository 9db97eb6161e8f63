/** Owns the structure of pacs.008.001.08, the customer credit transfer between financial institutions. */
import { COMMON, chainOf } from './common.js'
import type { TypeTable } from './schema.js'

/** Content of Document, by the ISO 20022 catalogue. */
export const PACS_008_001_08: TypeTable = {
  ...COMMON,
  Document: 'FIToFICstmrCdtTrf:CustomerCreditTransfer',
  CustomerCreditTransfer: 'GrpHdr:GroupHeader CdtTrfTxInf+:Transaction SplmtryData*:Supplementary',
  Transaction: [
    'PmtId:PaymentId PmtTpInf?:PaymentType IntrBkSttlmAmt:amount IntrBkSttlmDt?:date SttlmPrty?:URGT|HIGH|NORM',
    'SttlmTmIndctn?:SettlementTimes SttlmTmReq?:SettlementRequest AccptncDtTm?:dateTime PoolgAdjstmntDt?:date InstdAmt?:amount',
    'XchgRate?:rate ChrgBr:DEBT|CRED|SHAR|SLEV ChrgsInf*:Charges',
    chainOf('PrvsInstgAgt'),
    'InstgAgt?:Agent InstdAgt?:Agent',
    chainOf('IntrmyAgt'),
    'UltmtDbtr?:Party InitgPty?:Party Dbtr:Party DbtrAcct?:Account DbtrAgt:Agent DbtrAgtAcct?:Account',
    'CdtrAgt:Agent CdtrAgtAcct?:Account Cdtr:Party CdtrAcct?:Account UltmtCdtr?:Party',
    'InstrForCdtrAgt*:CreditorInstruction InstrForNxtAgt*:AgentInstruction Purp?:Code4 RgltryRptg{0,10}:Regulatory Tax?:Tax',
    'RltdRmtInf{0,10}:RelatedRemittance RmtInf?:Remittance SplmtryData*:Supplementary',
  ].join(' '),
}
