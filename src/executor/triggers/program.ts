/** Owns the instruction list of a trigger, stored apart from its record and read only for a run. */
import type { CodecContext, Json } from '../../codec/index.js'
import type { Instruction } from '../../model/index.js'
import { type Overlay, type Purse, RowMeter, type StateReader } from '../../state/index.js'
import { orRejected } from '../boundary.js'
import type { Rejection } from '../contract.js'
import { RUN_TEU } from '../costs.js'
import { type FeeOptions, feeOptionsOf, NO_FEE_OPTIONS } from '../fee-options.js'
import { metadataKeys, metadataValueOf } from '../metadata.js'
import type { Abi } from '../registry.js'
import { storedCost, storedList } from '../stored-lists.js'
import { type Trigger, triggerPages } from './tables.js'

/** Decoders of stored instructions under the active ABI; addresses in them are not text. */
interface Codecs {
  codec(addressPrefix: string): CodecContext
}

/** Instructions of a trigger; read them before its last run removes it. */
export const instructionsOf = (
  state: StateReader,
  abi: Codecs,
  id: string,
  row: Trigger,
  purse: Purse,
): readonly Instruction[] | Rejection =>
  storedList(state, { pages: triggerPages, of: id, row, codec: abi.codec(''), purse })

/**
 * Maximum bytes of a key and a value that can be a fee option: a number, or the address of an account. Longer ones are
 * not read.
 */
const OPTION_BYTES_MAX = 512

/** Fee options in the metadata of a trigger. */
function triggerFeeOptionsOf(state: StateReader, id: string): FeeOptions {
  const object = { kind: 'trigger', value: id } as const
  const sizes = state.get(metadataKeys, object)
  const get = (key: string): Json | undefined => {
    const size = sizes?.get(key)
    if (size === undefined) return undefined
    return size > OPTION_BYTES_MAX ? null : metadataValueOf(state, object, key)
  }
  return feeOptionsOf({ metadata: { get } })
}

/** Instructions of a run, fee options of its trigger, and static cost. */
export interface Program {
  readonly instructions: readonly Instruction[] | Rejection
  readonly feeOptions: FeeOptions
  /** Units of the run itself, its reads and its instructions. */
  readonly teu: number
}

/** Program of a time or pre-commit trigger, read before its last run removes it. */
export function programOf(overlay: Overlay, abi: Abi, id: string, row: Trigger): Program {
  let teu = RUN_TEU
  const purse = {
    take(units: number): void {
      teu += units
    },
  }
  const reading = overlay.fork(new RowMeter(purse, abi.codec('')))
  const read = orRejected(id, () => {
    const feeOptions = triggerFeeOptionsOf(reading, id)
    const instructions = instructionsOf(reading, abi, id, row, purse)
    if (!('code' in instructions)) teu += storedCost(abi, instructions)
    return { feeOptions, instructions }
  })
  reading.discard()
  return 'code' in read ? { instructions: read, feeOptions: NO_FEE_OPTIONS, teu } : { ...read, teu }
}
