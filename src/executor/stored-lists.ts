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

/** The kept list of that many bytes; a rejection when an upgrade removed an instruction of it. */
export function storedList<K>(
  state: StateReader,
  pages: PageTable<K>,
  place: { readonly of: K; readonly bytes: number },
  codec: CodecContext,
): readonly Instruction[] | Rejection {
  const decoded = storedInstructions.decode(readPages(state, pages, place.of, place.bytes), codec)
  return decoded.ok ? decoded.value : reject('unknown_instruction', decoded.fault.message)
}
