/** Owns stored instruction lists: in pages, read when they run or are displayed (docs/design/hardening.md 4). */
import { type CodecContext, type Lazy, lazyOf } from '../codec/index.js'
import { type Instruction, STORED_INSTRUCTIONS_MAX_BYTES, storedInstructions } from '../model/index.js'
import { type PageTable, type Purse, readPages, type StateReader } from '../state/index.js'
import { type Rejection, reject } from './contract.js'
import { jsonUnits } from './costs.js'

/** Description of a stored list in the record of its trigger or proposal. */
export interface StoredPlace {
  readonly instructionBytes: number
  /** Weight of its JSON, which is charged before the list is read. */
  readonly instructionWeight: number
}

/** List in canonical bytes for storage, or the reason why it cannot be stored. */
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

/** Decoded list with its decoder: after a change of the ABI, the bytes are decoded again. */
interface Decoded {
  readonly registries: CodecContext['registries']
  readonly list: readonly Instruction[]
}
/**
 * Decoded lists by their first page, as long as that page is in memory: pages are written together and never changed.
 * One event may start a trigger hundreds of times in a transaction, and decoding JSON would dominate its cost. The
 * pages are read nevertheless, so that the metered cost of a run does not depend on the cache.
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

/** Stored list; a rejection if an upgrade removed one of its instructions. */
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

/** Static cost of a stored list in TEU, computed once per decoded list. */
export function storedCost(
  abi: { costOf(instructions: readonly Instruction[], standing: 'stored'): number },
  list: readonly Instruction[],
): number {
  const known = costs.get(list) ?? abi.costOf(list, 'stored')
  costs.set(list, known)
  return known
}
