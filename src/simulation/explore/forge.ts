/** Owns the messages that a faulty member, or any member that aggregates, can form. */
import type { Justification, Timeout, Vote } from '../../consensus/index.js'
import type { CertifiedHeader, TimeoutCertificate } from '../../model/index.js'
import type { NamedBlock } from './ground.js'
import type { Messages } from './messages.js'

/** Reasons by which one member pretends to be several. */
const REASONS = ['noProposal', 'prepareStall', 'commitStall'] as const

/** Forms messages of the first height and gives them numbers. */
export class Forge {
  constructor(private readonly messages: Messages) {}

  private get setting() {
    return this.messages.setting
  }
  private get made() {
    return this.setting.messagesAt(this.setting.start)
  }

  vote(position: number, phase: Vote['phase'], view: number, { hash }: NamedBlock): number {
    return this.messages.intern({ kind: 'vote', value: this.made.vote(position, phase, view, hash) }, position)
  }

  /** Certificate by these members; one number for each phase, view and block. */
  certificate(
    from: number,
    phase: Vote['phase'],
    view: number,
    block: NamedBlock,
    positions: readonly number[],
  ): number {
    const known = this.messages.find(`C${phase[0]}${view}:${block.name}`)
    if (known !== undefined) return known
    const value = this.setting.certified(phase, view, block, positions)
    return this.messages.intern({ kind: 'certificate', value }, from)
  }

  certified(id: number): CertifiedHeader {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'certificate') throw new Error(`message ${id} is not a certificate`)
    return message.value
  }

  timeout(position: number, view: number, high: CertifiedHeader | undefined): number {
    return this.messages.intern({ kind: 'timeout', value: this.made.timeout(position, view, high) }, position)
  }

  timeoutOf(id: number): Timeout {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'timeout') throw new Error(`message ${id} is not a timeout`)
    return message.value
  }

  /** Timeout certificate of these timeouts; `carried` is the certificate beside its groups, `text` that of a forged one. */
  timeoutCertificate(
    from: number,
    view: number,
    timeouts: readonly Timeout[],
    carried: CertifiedHeader | undefined,
    text?: string,
  ): number {
    const known = this.messages.find(text ?? `E${view}/${this.messages.certificate(carried)}`)
    if (known !== undefined) return known
    const value = this.made.timeoutCertificate(view, timeouts, carried)
    return this.messages.intern({ kind: 'timeoutCertificate', value }, from, undefined, text)
  }

  timeoutCertificateOf(id: number): TimeoutCertificate {
    const { message } = this.messages.at(id)
    if (message?.kind !== 'timeoutCertificate') throw new Error(`message ${id} is not a timeout certificate`)
    return message.value
  }

  /** Certificate that one member signed alone. */
  lonelyCertificate(position: number, phase: Vote['phase'], view: number, block: NamedBlock): number {
    const value = this.setting.certified(phase, view, block, [position])
    const text = `X${phase[0]}${view}:${block.name}`
    return this.messages.intern({ kind: 'certificate', value }, position, undefined, text)
  }

  /** Timeout certificate with `times` groups of the same member. */
  lonelyEntry(position: number, view: number, carried: CertifiedHeader | undefined, times: number): number {
    const text = `${times === 1 ? 'G' : 'H'}${view}/${this.messages.certificate(carried)}`
    const known = this.messages.find(text)
    if (known !== undefined) return known
    const timeouts = REASONS.slice(0, times).map((reason) => this.made.timeout(position, view, carried, reason))
    const value = this.made.timeoutCertificate(view, timeouts, carried)
    return this.messages.intern({ kind: 'timeoutCertificate', value }, position, undefined, text)
  }

  /** Proposal in a view by its proposer or by another member; `text` distinguishes equal ones with different certificates. */
  proposal(position: number, view: number, block: NamedBlock, justification: Justification, text?: string): number {
    const value = this.made.proposal(position, view, block, justification)
    return this.messages.intern({ kind: 'proposal', value }, position, undefined, text)
  }

  /** The payload of a block, as any member that has it serves it. */
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
