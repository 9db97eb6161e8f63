/**
 * Owns the signed messages of one height, created by any of its members: votes, timeouts, certificates and proposals.
 */
import {
  bitmapOf,
  domainOf,
  type HeightContext,
  type Justification,
  namedView,
  type Proposal,
  proposalSignBytes,
  type Timeout,
  timeoutSignBytes,
  type Vote,
  voteSignBytes,
} from '../consensus/index.js'
import type {
  BlockHeader,
  CertifiedHeader,
  Phase,
  TimeoutCertificate,
  TimeoutReason,
  ValidatorKey,
} from '../model/index.js'
import type { Signatures } from './signatures.js'

/** A block with its payload and its hash. */
export interface HashedBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
  readonly hash: Buffer
}

/** Messages of a height. Positions are in its committee. */
export class MemberMessages {
  constructor(
    readonly context: HeightContext,
    private readonly signatures: Signatures,
  ) {}

  sign(position: number, message: Uint8Array): Buffer {
    return this.signatures.sign(this.context.committee.keys[position] ?? '', message)
  }

  private aggregate(signatures: readonly Uint8Array[]): Buffer {
    return this.signatures.aggregate(signatures) ?? Buffer.alloc(0)
  }

  private bitmap(positions: readonly number[]): Buffer {
    return bitmapOf(this.context.committee.keys.length, positions)
  }

  vote(position: number, phase: Phase, view: number, hash: Uint8Array): Vote {
    const { height } = this.context
    const signature = this.sign(position, voteSignBytes(domainOf(this.context), phase, view, hash))
    return { phase, height, view, blockHash: hash, index: position, signature }
  }

  /** Certificate with its header, signed by these members, even below a quorum. */
  certified(
    phase: Phase,
    view: number,
    { header, hash }: Pick<HashedBlock, 'header' | 'hash'>,
    positions: readonly number[],
  ): CertifiedHeader {
    const { committee, height } = this.context
    const message = voteSignBytes(domainOf(this.context), phase, view, hash)
    const aggregate = this.aggregate(positions.map((position) => this.sign(position, message)))
    const certificate = { phase, height, view, blockHash: hash, committeeHash: committee.hash, aggregate }
    return { header, certificate: { ...certificate, bitmap: this.bitmap(positions) } }
  }

  /** Timeout with or without a prepare certificate. */
  timeout(
    position: number,
    view: number,
    highPrepare: CertifiedHeader | undefined,
    reason: TimeoutReason = 'noProposal',
  ): Timeout {
    const message = timeoutSignBytes(domainOf(this.context), view, namedView(highPrepare), reason)
    const signature = this.sign(position, message)
    return { height: this.context.height, view, highPrepare, reason, index: position, signature }
  }

  /** Timeout certificate of these timeouts, with a prepare certificate that may not be the highest one. */
  timeoutCertificate(
    view: number,
    timeouts: readonly Timeout[],
    highPrepare: CertifiedHeader | undefined,
  ): TimeoutCertificate {
    const ordered = timeouts.toSorted((a, b) => a.index - b.index)
    const byContent = new Map<string, Timeout[]>()
    for (const one of ordered) {
      const content = `${namedView(one.highPrepare)}:${one.reason}`
      byContent.set(content, [...(byContent.get(content) ?? []), one])
    }
    const groups = [...byContent.values()].flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const bitmap = this.bitmap(group.map((one) => one.index))
      return [{ certificateView: namedView(first.highPrepare), reason: first.reason, bitmap }]
    })
    const aggregate = this.aggregate(ordered.map((one) => one.signature))
    return { height: this.context.height, view, highPrepare, groups, aggregate }
  }

  /** Proposal with its payload, signed by any member. */
  proposal(
    position: number,
    view: number,
    { header, body, hash }: HashedBlock,
    justification: Justification,
  ): Proposal {
    const signature = this.sign(position, proposalSignBytes(domainOf(this.context), view, hash))
    const carried = { body: Buffer.from(body), compact: undefined, digests: [] }
    return { height: this.context.height, view, header, justification, ...carried, signature }
  }

  /** Position of a key in the committee. */
  positionOf(key: ValidatorKey): number {
    const position = this.context.committee.indexOf.get(key)
    if (position === undefined) throw new Error('the key is not in the committee')
    return position
  }
}
