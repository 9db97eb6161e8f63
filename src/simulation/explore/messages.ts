/** Owns the messages of a small world: each content once, by its canonical text. */
import { type ConsensusMessage, hashKey, heightOf, type Proposal } from '../../consensus/index.js'
import { type CertifiedHeader, hashOfHeader, type TimeoutCertificate } from '../../model/index.js'
import type { Setting } from './ground.js'

/** Message content that is relevant to the rules of the exploration. */
export type Content =
  | { readonly kind: 'proposal'; readonly view: number; readonly block: string }
  | {
      readonly kind: 'vote'
      readonly phase: 'prepare' | 'commit'
      readonly view: number
      readonly block: string
      readonly index: number
    }
  | {
      readonly kind: 'timeout'
      readonly height: number
      readonly view: number
      readonly index: number
      /** View of the certificate in it; -1 for none. */
      readonly named: number
      readonly high: CertifiedHeader | undefined
    }
  | { readonly kind: 'payload'; readonly block: string }
  | { readonly kind: 'other' }

/** One message, or several that arrive in a row. */
export interface Sent {
  readonly id: number
  readonly text: string
  /** Number of the sending node; -1 for any node that has the message. */
  readonly from: number
  /** Number of the only receiver; undefined for all nodes. */
  readonly to: number | undefined
  readonly message: ConsensusMessage | undefined
  /** Height of its subject; undefined for ranges of blocks. */
  readonly height: number | undefined
  /** Ids of the messages of a row, in their order. */
  readonly row: readonly number[] | undefined
  readonly content: Content
}

const OTHER: Content = { kind: 'other' }

/** Texts and numbers of messages. */
export class Messages {
  readonly all: Sent[] = []
  private readonly byText = new Map<string, number>()

  constructor(readonly setting: Setting) {}

  at(id: number): Sent {
    const sent = this.all[id]
    if (sent === undefined) throw new Error(`message ${id} does not exist`)
    return sent
  }

  find(text: string): number | undefined {
    return this.byText.get(text)
  }

  /** Text of a certificate, without its signers. */
  certificate(certified: CertifiedHeader | undefined): string {
    if (certified === undefined) return '-'
    return `${certified.certificate.view}${this.setting.nameOf(certified.certificate.blockHash)}`
  }

  /** Text of a timeout certificate, without its signers and reasons. */
  entry(certificate: TimeoutCertificate | undefined): string {
    return certificate === undefined ? '-' : `${certificate.view}/${this.certificate(certificate.highPrepare)}`
  }

  proposal({ height, view, header, justification, body }: Proposal): string {
    const why = justification.kind === 'timeout' ? this.entry(justification.value) : justification.kind
    const name = this.setting.nameOf(hashOfHeader(header))
    return `${this.setting.tagOf(height)}P${view}:${name}:${why}:${body === undefined ? '-' : 'b'}`
  }

  /** Canonical text; undefined for messages whose effect is part of the world itself. */
  textOf(message: ConsensusMessage, from: number): string | undefined {
    const { setting } = this
    switch (message.kind) {
      case 'proposal':
        return this.proposal(message.value)
      case 'vote': {
        const { height, phase, view, blockHash, index } = message.value
        return `${setting.tagOf(height)}V${phase[0]}${view}:${setting.nameOf(blockHash)}:${index}`
      }
      case 'timeout': {
        const { height, view, index, highPrepare } = message.value
        return `${setting.tagOf(height)}T${view}:${index}:${this.certificate(highPrepare)}`
      }
      case 'certificate': {
        const { height, phase, view, blockHash } = message.value.certificate
        return `${setting.tagOf(height)}C${phase[0]}${view}:${setting.nameOf(blockHash)}`
      }
      case 'timeoutCertificate':
        return `${setting.tagOf(message.value.height)}E${this.entry(message.value)}`
      case 'payloadResponse':
        return message.value.body === undefined ? undefined : `B:${setting.nameOf(message.value.blockHash)}`
      case 'status': {
        const { height, view, commit, highPrepare, entry } = message.value
        const parts = [view, this.certificate(commit), this.certificate(highPrepare), this.entry(entry)]
        return `${setting.tagOf(height)}S${from}:${parts.join(':')}`
      }
      case 'syncRequest':
        return `Q${from}:${message.value.from}:${message.value.count}`
      case 'syncResponse':
        return `R${from}:${message.value.blocks.map(({ header }) => setting.nameOf(hashOfHeader(header))).join(' ')}`
      default:
        return undefined
    }
  }

  /** Number of a message, -1 for messages that are part of the world itself. */
  intern(message: ConsensusMessage, from: number, to?: number, given?: string): number {
    const base = given ?? this.textOf(message, from)
    if (base === undefined) return -1
    const text = to === undefined ? base : `${base}>${to}`
    const known = this.byText.get(text)
    const content = this.contentOf(message)
    return known ?? this.add({ text, from, to, message, height: heightOf(message), row: undefined, content })
  }

  /** Number of several messages that arrive in a row. */
  row(ids: readonly number[]): number {
    const text = `{${ids.map((id) => this.at(id).text).join(' ')}}`
    const known = this.byText.get(text)
    const height = ids[0] === undefined ? undefined : this.at(ids[0]).height
    return known ?? this.add({ text, from: -1, to: undefined, message: undefined, height, row: ids, content: OTHER })
  }

  private add(sent: Omit<Sent, 'id'>): number {
    const id = this.all.length
    this.byText.set(sent.text, id)
    this.all.push({ id, ...sent })
    return id
  }

  private contentOf(message: ConsensusMessage): Content {
    const { setting } = this
    switch (message.kind) {
      case 'proposal':
        return {
          kind: 'proposal',
          view: message.value.view,
          block: setting.nameOf(hashOfHeader(message.value.header)),
        }
      case 'vote': {
        const { phase, view, index, blockHash } = message.value
        return { kind: 'vote', phase, view, index, block: setting.nameOf(blockHash) }
      }
      case 'timeout': {
        const { height, view, index, highPrepare: high } = message.value
        return { kind: 'timeout', height, view, index, named: high?.certificate.view ?? -1, high }
      }
      case 'payloadResponse':
        return { kind: 'payload', block: hashKey(message.value.blockHash) }
      default:
        return OTHER
    }
  }
}
