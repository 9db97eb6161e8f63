/** Owns the scheduler interface: crashes, and lost messages before the network heals. */
import type { ConsensusMessage } from '../../consensus/index.js'
import type { VirtualClock } from '../clock.js'
import type { SimulatedNode } from '../node.js'
import type { Random } from '../prng.js'
import type { Scenario } from '../scenario.js'

/** Environment of a scheduler. */
export interface Stage {
  readonly clock: VirtualClock
  readonly random: Random
  readonly scenario: Scenario
  readonly nodes: readonly SimulatedNode[]
  isHealed(): boolean
  /** Crash a running node and start it again after `downMs`, at the latest when the network heals. */
  restart(node: SimulatedNode, downMs: number, loss?: 'voteLog' | 'dataDirectory'): void
}

/** Faults of one family; called only until the network heals. */
export interface Scheduler {
  /** Schedule events by time. */
  begin(): void
  /** True if this message arrives; false if it is lost. */
  admits(from: SimulatedNode, to: SimulatedNode, message: ConsensusMessage): boolean
  /** Called when a node has committed a block. */
  committed?(node: SimulatedNode): void
}

/** Schedule crashes and power failures at random times, by the scenario. */
export function scheduleCrashes(stage: Stage): void {
  const { clock, random, scenario, nodes } = stage
  for (let count = 0; count < scenario.crashes; count++) {
    const node = random.pick(nodes)
    clock.after(random.next() * scenario.healAtMs, () => stage.restart(node, 10 + random.next() * 3_000))
  }
  const lose = (loss: 'voteLog' | 'dataDirectory'): void => {
    const node = random.pick(nodes.filter((one) => one.role.kind === 'honest'))
    clock.after(random.next() * scenario.healAtMs, () => stage.restart(node, 10 + random.next() * 1_000, loss))
  }
  for (let count = 0; count < scenario.lostLogs; count++) lose('voteLog')
  for (let count = 0; count < scenario.lostDisks; count++) lose('dataDirectory')
  for (let count = 0; count < scenario.powerFailures; count++) {
    clock.after(random.next() * scenario.healAtMs, () => {
      for (const node of nodes) stage.restart(node, 10 + random.next() * 500)
    })
  }
}
