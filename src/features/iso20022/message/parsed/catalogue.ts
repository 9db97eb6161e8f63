/**
 * Owns the list of families that are only parsed, and the names of families that are only referenced (specification
 * 4.4).
 */
import { CASH_TABLES } from './cash.js'
import { PAYMENT_TABLES } from './payments.js'
import { SECURITIES_TABLES } from './securities.js'
import { fieldTable, type ParsedFamily } from './table.js'

/** Business application header as a message by itself; the structure of its version is checked in addition. */
const HEAD_001: ParsedFamily = {
  family: 'head.001',
  title: 'Business application header',
  bodies: [],
  group: fieldTable(`
req BizMsgIdr id35
req MsgDefIdr id35
req CreDt dateTime
opt BizSvc id35
opt Fr/FIId/FinInstnId/BICFI bic
opt Fr/FIId/FinInstnId/ClrSysMmbId/MmbId id35
opt To/FIId/FinInstnId/BICFI bic
opt To/FIId/FinInstnId/ClrSysMmbId/MmbId id35
`),
  totals: [],
}

/** Families that are parsed and validated, and have no endpoint. */
export const PARSED_FAMILIES: readonly ParsedFamily[] = [
  HEAD_001,
  ...PAYMENT_TABLES,
  ...CASH_TABLES,
  ...SECURITIES_TABLES,
]

/** Families that workflows refer to, without endpoint or schema. */
export const WORKFLOW_FAMILIES: Readonly<Record<string, string>> = {
  'sese.024': 'Securities settlement status advice',
  'sese.030': 'Settlement conditions modification request',
  'sese.031': 'Settlement conditions modification status advice',
  'colr.010': 'Collateral substitution confirmation',
  'colr.011': 'Collateral and exposure call',
  'colr.012': 'Collateral agreement advice',
  'camt.029': 'Resolution of an investigation',
}

/** Family with a name, or of a definition such as `camt.053.001.08`; the dots are optional (`pacs002`). */
export function familyOf(text: string): string {
  const dotted = /^([a-z]{4})\.?([0-9]{3})/.exec(text)
  return dotted === null ? text : `${dotted[1]}.${dotted[2]}`
}
