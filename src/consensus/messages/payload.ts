/** Owns the messages that recover one payload by block hash (docs/design/consensus.md 7). */
import { bytes, hash32, type Infer, option, struct, varint } from '../../codec/index.js'
import { BODY_MAX_BYTES, blockHeader } from '../../model/index.js'

export interface PayloadRequest extends Infer<typeof payloadRequest> {}
export const payloadRequest = struct('PayloadRequest', { height: varint, blockHash: hash32 })

/** Answer; both parts are absent when the peer has not got the block. */
export interface PayloadResponse extends Infer<typeof payloadResponse> {}
export const payloadResponse = struct('PayloadResponse', {
  height: varint,
  blockHash: hash32,
  header: option(blockHeader),
  body: option(bytes(BODY_MAX_BYTES)),
})
