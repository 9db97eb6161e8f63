/** Owns the messages that recover one payload by block hash (docs/design/consensus.md 7). */
import { bytes, hash32, option, type Schema, struct, varint } from '../../codec/index.js'
import { type BlockHeader, BODY_MAX_BYTES, blockHeader } from '../../model/index.js'

export interface PayloadRequest {
  readonly height: number
  readonly blockHash: Uint8Array
}
const payloadRequest_ = struct('PayloadRequest', { height: varint, blockHash: hash32 })
export const payloadRequest: Schema<PayloadRequest> = payloadRequest_

/** Answer; both parts are absent when the peer has not got the block. */
export interface PayloadResponse {
  readonly height: number
  readonly blockHash: Uint8Array
  readonly header: BlockHeader | undefined
  readonly body: Uint8Array | undefined
}
const payloadResponse_ = struct('PayloadResponse', {
  height: varint,
  blockHash: hash32,
  header: option(blockHeader),
  body: option(bytes(BODY_MAX_BYTES)),
})
export const payloadResponse: Schema<PayloadResponse> = payloadResponse_
