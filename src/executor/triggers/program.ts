/** Owns what a trigger runs: its instructions, which lie apart from its record and are read for a run only. */
import type { CodecContext } from '../../codec/index.js'
import type { Instruction } from '../../model/index.js'
import { type Overlay, RowMeter, type StateReader } from '../../state/index.js'
import { orRejected } from '../boundary.js'
import type { Rejection } from '../contract.js'
import { RUN_TEU } from '../costs.js'
import { type FeeWishes, feeWishesOf, NO_WISHES } from '../fee-wishes.js'
import { metadataValueOf } from '../metadata.js'
import type { Abi } from '../registry.js'
import { storedCost, storedList } from '../stored-lists.js'
import { type Trigger, triggerPages } from './tables.js'

/** What reads stored instructions: those of the active ABI; addresses are no text in them. */
interface Codecs {
  codec(addressPrefix: string): CodecContext
}

/** Instructions of a trigger; read them before its last run removes it. */
export const instructionsOf = (
  state: StateReader,
  abi: Codecs,
  id: string,
  row: Trigger,
): readonly Instruction[] | Rejection =>
  storedList(state, triggerPages, { of: id, bytes: row.instructionBytes }, abi.codec(''))

/** What a run does, what its trigger says about fees, and what it costs before it runs. */
export interface Program {
  readonly instructions: readonly Instruction[] | Rejection
  readonly wishes: FeeWishes
  /** Units of the run itself, of what is read for it, and of its instructions. */
  readonly teu: number
}

/** What a time or pre-commit trigger is about to do; read before its last run removes it. */
export function programOf(overlay: Overlay, abi: Abi, id: string, row: Trigger): Program {
  let teu = RUN_TEU
  const count = (units: number): void => {
    teu += units
  }
  const reading = overlay.fork(new RowMeter({ take: count }, abi.codec('')))
  const object = { kind: 'trigger', value: id } as const
  const read = orRejected(id, () => {
    const wishes = feeWishesOf({ metadata: { get: (key) => metadataValueOf(reading, object, key) } })
    const instructions = instructionsOf(reading, abi, id, row)
    if (!('code' in instructions)) teu += storedCost(abi, instructions)
    return { wishes, instructions }
  })
  reading.discard()
  return 'code' in read ? { instructions: read, wishes: NO_WISHES, teu } : { ...read, teu }
}
