/** Owns the instructions that the state keeps for later: in pages, read when they run or are shown (design/hardening.md 4). */
import type { CodecContext } from '../codec/index.js'
import { type Instruction, STORED_INSTRUCTIONS_MAX_BYTES, storedInstructions } from '../model/index.js'
import { type PageTable, readPages, type StateReader } from '../state/index.js'
import { type Rejection, reject } from './contract.js'

/** Canonical bytes of a list to keep, or why it is not kept. */
export function storedBytes(codec: CodecContext, instructions: readonly Instruction[]): Uint8Array | Rejection {
  const encoded = storedInstructions.encode(instructions, codec)
  return encoded.length <= STORED_INSTRUCTIONS_MAX_BYTES
    ? encoded
    : reject(
        'instructions_limit',
        `the instructions have ${encoded.length} bytes, at most ${STORED_INSTRUCTIONS_MAX_BYTES} are kept`,
      )
}

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

/** The kept list of that many bytes; a rejection when an upgrade removed an instruction of it. */
export function storedList<K>(
  state: StateReader,
  pages: PageTable<K>,
  place: { readonly of: K; readonly bytes: number },
  codec: CodecContext,
): readonly Instruction[] | Rejection {
  const content = readPages(state, pages, place.of, place.bytes)
  const [first] = content
  const { registries } = codec
  const known = first === undefined ? undefined : decodedLists.get(first)
  if (known !== undefined && known.registries === registries) return known.list
  const decoded = storedInstructions.decode(Buffer.concat(content, place.bytes), codec)
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
