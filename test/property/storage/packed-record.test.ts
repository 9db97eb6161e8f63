// Checks the packed form of header records: what is packed comes back as it was, and other bytes are none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_MERKLE_ROOT } from '../../../src/crypto/index.js'
import { type BlockHeader, hashOfHeader, type QuorumCertificate } from '../../../src/model/index.js'
import type { BlockRecord } from '../../../src/storage/block-record.js'
import {
  decodePacked,
  encodePacked,
  isPackable,
  isPacked,
  termsOf,
  unpack,
} from '../../../src/storage/packed-record.js'

const bytesOf = (length: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes))
const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const u48 = fc.integer({ min: 0, max: 2 ** 48 - 2 })
const hash = bytesOf(32)

const header: fc.Arbitrary<BlockHeader> = fc.record({
  chain: fc.stringMatching(/^[a-z][a-z0-9-]{2,20}$/),
  height: fc.integer({ min: 2, max: 2 ** 48 - 2 }),
  parentHash: hash,
  originView: u32,
  originProposer: bytesOf(48).map((bytes) => bytes.toString('latin1')),
  timeMs: u48,
  transactionCount: u32,
  transactionsRoot: hash,
  payloadHash: hash,
  payloadBytes: u32,
  resultsRoot: hash,
  stateRoot: hash,
  evidenceRoot: fc.oneof(hash, fc.constant(EMPTY_MERKLE_ROOT)),
  laneCommitmentRoot: hash,
  rosterHash: hash,
  committeeHash: hash,
  nextCommitteeHash: hash,
  parentCertificateHash: hash,
})
const extent = fc.record({ offset: u48, bytes: u32, checksum: u32 })
const segmentExtent = fc.record({ segment: u32, offset: u48, bytes: u32, checksum: u32 })

const record: fc.Arbitrary<BlockRecord> = fc
  .record({
    header,
    signed: fc.record({ view: u32, bitmap: fc.integer({ min: 1, max: 16 }).chain(bytesOf), aggregate: bytesOf(96) }),
    outcome: segmentExtent,
    outcomeBytes: u32,
    parts: fc.array(fc.record({ lane: fc.integer({ min: 0, max: 999 }), payload: segmentExtent, merge: extent })),
    ends: fc.array(fc.record({ lane: fc.integer({ min: 0, max: 999 }), segment: u32, offset: u48, mergeBytes: u48 })),
  })
  .map(({ header: one, signed, ...places }) => ({
    header: one,
    certificate: {
      phase: 'commit',
      height: one.height,
      blockHash: hashOfHeader(one),
      committeeHash: one.committeeHash,
      ...signed,
    },
    rest: undefined,
    ...places,
  }))

describe('a packed header record', () => {
  it('round-trips with its own terms and with the terms of an earlier record', () => {
    fc.assert(
      fc.property(record, fc.integer({ min: 0, max: 255 }), (one, back) => {
        expect(isPackable(one)).toBe(true)
        const payload = encodePacked(one, back)
        expect(isPacked(payload)).toBe(true)
        const packed = decodePacked(payload)
        if (packed === undefined) throw new Error('it does not decode')
        expect([packed.terms === undefined, packed.termsBack]).toEqual([back > 0, back])
        expect(unpack(packed, one.header.parentHash, packed.terms ?? termsOf(one.header))).toEqual(one)
      }),
    )
  })

  it('is invalid if it is truncated', () => {
    fc.assert(
      fc.property(record, fc.nat(), (one, at) => {
        const payload = encodePacked(one, 0)
        expect(decodePacked(payload.subarray(0, 1 + (at % (payload.length - 1))))).toBeUndefined()
      }),
    )
  })

  it('is at most 410 bytes for a block of one lane with known terms', () => {
    const place = { segment: 3, offset: 60_000_000, bytes: 9_000, checksum: 0xffff_ffff }
    fc.assert(
      fc.property(record, (one) => {
        const usual: BlockRecord = {
          ...one,
          header: {
            ...one.header,
            height: 10_000_000,
            originView: 0,
            timeMs: 1_800_000_000_000,
            transactionCount: 20,
            payloadBytes: 9_000,
            evidenceRoot: EMPTY_MERKLE_ROOT,
          },
          certificate: { ...(one.certificate as QuorumCertificate), view: 0, bitmap: Buffer.of(15) },
          outcome: place,
          outcomeBytes: 8_000,
          parts: [{ lane: 0, payload: place, merge: { offset: 90_000_000, bytes: 188, checksum: 0xffff_ffff } }],
          ends: [{ lane: 0, segment: 3, offset: 60_009_000, mergeBytes: 90_000_188 }],
        }
        expect(encodePacked(usual, 255).length).toBeLessThanOrEqual(410)
      }),
    )
  })
})

describe('a record', () => {
  it('is not packed if its certificate differs from its header', () => {
    fc.assert(
      fc.property(record, hash, (one, other) => {
        const certificate = one.certificate as QuorumCertificate
        const changes: readonly Partial<QuorumCertificate>[] = [
          { phase: 'prepare' },
          { height: certificate.height + 1 },
          { blockHash: other },
          { committeeHash: other },
        ]
        for (const change of changes)
          expect(isPackable({ ...one, certificate: { ...certificate, ...change } })).toBe(false)
        expect(isPackable({ ...one, certificate: undefined })).toBe(false)
      }),
    )
  })
})
