/** Owns the structure of the business application header, head.001.001.01 to .04. */
import { COMMON } from './common.js'
import type { TypeTable } from './schema.js'

const TAIL = 'CpyDplct?:CODU|COPY|DUPL PssblDplct?:boolean Prty?:text35 Sgntr?:open'

/** head.001.001.02, which CBPR+ and FedNow use. */
const HEAD_02: TypeTable = {
  ...COMMON,
  AppHdr: `CharSet?:text35 Fr:Partner To:Partner BizMsgIdr:id35 MsgDefIdr:id35 BizSvc?:id35 MktPrctc?:Practice CreDt:dateTime BizPrcgDt?:dateTime ${TAIL} Rltd*:open`,
  Partner: '| OrgId:Party FIId:Agent',
  Practice: 'Regy:text350 Id:text2048',
}

// Versions 01, 03 and 04 differ in the components of their parties, which are not read, so their content is not
// checked. The first version has its date in UTC (ISONormalisedDateTime).
const HEAD_01: TypeTable = {
  AppHdr: `CharSet?:text35 Fr:open To:open BizMsgIdr:id35 MsgDefIdr:id35 BizSvc?:id35 CreDt:utcDateTime ${TAIL} Rltd?:open`,
}
const HEAD_03: TypeTable = {
  AppHdr: `CharSet?:text35 Fr:open To:open BizMsgIdr:id35 MsgDefIdr:id35 BizSvc?:id35 MktPrctc?:open CreDt:dateTime BizPrcgDt?:dateTime ${TAIL} Rltd*:open`,
}

/** Accepted headers: message definition to its table, which starts at the type AppHdr. */
export const HEADERS: Readonly<Record<string, TypeTable>> = {
  'head.001.001.01': HEAD_01,
  'head.001.001.02': HEAD_02,
  'head.001.001.03': HEAD_03,
  'head.001.001.04': HEAD_03,
}
