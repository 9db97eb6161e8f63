/** Owns the union of all consensus messages as they travel on peer links. Tags are append-only. */
import { enumOf, type Infer } from '../../codec/index.js'
import { certifiedHeader, timeoutCertificate } from '../../model/index.js'
import { payloadRequest, payloadResponse, recordRequest, recordResponse } from './payload.js'
import { proposal } from './proposal.js'
import { rbcChunk, rbcInit, rbcRequest, rbcSignal } from './rbc.js'
import { status, syncRequest, syncResponse } from './sync.js'
import { timeout, vote } from './vote.js'

export * from './payload.js'
export * from './proposal.js'
export * from './rbc.js'
export * from './sync.js'
export * from './vote.js'

export type ConsensusMessage = Infer<typeof consensusMessage>
export const consensusMessage = enumOf('ConsensusMessage', {
  proposal: [0, proposal],
  vote: [1, vote],
  timeout: [2, timeout],
  certificate: [3, certifiedHeader],
  timeoutCertificate: [4, timeoutCertificate],
  status: [5, status],
  payloadRequest: [6, payloadRequest],
  payloadResponse: [7, payloadResponse],
  syncRequest: [8, syncRequest],
  syncResponse: [9, syncResponse],
  recordRequest: [10, recordRequest],
  recordResponse: [11, recordResponse],
  rbcInit: [12, rbcInit],
  rbcChunk: [13, rbcChunk],
  rbcReady: [14, rbcSignal],
  rbcDeliver: [15, rbcSignal],
  rbcRequest: [16, rbcRequest],
})

/** Bulk messages yield to all others on a link, so that a vote does not wait behind a block. */
export const isBulk = ({ kind }: ConsensusMessage): boolean =>
  kind === 'syncResponse' || kind === 'payloadResponse' || kind === 'recordResponse' || kind === 'rbcChunk'

/** Maximum items of a list whose length is encoded in one byte. */
const SHORT_LIST_MAX = 127

/** Encode a syncResponse from the canonical bytes of blocks, without decoding them. */
export function syncResponseBytes(blocks: readonly Uint8Array[]): Buffer {
  if (blocks.length > SHORT_LIST_MAX) throw new Error(`a range of ${blocks.length} blocks`)
  const empty = consensusMessage.encode({ kind: 'syncResponse', value: { blocks: [] } })
  return Buffer.concat([empty.subarray(0, -1), Buffer.of(blocks.length), ...blocks])
}
