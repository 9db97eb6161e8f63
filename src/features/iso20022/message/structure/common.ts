/** Owns the components that ISO 20022 payment messages share: parties, agents, accounts, remittance, tax. */
import type { TypeTable } from './schema.js'

const codeOrProprietary = (codeChars: number): string => `| Cd:id${codeChars} Prtry:id35`

/** Components of pacs.008.001.08; tables of later messages replace changed components (ISO 20022 catalogue, 2019). */
export const COMMON: TypeTable = {
  // Parties.
  Party: 'Nm?:text140 PstlAdr?:Address Id?:PartyId CtryOfRes?:country CtctDtls?:Contact',
  PartyId: '| OrgId:OrganisationId PrvtId:PersonId',
  OrganisationId: 'AnyBIC?:bic LEI?:lei Othr*:OtherId',
  PersonId: 'DtAndPlcOfBirth?:Birth Othr*:OtherId',
  OtherId: 'Id:id35 SchmeNm?:Code4 Issr?:text35',
  Birth: 'BirthDt:date PrvcOfBirth?:text35 CityOfBirth:text35 CtryOfBirth:country',
  Contact:
    'NmPrfx?:DOCT|MADM|MISS|MIST|MIKS Nm?:text140 PhneNb?:phone MobNb?:phone FaxNb?:phone EmailAdr?:text2048 EmailPurp?:text35 JobTitl?:text35 ' +
    'Rspnsblty?:text35 Dept?:text70 Othr*:OtherContact PrefrdMtd?:LETT|MAIL|PHON|FAXX|CELL',
  OtherContact: 'ChanlTp:text4 Id?:text128',
  Address:
    'AdrTp?:AddressType Dept?:text70 SubDept?:text70 StrtNm?:text70 BldgNb?:text16 BldgNm?:text35 Flr?:text70 PstBx?:text16 Room?:text70 ' +
    'PstCd?:text16 TwnNm?:text35 TwnLctnNm?:text35 DstrctNm?:text35 CtrySubDvsn?:text35 Ctry?:country AdrLine{0,7}:text70',
  AddressType: '| Cd:ADDR|PBOX|HOME|BIZZ|MLTO|DLVY Prtry:AddressCode',
  AddressCode: 'Id:alnum4 Issr:text35 SchmeNm?:text35',

  // Code or proprietary text, by the length of the code.
  Code3: codeOrProprietary(3),
  Code4: codeOrProprietary(4),
  Code5: codeOrProprietary(5),
  Code35: codeOrProprietary(35),

  // Agents and accounts.
  Agent: 'FinInstnId:Institution BrnchId?:Branch',
  Institution: 'BICFI?:bic ClrSysMmbId?:ClearingMember LEI?:lei Nm?:text140 PstlAdr?:Address Othr?:OtherId',
  ClearingMember: 'ClrSysId?:Code5 MmbId:id35',
  Branch: 'Id?:id35 LEI?:lei Nm?:text140 PstlAdr?:Address',
  Account: 'Id:AccountId Tp?:Code4 Ccy?:currency Nm?:text70 Prxy?:Proxy',
  AccountId: '| IBAN:iban Othr:OtherAccount',
  OtherAccount: 'Id:id34 SchmeNm?:Code4 Issr?:text35',
  Proxy: 'Tp?:Code4 Id:id2048',

  // Group header and payment type.
  GroupHeader:
    'MsgId:id35 CreDtTm:dateTime BtchBookg?:boolean NbOfTxs:count CtrlSum?:number TtlIntrBkSttlmAmt?:amount IntrBkSttlmDt?:date ' +
    'SttlmInf:Settlement PmtTpInf?:PaymentType InstgAgt?:Agent InstdAgt?:Agent',
  Settlement:
    'SttlmMtd:INDA|INGA|COVE|CLRG SttlmAcct?:Account ClrSys?:Code3 InstgRmbrsmntAgt?:Agent InstgRmbrsmntAgtAcct?:Account ' +
    'InstdRmbrsmntAgt?:Agent InstdRmbrsmntAgtAcct?:Account ThrdRmbrsmntAgt?:Agent ThrdRmbrsmntAgtAcct?:Account',
  PaymentType: 'InstrPrty?:HIGH|NORM ClrChanl?:RTGS|RTNS|MPNS|BOOK SvcLvl*:Code4 LclInstrm?:Code35 CtgyPurp?:Code4',
  PaymentId: 'InstrId?:id35 EndToEndId:id35 TxId?:id35 UETR?:uetr ClrSysRef?:id35',
  SettlementTimes: 'DbtDtTm?:dateTime CdtDtTm?:dateTime',
  SettlementRequest: 'CLSTm?:time TillTm?:time FrTm?:time RjctTm?:time',
  CreditorInstruction: 'Cd?:CHQB|HOLD|PHOB|TELB InstrInf?:text140',
  AgentInstruction: 'Cd?:PHOA|TELA InstrInf?:text140',
  Charges: 'Amt:amount Agt:Agent',

  // Regulatory reporting.
  Regulatory: 'DbtCdtRptgInd?:CRED|DEBT|BOTH Authrty?:RegulatoryAuthority Dtls*:RegulatoryDetails',
  RegulatoryAuthority: 'Nm?:text140 Ctry?:country',
  RegulatoryDetails: 'Tp?:text35 Dt?:date Ctry?:country Cd?:text10 Amt?:amount Inf*:text35',

  // Remittance.
  RelatedRemittance: 'RmtId?:text35 RmtLctnDtls*:RemittanceLocation',
  RemittanceLocation: 'Mtd:FAXI|EDIC|URID|EMAL|POST|SMSM ElctrncAdr?:text2048 PstlAdr?:NameAndAddress',
  NameAndAddress: 'Nm:text140 Adr:Address',
  Remittance: 'Ustrd*:text140 Strd*:StructuredRemittance',
  PlainRemittance: 'Ustrd*:text140',
  StructuredRemittance:
    'RfrdDocInf*:ReferredDocument RfrdDocAmt?:RemittanceAmount CdtrRefInf?:CreditorReference Invcr?:Party Invcee?:Party TaxRmt?:TaxRemittance ' +
    'GrnshmtRmt?:Garnishment AddtlRmtInf{0,3}:text140',
  ReferredDocument: 'Tp?:DocumentType Nb?:text35 RltdDt?:date LineDtls*:DocumentLine',
  DocumentType: 'CdOrPrtry:DocumentCode Issr?:text35',
  DocumentCode: '| Cd:MSIN|CNFA|DNFA|CINV|CREN|DEBN|HIRI|SBIN|CMCN|SOAC|DISP|BOLD|VCHR|AROI|TSUT|PUOR Prtry:text35',
  DocumentLine: 'Id+:DocumentLineId Desc?:text2048 Amt?:RemittanceAmount',
  DocumentLineId: 'Tp?:IssuedCode4 Nb?:text35 RltdDt?:date',
  IssuedCode4: 'CdOrPrtry:Code4 Issr?:text35',
  RemittanceAmount:
    'DuePyblAmt?:amount DscntApldAmt*:TypedAmount CdtNoteAmt?:amount TaxAmt*:TypedAmount AdjstmntAmtAndRsn*:Adjustment RmtdAmt?:amount',
  TypedAmount: 'Tp?:Code4 Amt:amount',
  Adjustment: 'Amt:amount CdtDbtInd?:CRDT|DBIT Rsn?:text4 AddtlInf?:text140',
  CreditorReference: 'Tp?:CreditorReferenceType Ref?:text35',
  CreditorReferenceType: 'CdOrPrtry:CreditorReferenceCode Issr?:text35',
  CreditorReferenceCode: '| Cd:RADM|RPIN|FXDR|DISP|PUOR|SCOR Prtry:text35',
  Garnishment:
    'Tp:IssuedCode4 Grnshee?:Party GrnshmtAdmstr?:Party RefNb?:text140 Dt?:date RmtdAmt?:amount FmlyMdclInsrncInd?:boolean MplyeeTermntnInd?:boolean',

  // Tax.
  Tax: 'Cdtr?:TaxParty Dbtr?:TaxDebtor AdmstnZone?:text35 RefNb?:text140 Mtd?:text35 TtlTaxblBaseAmt?:amount TtlTaxAmt?:amount Dt?:date SeqNb?:integer Rcrd*:TaxRecord',
  TaxRemittance:
    'Cdtr?:TaxParty Dbtr?:TaxDebtor UltmtDbtr?:TaxDebtor AdmstnZone?:text35 RefNb?:text140 Mtd?:text35 TtlTaxblBaseAmt?:amount TtlTaxAmt?:amount ' +
    'Dt?:date SeqNb?:integer Rcrd*:TaxRecord',
  TaxParty: 'TaxId?:text35 RegnId?:text35 TaxTp?:text35',
  TaxDebtor: 'TaxId?:text35 RegnId?:text35 TaxTp?:text35 Authstn?:TaxAuthorisation',
  TaxAuthorisation: 'Titl?:text35 Nm?:text140',
  TaxRecord:
    'Tp?:text35 Ctgy?:text35 CtgyDtls?:text35 DbtrSts?:text35 CertId?:text35 FrmsCd?:text35 Prd?:TaxPeriod TaxAmt?:TaxAmount AddtlInf?:text140',
  TaxPeriod:
    'Yr?:date Tp?:MM01|MM02|MM03|MM04|MM05|MM06|MM07|MM08|MM09|MM10|MM11|MM12|QTR1|QTR2|QTR3|QTR4|HLF1|HLF2 FrToDt?:DatePeriod',
  DatePeriod: 'FrDt:date ToDt:date',
  TaxAmount: 'Rate?:rate TaxblBaseAmt?:amount TtlAmt?:amount Dtls*:TaxDetails',
  TaxDetails: 'Prd?:TaxPeriod Amt:amount',

  // Supplementary data: one element of any namespace in each envelope.
  Supplementary: 'PlcAndNm?:text350 Envlp:any',
}

/** Agents that a payment may pass through, each followed by its account. */
export const chainOf = (name: string): string =>
  [1, 2, 3].map((at) => `${name}${at}?:Agent ${name}${at}Acct?:Account`).join(' ')
