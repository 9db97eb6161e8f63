/** Owns the file `genesis.signed`: one frame that contains the signed genesis block. */
import { frameOf } from '../../codec/index.js'
import type { Abi } from '../../executor/index.js'
import { writeNew } from '../../files/write-file.js'
import { DEFAULT_ADDRESS_PREFIX, LedgerError, type SignedGenesis, signedGenesis } from '../../model/index.js'
import { readBytes } from './json-file.js'

/** Type id of the frame; ids of files start at 100, ids of HTTP are in api/frames.ts. */
export const GENESIS_FRAME_ID = 100
/** Frame of a signed genesis on disk. */
export const GENESIS_FRAME = frameOf(GENESIS_FRAME_ID, signedGenesis)

/** Decode a signed genesis from the bytes of a file; throws `genesis_invalid`. Does not check signature and roots. */
export function decodeGenesis(abi: Abi, bytes: Uint8Array, file: string): SignedGenesis {
  const first = GENESIS_FRAME.open(bytes, abi.codec(DEFAULT_ADDRESS_PREFIX))
  if (!first.ok) {
    const place = first.fault.path === undefined ? '' : ` at ${first.fault.path}`
    throw new LedgerError('genesis_invalid', `${file}: ${first.fault.message}${place}`, {
      hint: 'Create the file with `causeway genesis sign`.',
      details: { file, code: first.fault.code },
    })
  }
  // The address prefix is part of the payload, and the handle keeps the context that it was decoded with.
  const { addressPrefix } = first.value.payload.value
  if (addressPrefix === DEFAULT_ADDRESS_PREFIX) return first.value
  const again = GENESIS_FRAME.open(bytes, abi.codec(addressPrefix))
  if (!again.ok) throw new Error('the second decoding of a valid genesis failed')
  return again.value
}

/** Read a signed genesis; throws `file_missing`, `file_unreadable` or `genesis_invalid`. */
export const readGenesisFile = async (abi: Abi, file: string): Promise<SignedGenesis> =>
  decodeGenesis(abi, await readBytes(file), file)

/**
 * Write the canonical bytes of a signed genesis to a file; throws `file_exists`, because a genesis is never replaced.
 */
export async function writeGenesisFile(file: string, canonical: Uint8Array): Promise<void> {
  await writeNew(file, GENESIS_FRAME.wrap(canonical))
}
