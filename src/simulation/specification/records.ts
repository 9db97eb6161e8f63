/** Owns the real records behind the names of the specification: blocks, proposals, timeouts and certificates, signed by any member. */
import {
  bitmapOf,
  type ConsensusMessage,
  domainOf,
  type HeightContext,
  hashKey,
  namedView,
  proposalSignBytes,
  timeoutSignBytes,
  voteSignBytes,
} from '../../consensus/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  hashOfHeader,
  type Phase,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../../model/index.js'
import type { Chain } from '../chain.js'
import { fakeAggregate, fakeSign } from '../signatures.js'
import { type BlockName, blockText, type Entry, type ProposalName, type Slot, type TimeoutName } from './names.js'

export interface RealBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
  readonly hash: Buffer
}

/** Records of one height. The member `pK` of the specification is at position K of the proposer order. */
export class Records {
  private readonly blocks = new Map<string, RealBlock>()
  private readonly names = new Map<string, BlockName>()
  readonly context: HeightContext

  constructor(private readonly chain: Chain) {
    this.context = chain.nextContext()
  }

  keyOf(member: string): ValidatorKey {
    const key = this.context.order[Number(member.slice(1))]
    if (key === undefined) throw new Error(`no member ${member}`)
    return key
  }

  proposerOf(view: number): ValidatorKey {
    return this.context.order[view % this.context.order.length] ?? ''
  }

  block(name: BlockName): RealBlock {
    const text = blockText(name)
    const known = this.blocks.get(text)
    if (known !== undefined) return known
    const { context } = this
    const template = {
      chain: context.chain,
      height: context.height,
      parentHash: context.parentHash,
      parentTimeMs: context.parentTimeMs,
      originView: name.origin,
      originProposer: this.proposerOf(name.origin),
      rosterHash: context.rosterHash,
      committeeHash: context.committee.hash,
      nextCommitteeHash: context.nextCommittee.hash,
    }
    const nonce = name.id.charCodeAt(0)
    const content = { transactions: [1], nonce, change: undefined, lanes: [], laneChange: undefined }
    const { header, body } = this.chain.build(template, content)
    const fresh = { header, body, hash: hashOfHeader(header) }
    this.blocks.set(text, fresh)
    this.names.set(hashKey(fresh.hash), name)
    return fresh
  }

  /** Name of a block by its hash. */
  nameOf(hash: Uint8Array): BlockName {
    const name = this.names.get(hashKey(hash))
    if (name === undefined) throw new Error('a block that the trace does not name')
    return name
  }

  slotOf(certified: CertifiedHeader | undefined): Slot | undefined {
    if (certified === undefined) return undefined
    const { view, blockHash } = certified.certificate
    return { view, block: this.nameOf(blockHash) }
  }

  entryOf(certificate: TimeoutCertificate | undefined): Entry | undefined {
    return certificate && { view: certificate.view, high: this.slotOf(certificate.highPrepare) }
  }

  /** Certificate signed by these members, which are at least a quorum. */
  certified(phase: Phase, { view, block }: Slot, signers: readonly string[]): CertifiedHeader {
    const { committee, height } = this.context
    const { header, hash } = this.block(block)
    const keys = signers.map((member) => this.keyOf(member))
    const message = voteSignBytes(domainOf(this.context), phase, view, hash)
    return {
      header,
      certificate: {
        phase,
        height,
        view,
        blockHash: hash,
        committeeHash: committee.hash,
        bitmap: bitmapOf(committee.keys.length, this.positions(keys)),
        aggregate: fakeAggregate(keys.map((key) => fakeSign(key, message))),
      },
    }
  }

  /** Timeout of a member; `high`: the certificate that it names. */
  timeout({ entry, by }: TimeoutName, high: CertifiedHeader | undefined): ConsensusMessage {
    const { committee, height } = this.context
    const key = this.keyOf(by)
    const message = timeoutSignBytes(domainOf(this.context), entry.view, namedView(high), 'noProposal')
    return {
      kind: 'timeout',
      value: {
        height,
        view: entry.view,
        highPrepare: high,
        reason: 'noProposal',
        index: committee.indexOf.get(key) ?? -1,
        signature: fakeSign(key, message),
      },
    }
  }

  /** Timeout certificate of these timeouts with this certificate in it, whether it is the highest or not. */
  timeoutCertificate(
    view: number,
    given: readonly TimeoutName[],
    highPrepare: CertifiedHeader | undefined,
  ): TimeoutCertificate {
    const { committee, height } = this.context
    const byView = new Map<number, string[]>()
    for (const { entry, by } of given) {
      const named = entry.high === undefined ? 0 : entry.high.view + 1
      byView.set(named, [...(byView.get(named) ?? []), by])
    }
    const signatures: Buffer[] = []
    const groups = [...byView].map(([certificateView, members]) => {
      const keys = members.map((member) => this.keyOf(member))
      const message = timeoutSignBytes(domainOf(this.context), view, certificateView, 'noProposal')
      for (const key of keys) signatures.push(fakeSign(key, message))
      const bitmap = bitmapOf(committee.keys.length, this.positions(keys))
      return { certificateView, reason: 'noProposal' as const, bitmap }
    })
    return { height, view, highPrepare, groups, aggregate: fakeAggregate(signatures) }
  }

  /** Proposal with its payload; `entry`: its timeout certificate, undefined in view 0. */
  proposal({ view, block }: ProposalName, entry: TimeoutCertificate | undefined): ConsensusMessage {
    const { header, body, hash } = this.block(block)
    const signature = fakeSign(this.proposerOf(view), proposalSignBytes(domainOf(this.context), view, hash))
    const justification =
      entry === undefined ? { kind: 'genesis' as const, value: undefined } : { kind: 'timeout' as const, value: entry }
    const { height } = this.context
    const carried = { body: Buffer.from(body), compact: undefined, digests: [] }
    return { kind: 'proposal', value: { height, view, header, justification, ...carried, signature } }
  }

  private positions(keys: readonly ValidatorKey[]): number[] {
    return keys.map((key) => this.context.committee.indexOf.get(key) ?? -1).sort((a, b) => a - b)
  }
}
