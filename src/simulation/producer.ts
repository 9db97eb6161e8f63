/** Owns the queue of a simulated node and its blocks: honest blocks, and variants for faulty members. */
import { type HeaderTemplate, type HeightContext, headerTemplate } from '../consensus/index.js'
import type { ValidatorKey } from '../model/index.js'
import type { BuiltBlock } from './byzantine/index.js'
import type { Chain } from './chain.js'
import { type ChainRules, entriesOf, simulatedBody, transactionsAt } from './chain-rules.js'
import { drawLaneChange, drawLanes, type LaneEntry } from './lanes.js'
import type { Random } from './prng.js'

/** Content of blocks besides transactions. */
export interface Changes {
  readonly rules: ChainRules
  /** Share of proposals with a change of the roster. */
  readonly changeRate: number
  /** Share of the other proposals that rotate a key. */
  readonly rotationRate: number
  /** Share of proposals with a change of lanes. */
  readonly laneChangeRate: number
}

/** First nonce of blocks of faulty members, above the nonces that honest blocks reach. */
const FRESH_NONCES_FROM = 1_000_000

/** The queue of one node. */
export class Producer {
  readonly known = new Set<number>()
  private readonly fresh = new Map<string, BuiltBlock>()

  constructor(
    private readonly changes: Changes,
    private readonly random: Random,
  ) {}

  /** True if a known transaction is not in a block of the chain. */
  hasWork(chain: Chain): boolean {
    const { transactions } = chain.state
    for (const one of this.known) if (!transactions.has(one)) return true
    return false
  }

  private queue(chain: Chain): number[] {
    const { transactions } = chain.state
    return [...this.known].filter((one) => !transactions.has(one)).sort((a, b) => a - b)
  }

  /** Transactions of the queue for a block of this view. */
  draw(chain: Chain, height: number, view: number): LaneEntry[] {
    const { lanes } = chain.state
    const room = transactionsAt(view, lanes !== undefined)
    if (lanes !== undefined) return drawLanes(lanes, height, this.queue(chain)).slice(0, room)
    return this.queue(chain)
      .slice(0, room)
      .map((transaction) => ({ transaction, lane: 0 }))
  }

  /** Build an honest block of these transactions. */
  build(chain: Chain, template: HeaderTemplate, entries: readonly LaneEntry[]): BuiltBlock {
    const transactions = entries.map((one) => one.transaction)
    const change = this.drawChange()
    const nonce = this.random.below(2 ** 31)
    const { lanes: laneState } = chain.state
    const lanes = laneState === undefined ? [] : entries.map((one) => one.lane)
    const changesLanes = laneState !== undefined && this.random.chance(this.changes.laneChangeRate)
    const laneChange = changesLanes ? drawLaneChange(laneState, this.random) : undefined
    return chain.build(template, { transactions, nonce, change, lanes, laneChange })
  }

  /** Change of the roster, as a number for the block. */
  private drawChange(): number | undefined {
    const { random } = this
    const { rules, changeRate, rotationRate } = this.changes
    const count = rules.universe.length
    if (random.chance(changeRate)) return random.below(count)
    // Without rotations nothing is drawn.
    return rotationRate > 0 && random.chance(rotationRate) ? count + random.below(count) : undefined
  }

  /** Build a new empty block of this height with origin view `view`, different for each `variant`. */
  freshBlock(chain: Chain, context: HeightContext, proposer: ValidatorKey, view: number, variant: number): BuiltBlock {
    const slot = `${view}:${variant}`
    const known = this.fresh.get(slot)
    if (known !== undefined) return known
    const content = {
      transactions: [],
      nonce: FRESH_NONCES_FROM + variant,
      change: undefined,
      lanes: [],
      laneChange: undefined,
    }
    const block = chain.build(headerTemplate(context, view, proposer), content)
    this.fresh.set(slot, block)
    return block
  }

  /**
   * Copy of the block with other lanes or another order, and a matching header; the same block if there are no lanes.
   */
  rearranged(
    chain: Chain,
    block: BuiltBlock,
    change: (entries: readonly LaneEntry[]) => readonly LaneEntry[],
  ): BuiltBlock {
    const decoded = simulatedBody.decode(block.body)
    if (!decoded.ok || decoded.value.lanes.length === 0) return block
    const entries = change(entriesOf(decoded.value))
    const content = {
      ...decoded.value,
      transactions: entries.map((one) => one.transaction),
      lanes: entries.map((one) => one.lane),
    }
    return chain.build({ ...block.header, parentTimeMs: block.header.timeMs - 1 }, content)
  }

  /** Advance to the next height, which discards the fresh blocks of the previous one. */
  committed(): void {
    this.fresh.clear()
  }
}
