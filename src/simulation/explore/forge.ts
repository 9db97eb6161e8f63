/** Owns the messages that a faulty member, or any member that aggregates, can create. */
import type { Justification, Timeout, Vote } from '../../consensus/index.js'
import type { CertifiedHeader, TimeoutCertificate } from '../../model/index.js'
import type { MemberMessages } from '../member-messages.js'
import type { Ground, NamedBlock } from './ground.js'
import type { Messages } from './messages.js'

/** Member as identified in its messages: its position in the committee of their height, and the number of its node. */
export interface Signer {
  readonly position: number
  readonly from: number
}

/** A certificate that a quorum of votes, with the faulty member, can form. */
export interface Formed {
  readonly view: number
  readonly block: string
  readonly height: number
  readonly id: number
}

/** Reasons with which one member imitates several. */
const REASONS = ['noProposal', 'prepareStall', 'commitStall'] as const

/** Creates messages and numbers them; positions are in the committee of their height. */
export class Forge {
  constructor(private readonly messages: Messages) {}

  private get setting() {
    return this.messages.setting
  }
  /** Creates messages of the height of a block. */
  private madeFor({ ground }: NamedBlock): MemberMessages {
    return this.setting.messagesAt(ground)
  }

  vote({ position, from }: Signer, phase: Vote['phase'], view: number, block: NamedBlock): number {
    const value = this.madeFor(block).vote(position, phase, view, block.hash)
    return this.messages.intern({ kind: 'vote', value }, from)
  }

  /** Certificate of these members; one number for each phase, view and block. */
  certificate(
    from: number,
    phase: Vote['phase'],
    view: number,
    block: NamedBlock,
    positions: readonly number[],
  ): number {
    const known = this.messages.find(`${block.ground.tag}C${phase[0]}${view}:${block.name}`)
    if (known !== undefined) return known
    const value = this.setting.certified(phase, view, block, positions)
    return this.messages.intern({ kind: 'certificate', value }, from)
  }

  certified(id: number): CertifiedHeader {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'certificate') throw new Error(`message ${id} is not a certificate`)
    return message.value
  }

  timeout(ground: Ground, { position, from }: Signer, view: number, high: CertifiedHeader | undefined): number {
    const value = this.setting.messagesAt(ground).timeout(position, view, high)
    return this.messages.intern({ kind: 'timeout', value }, from)
  }

  timeoutOf(id: number): Timeout {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'timeout') throw new Error(`message ${id} is not a timeout`)
    return message.value
  }

  /**
   * Timeout certificate of these timeouts. `carried`: the certificate beside its groups; `text`: the text of a forged
   * certificate.
   */
  timeoutCertificate(
    ground: Ground,
    from: number,
    view: number,
    given: { readonly timeouts: readonly Timeout[]; readonly carried: CertifiedHeader | undefined },
    text = `E${view}/${this.messages.certificate(given.carried)}`,
  ): number {
    const known = this.messages.find(`${ground.tag}${text}`)
    if (known !== undefined) return known
    const value = this.setting.messagesAt(ground).timeoutCertificate(view, given.timeouts, given.carried)
    return this.messages.intern({ kind: 'timeoutCertificate', value }, from, undefined, `${ground.tag}${text}`)
  }

  timeoutCertificateOf(id: number): TimeoutCertificate {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'timeoutCertificate') throw new Error(`message ${id} is not a timeout certificate`)
    return message.value
  }

  /** Certificate signed by one member alone. */
  lonelyCertificate({ position, from }: Signer, phase: Vote['phase'], view: number, block: NamedBlock): number {
    const value = this.setting.certified(phase, view, block, [position])
    const text = `${block.ground.tag}X${phase[0]}${view}:${block.name}`
    return this.messages.intern({ kind: 'certificate', value }, from, undefined, text)
  }

  /** Timeout certificate with `times` groups of the same member. */
  lonelyEntry(
    ground: Ground,
    { position, from }: Signer,
    view: number,
    carried: CertifiedHeader | undefined,
    times: number,
  ): number {
    const made = this.setting.messagesAt(ground)
    const timeouts = REASONS.slice(0, times).map((reason) => made.timeout(position, view, carried, reason))
    const text = `${times === 1 ? 'G' : 'H'}${view}/${this.messages.certificate(carried)}`
    return this.timeoutCertificate(ground, from, view, { timeouts, carried }, text)
  }

  /**
   * Proposal in a view by its proposer or by another member; `text` distinguishes equal proposals with different
   * certificates.
   */
  proposal(
    { position, from }: Signer,
    view: number,
    block: NamedBlock,
    justification: Justification,
    text?: string,
  ): number {
    const value = this.madeFor(block).proposal(position, view, block, justification)
    return this.messages.intern({ kind: 'proposal', value }, from, undefined, text)
  }

  /** Status of a node with only its height. */
  status(from: number, height: number): number {
    const value = { height, view: 0, commit: undefined, highPrepare: undefined, entry: undefined }
    return this.messages.intern({ kind: 'status', value }, from, undefined, `M${from}:${height}`)
  }

  /** The payload of a block, as served by any member that has it. */
  payload({ ground, header, body, hash }: NamedBlock): number {
    const { height } = ground.context
    const value = { height, blockHash: hash, header, body: Buffer.from(body) }
    return this.messages.intern({ kind: 'payloadResponse', value }, -1)
  }

  blockOf(name: string): NamedBlock {
    const block = this.setting.blocks.get(name)
    if (block === undefined) throw new Error(`block ${name} does not exist`)
    return block
  }
}
