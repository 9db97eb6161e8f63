/** Owns the first stage: decoding a body as a message of its family, within today's settlement window. */
import { LedgerError } from '../../../../model/index.js'
import { checkSettlementDate, type ParseOptions, type Payment, type PaymentFamilyName } from '../../message/index.js'
import type { ReadAnswer } from '../../reader/reader.js'
import { type IsoFamily, PAYMENTS_MAX } from '../../schema/instructions.js'
import { SHARED_SINCE } from '../batches.js'
import type { BridgeContext } from '../context.js'
import type { BridgeRecord } from '../record.js'
import { parseRefusal } from '../refusal.js'

const NAMES: Readonly<Record<IsoFamily, PaymentFamilyName>> = { pacs008: 'pacs.008', pacs009: 'pacs.009' }

/** Settlement dates that are accepted today. */
function windowOf({ settlementWindow, wallMs }: BridgeContext): NonNullable<ParseOptions['settlementWindow']> {
  return { ...settlementWindow, today: new Date(wallMs()).toISOString().slice(0, 10) }
}

/** Decode a submitted body, on a separate thread if it is large. Before ABI 2 a message has one payment. */
export function readMessage(context: BridgeContext, family: IsoFamily, body: Uint8Array): Promise<ReadAnswer> {
  const maxPayments = context.services.info.abi >= SHARED_SINCE ? PAYMENTS_MAX : 1
  return context.reader.read(body, { family: NAMES[family], settlementWindow: windowOf(context), maxPayments })
}

/** Decode held payments of one message again, each with the current settlement date of its record. */
export async function readHeld(
  context: BridgeContext,
  records: readonly BridgeRecord[],
): Promise<readonly (Payment | LedgerError)[]> {
  const [first] = records
  if (first === undefined) return []
  const body = first.body ?? (await context.store.bodyOf(first))
  if (body === undefined) throw new Error('the body of a held payment is missing')
  const read = await context.reader.read(body, { family: NAMES[first.family] })
  if (read instanceof LedgerError) return records.map(() => read)
  if (!read.ok) return records.map(() => parseRefusal(read))
  return records.map(({ place, details: { settlementDate } }) => {
    const one = read.message.payments[place - 1]
    if (one === undefined) throw new Error('a held payment is missing from its message')
    if (!one.ok) return parseRefusal({ ok: false, stage: 'invalid', faults: one.faults })
    const fault = checkSettlementDate(settlementDate, windowOf(context))
    if (fault !== undefined) return parseRefusal({ ok: false, stage: 'invalid', faults: [fault] })
    return { ...one.payment, settlementDate }
  })
}
