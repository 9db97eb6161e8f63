/**
 * The closure of sizes: the largest value of each kind that a decoder takes fits every message, record and frame that may carry
 * it, so that nothing that was accepted can fail to be sent, staged, committed or served.
 */
import { describe, expect, it } from 'vitest'
import { DEFAULT_MAX_BYTES } from '../../src/codec/index.js'
import {
  consensusMessage,
  DIRECT_PAYLOAD_MAX_BYTES,
  RECORD_RESPONSE_BYTES,
  SYNC_RANGE_BYTES,
} from '../../src/consensus/index.js'
import {
  CHUNK_MAX_BYTES,
  CHUNKS_MAX,
  COMPACT_PAYLOAD_MAX_BYTES,
  REQUESTED_MAX,
  SHARES_MAX,
} from '../../src/consensus/payload-limits.js'
import {
  BLOCK_ENTRIES_MAX,
  type BlockHeader,
  BODY_MAX_BYTES,
  blockOutcome,
  type CertifiedHeader,
  committedBlock,
  type QuorumCertificate,
  REJECTION_TEXT_MAX_BYTES,
  ROSTER_MAX,
  type TimeoutCertificate,
  TRANSACTION_MAX_BYTES,
  UNEXECUTED,
} from '../../src/model/index.js'
import { CHANNEL_MESSAGE_MAX_BYTES, MESSAGE_MAX_BYTES } from '../../src/network/limits.js'
import { LEDGER_METHODS } from '../../src/node/ledger/protocol.js'
import { gossipMessage } from '../../src/node/peers/gossip.js'

const HASH = Buffer.alloc(32, 1)
const KEY = Buffer.alloc(48, 1).toString('latin1')
const header: BlockHeader = {
  ...UNEXECUTED,
  chain: 'c'.repeat(64),
  height: Number.MAX_SAFE_INTEGER,
  parentHash: HASH,
  originView: 2 ** 32 - 1,
  originProposer: KEY,
  timeMs: Number.MAX_SAFE_INTEGER,
  transactionCount: 2 ** 32 - 1,
  payloadBytes: 2 ** 32 - 1,
  rosterHash: HASH,
  committeeHash: HASH,
  nextCommitteeHash: HASH,
}
const certificate: QuorumCertificate = {
  phase: 'commit',
  height: Number.MAX_SAFE_INTEGER,
  view: 2 ** 32 - 1,
  blockHash: HASH,
  committeeHash: HASH,
  bitmap: Buffer.alloc(ROSTER_MAX / 8, 0xff),
  aggregate: Buffer.alloc(96),
}
const certified: CertifiedHeader = { header, certificate }
const timeout: TimeoutCertificate = {
  height: Number.MAX_SAFE_INTEGER,
  view: 2 ** 32 - 1,
  highPrepare: certified,
  // Groups are disjoint: one member in each.
  groups: Array.from({ length: ROSTER_MAX }, () => ({
    certificateView: 2 ** 32 - 1,
    reason: 'noProposal' as const,
    bitmap: certificate.bitmap,
  })),
  aggregate: Buffer.alloc(96),
}
const session = { height: Number.MAX_SAFE_INTEGER, view: 2 ** 32 - 1, payloadHash: HASH }
const body = Buffer.alloc(BODY_MAX_BYTES)

describe('the channel limit covers the largest message of each kind', () => {
  it.each([
    [
      'a proposal',
      {
        kind: 'proposal',
        value: {
          height: header.height,
          view: header.originView,
          header,
          justification: { kind: 'timeout', value: timeout },
          body: Buffer.alloc(DIRECT_PAYLOAD_MAX_BYTES),
          compact: Buffer.alloc(COMPACT_PAYLOAD_MAX_BYTES),
          digests: Array.from({ length: CHUNKS_MAX }, () => HASH),
          signature: Buffer.alloc(96),
        },
      },
    ],
    [
      'an announcement',
      {
        kind: 'rbcInit',
        value: {
          ...session,
          blockHash: HASH,
          payloadBytes: BODY_MAX_BYTES,
          digests: Array.from({ length: CHUNKS_MAX }, () => HASH),
          shares: Array.from({ length: SHARES_MAX }, () => ({
            lane: 2 ** 32 - 1,
            dataspace: 2n ** 64n - 1n,
            transactions: 2 ** 32 - 1,
            payloadBytes: Number.MAX_SAFE_INTEGER,
            teu: Number.MAX_SAFE_INTEGER,
          })),
        },
      },
    ],
    [
      'a request for chunks',
      { kind: 'rbcRequest', value: { ...session, missing: Array.from({ length: REQUESTED_MAX }, () => 2 ** 32 - 1) } },
    ],
    [
      'a request for records',
      {
        kind: 'recordRequest',
        value: {
          height: header.height,
          blockHash: HASH,
          places: Array.from({ length: REQUESTED_MAX }, () => 2 ** 32 - 1),
        },
      },
    ],
    [
      'a Status',
      {
        kind: 'status',
        value: {
          height: header.height,
          view: header.originView,
          commit: certified,
          highPrepare: certified,
          entry: timeout,
        },
      },
    ],
    ['a timeout certificate', { kind: 'timeoutCertificate', value: timeout }],
  ] as const)('%s', (_name, message) => {
    expect(consensusMessage.encode(message as never).length).toBeLessThan(CHANNEL_MESSAGE_MAX_BYTES.consensus)
  })

  it.each([
    ['a chunk', { kind: 'rbcChunk', value: { ...session, index: 2 ** 32 - 1, bytes: Buffer.alloc(CHUNK_MAX_BYTES) } }],
    ['a payload', { kind: 'payloadResponse', value: { height: header.height, blockHash: HASH, header, body } }],
    [
      'records of a payload, the last one over the limit of a response',
      {
        kind: 'recordResponse',
        value: {
          height: header.height,
          blockHash: HASH,
          records: Array.from({ length: RECORD_RESPONSE_BYTES / TRANSACTION_MAX_BYTES + 1 }, () => ({
            place: 2 ** 32 - 1,
            bytes: Buffer.alloc(TRANSACTION_MAX_BYTES),
          })),
        },
      },
    ],
    ['a range of one largest block', { kind: 'syncResponse', value: { blocks: [{ header, certificate, body }] } }],
  ] as const)('%s', (_name, message) => {
    expect(consensusMessage.encode(message as never).length).toBeLessThan(CHANNEL_MESSAGE_MAX_BYTES.payload)
  })

  it('a batch of gossip', () => {
    const records = [Buffer.alloc(TRANSACTION_MAX_BYTES)]
    expect(gossipMessage.encode({ kind: 'records', value: records }).length).toBeLessThan(
      CHANNEL_MESSAGE_MAX_BYTES.gossip,
    )
  })

  it('a range of blocks, with a limit below the largest message', () => {
    expect(SYNC_RANGE_BYTES).toBeLessThan(BODY_MAX_BYTES)
    expect(MESSAGE_MAX_BYTES).toBeGreaterThan(committedBlock.encode({ header, certificate, body }).length)
  })
})

describe('the largest body', () => {
  it('fits in every message of the ledger thread that contains it', () => {
    const hashes = Buffer.alloc(64 * 16_384)
    expect(
      LEDGER_METHODS.execute.request.encode({
        blockHash: HASH,
        header,
        body,
        hashes,
        certified: true,
        proofs: undefined,
      }).length,
    ).toBeLessThan(DEFAULT_MAX_BYTES)
    expect(LEDGER_METHODS.build.request.encode({ header, body, hashes, proofs: undefined }).length).toBeLessThan(
      DEFAULT_MAX_BYTES,
    )
    expect(LEDGER_METHODS.commitBody.request.encode({ certified, body }).length).toBeLessThan(DEFAULT_MAX_BYTES)
    const outcome = blockOutcome.encode({
      results: Array.from({ length: BLOCK_ENTRIES_MAX }, () => ({
        transactionId: HASH,
        outcome: { kind: 'rejected' as const, value: { code: 2 ** 16 - 1, instruction: 2 ** 32 - 1 } },
        teu: Number.MAX_SAFE_INTEGER,
      })),
      events: [],
      texts: Array.from({ length: BLOCK_ENTRIES_MAX }, (_, entry) => ({
        entry,
        text: 'x'.repeat(REJECTION_TEXT_MAX_BYTES),
      })),
    })
    expect(outcome.length, 'a block of rejections alone').toBeLessThan(2 * BODY_MAX_BYTES)
    const block = committedBlock.encode({ header, certificate, body })
    expect(LEDGER_METHODS.blocks.response.encode({ blocks: [block] }).length).toBeLessThan(DEFAULT_MAX_BYTES)
  })
})
