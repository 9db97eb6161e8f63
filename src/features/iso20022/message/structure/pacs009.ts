/** Owns the structure of pacs.009.001.10, the credit transfer between financial institutions. */
import { COMMON, chainOf } from './common.js'
import type { TypeTable } from './schema.js'

/** Content of Document, by the ISO 20022 catalogue. */
export const PACS_009_001_10: TypeTable = {
  ...COMMON,
  Document: 'FICdtTrf:InstitutionCreditTransfer',
  InstitutionCreditTransfer: 'GrpHdr:GroupHeader CdtTrfTxInf+:Transaction SplmtryData*:Supplementary',
  // Since this version an account may have only a proxy, instructions to the creditor agent are an external code list,
  // and a tax year is a year.
  Account: 'Id?:AccountId Tp?:Code4 Ccy?:currency Nm?:text70 Prxy?:Proxy',
  CreditorInstruction: 'Cd?:id4 InstrInf?:text140',
  TaxPeriod: (COMMON['TaxPeriod'] ?? '').replace('Yr?:date', 'Yr?:year'),
  Transaction: [
    'PmtId:PaymentId PmtTpInf?:PaymentType IntrBkSttlmAmt:amount IntrBkSttlmDt?:date SttlmPrty?:URGT|HIGH|NORM',
    'SttlmTmIndctn?:SettlementTimes SttlmTmReq?:SettlementRequest',
    chainOf('PrvsInstgAgt'),
    'InstgAgt?:Agent InstdAgt?:Agent',
    chainOf('IntrmyAgt'),
    'UltmtDbtr?:Agent Dbtr:Agent DbtrAcct?:Account DbtrAgt?:Agent DbtrAgtAcct?:Account',
    'CdtrAgt?:Agent CdtrAgtAcct?:Account Cdtr:Agent CdtrAcct?:Account UltmtCdtr?:Agent',
    'InstrForCdtrAgt*:CreditorInstruction InstrForNxtAgt*:AgentInstruction Purp?:Code4 RmtInf?:PlainRemittance',
    'UndrlygCstmrCdtTrf?:CoveredTransfer SplmtryData*:Supplementary',
  ].join(' '),
  CoveredTransfer: [
    'UltmtDbtr?:Party InitgPty?:Party Dbtr:Party DbtrAcct?:Account DbtrAgt:Agent DbtrAgtAcct?:Account',
    chainOf('PrvsInstgAgt'),
    chainOf('IntrmyAgt'),
    'CdtrAgt:Agent CdtrAgtAcct?:Account Cdtr:Party CdtrAcct?:Account UltmtCdtr?:Party',
    'InstrForCdtrAgt*:CreditorInstruction InstrForNxtAgt*:AgentInstruction Tax?:Tax RmtInf?:Remittance InstdAmt?:amount',
  ].join(' '),
}
