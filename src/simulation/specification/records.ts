/** Owns the real records behind the names of the specification: blocks, proposals, timeouts and certificates, signed by any member. */
import {
  type ConsensusMessage,
  type HeightContext,
  hashKey,
  headerTemplate,
  type Proposal,
} from '../../consensus/index.js'
import {
  type CertifiedHeader,
  hashOfHeader,
  type Phase,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../../model/index.js'
import type { Chain } from '../chain.js'
import { type HashedBlock, MemberMessages } from '../member-messages.js'
import { FAKE_SIGNATURES } from '../signatures.js'
import { type BlockName, blockText, type Entry, type ProposalName, type Slot, type TimeoutName } from './names.js'

/** A timeout with its prepare certificate. */
export interface GivenTimeout {
  readonly timeout: TimeoutName
  readonly high: CertifiedHeader | undefined
}

/** Records of one height. The member `pK` of the specification is at position K of the proposer order. */
export class Records {
  private readonly blocks = new Map<string, HashedBlock>()
  private readonly names = new Map<string, BlockName>()
  private readonly messages: MemberMessages
  readonly context: HeightContext

  constructor(private readonly chain: Chain) {
    this.context = chain.nextContext()
    this.messages = new MemberMessages(this.context, FAKE_SIGNATURES)
  }

  keyOf(member: string): ValidatorKey {
    const key = this.context.order[Number(member.slice(1))]
    if (key === undefined) throw new Error(`member ${member} does not exist`)
    return key
  }
  private positionOf(member: string): number {
    return this.messages.positionOf(this.keyOf(member))
  }

  proposerOf(view: number): ValidatorKey {
    return this.context.order[view % this.context.order.length] ?? ''
  }

  block(name: BlockName): HashedBlock {
    const text = blockText(name)
    const known = this.blocks.get(text)
    if (known !== undefined) return known
    const template = headerTemplate(this.context, name.origin, this.proposerOf(name.origin))
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
    if (name === undefined) throw new Error('the trace does not name the block')
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

  /** Name of a proposal; its timeout certificate is absent in view 0. */
  proposalOf({ view, header, justification }: Pick<Proposal, 'view' | 'header' | 'justification'>): ProposalName {
    const entry = justification.kind === 'timeout' ? this.entryOf(justification.value) : undefined
    return { view, block: this.nameOf(hashOfHeader(header)), entry }
  }

  /** Certificate signed by these members, at least a quorum. */
  certified(phase: Phase, { view, block }: Slot, signers: readonly string[]): CertifiedHeader {
    const positions = signers.map((member) => this.positionOf(member)).sort((a, b) => a - b)
    return this.messages.certified(phase, view, this.block(block), positions)
  }

  private signed({ timeout: { entry, by }, high }: GivenTimeout) {
    return this.messages.timeout(this.positionOf(by), entry.view, high)
  }

  timeout(given: GivenTimeout): ConsensusMessage {
    return { kind: 'timeout', value: this.signed(given) }
  }

  /** Timeout certificate of these timeouts with this prepare certificate, which may not be the highest one. */
  timeoutCertificate(
    view: number,
    given: readonly GivenTimeout[],
    highPrepare: CertifiedHeader | undefined,
  ): TimeoutCertificate {
    const timeouts = given.map((one) => this.signed(one))
    return this.messages.timeoutCertificate(view, timeouts, highPrepare)
  }

  /** Proposal with its payload; `entry`: its timeout certificate, undefined in view 0. */
  proposal({ view, block }: ProposalName, entry: TimeoutCertificate | undefined): ConsensusMessage {
    const justification =
      entry === undefined ? { kind: 'genesis' as const, value: undefined } : { kind: 'timeout' as const, value: entry }
    const position = this.messages.positionOf(this.proposerOf(view))
    return { kind: 'proposal', value: this.messages.proposal(position, view, this.block(block), justification) }
  }
}
