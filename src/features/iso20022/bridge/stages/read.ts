/** Owns the first stage: a body becomes a payment, read as its family and the settlement window of today want it. */
import { LedgerError } from '../../../../model/index.js'
import { checkSettlementDate, type ParseOptions, type Payment, type PaymentFamilyName } from '../../message/index.js'
import type { ReadAnswer } from '../../reader/reader.js'
import type { IsoFamily } from '../../schema/instructions.js'
import type { BridgeContext } from '../context.js'
import type { BridgeRecord } from '../record.js'
import { parseRefusal } from '../refusal.js'

const NAMES: Readonly<Record<IsoFamily, PaymentFamilyName>> = { pacs008: 'pacs.008', pacs009: 'pacs.009' }

/** Settlement dates that are taken today. */
function windowOf({ settlementWindow, wallMs }: BridgeContext): NonNullable<ParseOptions['settlementWindow']> {
  return { ...settlementWindow, today: new Date(wallMs()).toISOString().slice(0, 10) }
}

/** Reads a body that was submitted; a large one on a thread of its own. */
export function readMessage(context: BridgeContext, family: IsoFamily, body: Uint8Array): Promise<ReadAnswer> {
  return context.reader.read(body, { family: NAMES[family], settlementWindow: windowOf(context) })
}

/** Reads the body of a held message again, with the settlement date that stands now. */
export async function readHeld(context: BridgeContext, record: BridgeRecord): Promise<Payment | LedgerError> {
  if (record.body === undefined) throw new Error('a held record keeps its body')
  const read = await context.reader.read(record.body, { family: NAMES[record.family] })
  if (read instanceof LedgerError) return read
  if (!read.ok) return parseRefusal(read)
  const { settlementDate } = record.details
  const fault = checkSettlementDate(settlementDate, windowOf(context))
  if (fault !== undefined) return parseRefusal({ ok: false, stage: 'invalid', faults: [fault] })
  return { ...read.payment, settlementDate }
}
