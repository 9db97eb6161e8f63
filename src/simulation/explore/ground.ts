/**
 * Owns the constant part of a small world: keys, committed blocks below a height, candidate blocks and their execution.
 */
import {
  type AbstentionCause,
  type ExecutionResult,
  type HeightContext,
  headerTemplate,
} from '../../consensus/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  type QuorumCertificate,
  type ValidatorKey,
} from '../../model/index.js'
import { Chain } from '../chain.js'
import type { ChainRules } from '../chain-rules.js'
import { type HashedBlock, MemberMessages } from '../member-messages.js'
import { FAKE_SIGNATURES } from '../signatures.js'
import type { WorldOptions } from './options.js'

/** Time of all inputs, in ms; constant, since these worlds do not model time. */
export const NOW_MS = 1_000_000

/** Height to decide, above given blocks. */
export interface Ground {
  readonly number: number
  readonly chain: Chain
  readonly context: HeightContext
  /** Prefix of texts about this height; empty at the first one, `-` below it, a `+` for each height above. */
  readonly tag: string
}

/** A block that a member may propose. */
export interface NamedBlock extends HashedBlock {
  readonly name: string
  readonly ground: Ground
}

/** Cause of the abstention of a node that lost its records: the mark of its key shows whether it ever signed. */
export const causeOf = ({ chain }: Ground, hasSigned: boolean): AbstentionCause =>
  hasSigned || chain.height > 1 ? 'amnesia' : 'firstStart'

const keyText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** The fixed part of one small world. */
export class Setting {
  readonly rules: ChainRules
  /** Nodes by number: the committee of the first height in its order, then the others. */
  readonly peers: readonly ValidatorKey[]
  /** Initial position of nodes. */
  readonly start: Ground
  /** Initial position of the node that is behind. */
  readonly below: Ground
  readonly blocks = new Map<string, NamedBlock>()
  private readonly byHash = new Map<string, NamedBlock>()
  private readonly grounds: Ground[] = []
  private readonly groundsByBlock = new Map<string, Ground>()
  private readonly executed = new Map<string, ExecutionResult>()

  constructor(readonly options: WorldOptions) {
    const { members, change } = options
    const count = members + (change === 'join' ? 1 : 0)
    const universe = Array.from({ length: count }, (_, at) => FAKE_SIGNATURES.keyOf(at))
    this.rules = {
      signatures: FAKE_SIGNATURES,
      universe,
      keys: new Map(universe.map((key) => [key, [key]])),
      members,
      membersMin: 1,
      lanes: false,
      withholders: new Set(),
      epochLength: undefined,
      parameters: DEFAULT_CONSENSUS_PARAMETERS,
    }
    const hasPrefix = change !== undefined || options.behind !== undefined
    this.below = this.open(new Chain(this.rules), hasPrefix ? '-' : '')
    this.start = hasPrefix ? this.after(this.block(this.below, 0, 0), 0) : this.below
    const { keys } = this.start.context.committee
    this.peers = [...keys, ...universe.filter((key) => !keys.includes(key))]
  }

  /** Number of the faulty node; -1 for none. */
  get faulty(): number {
    return this.options.faulty ?? -1
  }

  /** Numbers of the correct nodes. */
  get correct(): number[] {
    return this.peers.flatMap((_, at) => (at === this.options.faulty ? [] : [at]))
  }

  private open(chain: Chain, tag: string): Ground {
    const ground = { number: this.grounds.length, chain, context: chain.nextContext(), tag }
    this.grounds.push(ground)
    return ground
  }

  /** The height above a block that was committed in a view. */
  after(block: NamedBlock, view: number): Ground {
    const slot = `${block.name}/${view}`
    const known = this.groundsByBlock.get(slot)
    if (known !== undefined) return known
    const { ground, header, body } = block
    const chain = new Chain(this.rules)
    for (const one of ground.chain.blocks) chain.append(one)
    const { keys } = ground.context.committee
    const { certificate } = this.certified(
      'commit',
      view,
      block,
      keys.map((_, at) => at),
    )
    chain.append({ header, body, certificate })
    const fresh = this.open(chain, ground.tag === '-' ? '' : `${ground.tag}+`)
    this.groundsByBlock.set(slot, fresh)
    return fresh
  }

  /** Height above a committed block; undefined above the last block of the world. */
  groundAbove({ blockHash, height, view }: QuorumCertificate): Ground | undefined {
    const block = this.blockOf(blockHash)
    return this.isLast(height) || block === undefined ? undefined : this.after(block, view)
  }

  /** True for the last height of the world. */
  isLast(height: number): boolean {
    return height >= this.start.context.height + this.options.heights - 1
  }

  /**
   * Position of a node that returns after a loss of its records: its height, or the first one if it lost its blocks,
   * too.
   */
  afterLoss(reached: Ground): Ground {
    return this.options.loses === 'data' ? this.start : reached
  }

  /** Tag of texts about a height, for height `height` as seen by others. */
  tagOf(height: number): string {
    const offset = height - this.start.context.height
    return offset < 0 ? '-' : '+'.repeat(offset)
  }

  /** Block of the proposer of a view; `variant` distinguishes several of them. */
  block(ground: Ground, view: number, variant: number): NamedBlock {
    const under = ground.tag.startsWith('+') ? `.${ground.number}` : ground.tag
    const name = `${String.fromCharCode(65 + variant)}${view}${under}`
    const known = this.blocks.get(name)
    if (known !== undefined) return known
    const { context, chain } = ground
    const template = headerTemplate(context, view, context.order[view % context.order.length] ?? '')
    const { header, body } = chain.build(template, {
      transactions: [context.height],
      nonce: view * 10 + variant,
      change: ground.tag === '-' ? this.change() : undefined,
      lanes: [],
      laneChange: undefined,
    })
    const block = { name, ground, header, body, hash: hashOfHeader(header) }
    this.blocks.set(name, block)
    this.byHash.set(keyText(block.hash), block)
    return block
  }

  private change(): number | undefined {
    const { members, change } = this.options
    return change === undefined ? undefined : change === 'join' ? members : 0
  }

  blockOf(hash: Uint8Array | string): NamedBlock | undefined {
    return this.byHash.get(typeof hash === 'string' ? hash : keyText(hash))
  }

  nameOf(hash: Uint8Array | string): string {
    return this.blockOf(hash)?.name ?? '?'
  }

  /** Execute a block. Execution is deterministic, so all nodes on the same ground share the result. */
  execute(ground: Ground, header: BlockHeader, body: Uint8Array, certified: boolean): ExecutionResult {
    const slot = `${ground.number}:${keyText(hashOfHeader(header))}:${certified}`
    const known = this.executed.get(slot)
    if (known !== undefined) return known
    const fresh = ground.chain.execute(header, body, certified)
    this.executed.set(slot, fresh)
    return fresh
  }

  /** A certificate of members at these positions. */
  certified(
    phase: 'prepare' | 'commit',
    view: number,
    block: NamedBlock,
    positions: readonly number[],
  ): CertifiedHeader {
    return this.messagesAt(block.ground).certified(phase, view, block, positions)
  }

  /** Makes messages of members at a height. */
  messagesAt({ context }: Ground): MemberMessages {
    return new MemberMessages(context, this.rules.signatures)
  }
}
