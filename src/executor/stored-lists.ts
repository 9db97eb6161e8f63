/** Owns the instructions that the state keeps for later: in pages, read when they run or are shown (docs/design/hardening.md 4). */
import { type CodecContext, type Lazy, lazyOf } from '../codec/index.js'
import { type Instruction, STORED_INSTRUCTIONS_MAX_BYTES, storedInstructions } from '../model/index.js'
import { type PageTable, type Purse, readPages, type StateReader } from '../state/index.js'
import { type Rejection, reject } from './contract.js'
import { jsonUnits } from './costs.js'

/** Description of a stored list in the record of its trigger or proposal. */
export interface StoredPlace {
  readonly instructionBytes: number
  /** Weight of the JSON in it: it is paid before it is read. */
  readonly instructionWeight: number
}

/** A list in its canonical bytes, as it is kept, or why it is not kept. */
export function listToStore(
  codec: CodecContext,
  instructions: readonly Instruction[],
): Lazy<readonly Instruction[]> | Rejection {
  const encoded = lazyOf(storedInstructions, instructions, codec)
  const size = encoded.bytes.length
  return size <= STORED_INSTRUCTIONS_MAX_BYTES
    ? encoded
    : reject(
        'instructions_limit',
        `the instructions have ${size} bytes, exceeding the limit of ${STORED_INSTRUCTIONS_MAX_BYTES}`,
      )
}

/** Description of a list for the record of its owner. */
export const placeOfList = ({ bytes, jsonWeight }: Lazy<unknown>): StoredPlace => ({
  instructionBytes: bytes.length,
  instructionWeight: jsonWeight,
})

/** A list that was decoded before, with what decoded it: another ABI reads the bytes anew. */
interface Decoded {
  readonly registries: CodecContext['registries']
  readonly list: readonly Instruction[]
}
/**
 * Lists by the first of their pages, as long as that is in memory: pages are written together and never changed. One event
 * may set off a trigger hundreds of times in a transaction, and reading JSON costs more than all else about it. The pages
 * are asked for all the same, so that what a run is metered at does not depend on what was read before.
 */
const decodedLists = new WeakMap<Uint8Array, Decoded>()
const costs = new WeakMap<readonly Instruction[], number>()

/** Location of a stored list, and its decoder. */
export interface StoredSource<K> {
  readonly pages: PageTable<K>
  readonly of: K
  readonly row: StoredPlace
  readonly codec: CodecContext
  /** Meter for decoding the JSON; absent: not charged, for reads only. */
  readonly purse?: Purse
}

/** A kept list; a rejection when an upgrade removed an instruction of it. */
export function storedList<K>(
  state: StateReader,
  { pages, of, row, codec, purse }: StoredSource<K>,
): readonly Instruction[] | Rejection {
  const content = readPages(state, pages, of, row.instructionBytes)
  purse?.take(jsonUnits(row.instructionWeight))
  const [first] = content
  const { registries } = codec
  const known = first === undefined ? undefined : decodedLists.get(first)
  if (known !== undefined && known.registries === registries) return known.list
  const decoded = storedInstructions.decode(Buffer.concat(content, row.instructionBytes), codec)
  if (!decoded.ok) return reject('unknown_instruction', decoded.fault.message)
  if (first !== undefined) decodedLists.set(first, { registries, list: decoded.value })
  return decoded.value
}

/** Static cost of a kept list in TEU, counted once for each decoded list. */
export function storedCost(
  abi: { costOf(instructions: readonly Instruction[], standing: 'stored'): number },
  list: readonly Instruction[],
): number {
  const known = costs.get(list) ?? abi.costOf(list, 'stored')
  costs.set(list, known)
  return known
}
