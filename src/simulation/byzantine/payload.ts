/** Owns members that attack payloads in transfer: bad chunks, bad digests, wrong records, or no data at all. */
import { type ConsensusMessage, chunkBytesOf, chunkDigest, type RbcInit } from '../../consensus/index.js'
import { keyString, type ValidatorKey } from '../../model/index.js'
import type { Behaviour, Insider } from './behaviour.js'

/** Bytes of the same length that differ in every byte. */
const other = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a))

/** True for receivers of false data, which are few enough for the others to decide without them. */
const isFooled = (me: Insider, to: ValidatorKey): boolean => me.context.committee.keys.indexOf(to) % 3 === 1

/** Send chunks that do not match their digests. */
export const garbageChunks = (): Behaviour => ({
  outgoing: (me, to, message) =>
    message.kind === 'rbcChunk' && isFooled(me, to)
      ? [{ kind: 'rbcChunk', value: { ...message.value, bytes: other(message.value.bytes) } }]
      : [message],
})

/** Chunks of the announced length that differ from the chunks of the payload. */
function otherChunks({ payloadBytes, digests }: RbcInit): Buffer[] {
  const chunkBytes = chunkBytesOf(payloadBytes, digests.length)
  return digests.map((digest, index) => Buffer.alloc(Math.min(chunkBytes, payloadBytes - index * chunkBytes), digest))
}

/** Announce digests of other chunks and send these chunks, which match one another but not the payload. */
export const lyingDigests = (): Behaviour => {
  /** False chunks by the name of their session, so that proposal, announcement and chunks agree. */
  const forgeries = new Map<string, readonly Uint8Array[]>()
  return {
    outgoing: (me, to, message) => {
      if (!isFooled(me, to)) return [message]
      switch (message.kind) {
        case 'rbcInit': {
          const chunks = otherChunks(message.value)
          forgeries.set(keyString(message.value.payloadHash), chunks)
          return [{ kind: 'rbcInit', value: { ...message.value, digests: chunks.map(chunkDigest) } }]
        }
        case 'proposal':
          return [{ kind: 'proposal', value: { ...message.value, digests: [] } }]
        case 'rbcChunk': {
          const bytes = forgeries.get(keyString(message.value.payloadHash))?.[message.value.index]
          return bytes === undefined ? [message] : [{ kind: 'rbcChunk', value: { ...message.value, bytes } }]
        }
        default:
          return [message]
      }
    },
  }
}

/** Propose valid headers with the compact form of another payload. */
export const lyingHashes = (): Behaviour => ({
  outgoing: (me, to, message) => {
    if (message.kind !== 'proposal' || message.value.compact === undefined || !isFooled(me, to)) return [message]
    const { body } = me.freshBlock(message.value.view, 3)
    return [{ kind: 'proposal', value: { ...message.value, compact: body } }]
  },
})

/** Respond with other records than requested. */
export const garbageRecords = (): Behaviour => ({
  outgoing: (_me, _to, message) => {
    if (message.kind !== 'recordResponse') return [message]
    const records = message.value.records.map((one) => ({ ...one, bytes: other(one.bytes) }))
    return [{ kind: 'recordResponse', value: { ...message.value, records } }]
  },
})

/** Announce readiness and delivery, but send no data. */
export const withheldPayloads = (): Behaviour => {
  const isPayload = (message: ConsensusMessage): boolean =>
    message.kind === 'rbcChunk' || message.kind === 'payloadResponse' || message.kind === 'recordResponse'
  return {
    outgoing: (me, _to, message) => {
      if (isPayload(message)) return me.random.chance(0.9) ? [] : [message]
      if (message.kind !== 'rbcInit') return [message]
      const { height, view, payloadHash } = message.value
      const signal = { height, view, payloadHash }
      return [message, { kind: 'rbcReady', value: signal }, { kind: 'rbcDeliver', value: signal }]
    },
  }
}
