/** Owns a network with three lanes for tests: its genesis sections, and instructions about lanes. */

import { bool } from '../../src/codec/index.js'
import type { BlockLimits } from '../../src/consensus/index.js'
import { instructions as lanes } from '../../src/features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../src/features/permissions/schema.js'
import type { LaneSpec, RoutingRule } from '../../src/lanes/index.js'
import { type AccountId, type Instruction, instruction, NO_METADATA } from '../../src/model/index.js'
import type { DrawPlace } from '../../src/queue/index.js'

/** Lanes enabled from genesis. */
export const LANES_ON: ReadonlyMap<string, Uint8Array> = new Map([['lanes.enabled', bool.encode(true)]])

export const laneSpecOf = (id: number, more: Partial<LaneSpec> = {}): LaneSpec => ({
  id,
  dataspace: 0n,
  alias: `lane-${id}`,
  visibility: 'public',
  storage: 'fullReplica',
  proofScheme: 'merkleBlake3',
  settlement: [],
  teuCapacity: 0,
  metadata: NO_METADATA,
  ...more,
})

export const updateLanes = (change: {
  readonly add?: readonly LaneSpec[]
  readonly retire?: readonly number[]
  readonly relabel?: readonly { readonly lane: number; readonly alias: string }[]
}): Instruction => instruction(lanes.updateLanes, { add: [], retire: [], relabel: [], ...change })

type RuleGiven = Partial<RoutingRule> & Pick<RoutingRule, 'lane'>
export const setPolicy = (version: number, rules: readonly RuleGiven[], defaultLane = 0): Instruction =>
  instruction(lanes.setRoutingPolicy, {
    policy: {
      version,
      defaultLane,
      rules: rules.map((rule) => ({ scope: undefined, account: undefined, instruction: undefined, ...rule })),
    },
  })

/** Lanes 1 and 2 beside lane 0; each of the two accounts has one of them alone. */
export const threeLanes = (first: AccountId, second: AccountId, admin: AccountId): Instruction[] => [
  updateLanes({ add: [laneSpecOf(1), laneSpecOf(2, { settlement: ['*'] })] }),
  setPolicy(1, [
    { lane: 1, account: { kind: 'account', value: first } },
    { lane: 2, account: { kind: 'account', value: second } },
  ]),
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name: 'CanManageLanes', object: undefined } },
    to: { kind: 'account', value: admin },
  }),
]

/** Inputs for drawing a block without evidence at a time, with limits on transactions and units. */
export const drawPlace = (
  limits: Pick<BlockLimits, 'teu' | 'transactions'> & Partial<BlockLimits>,
  timeMs: number,
): DrawPlace => ({
  limits: { bytes: 1_000_000, work: Number.MAX_SAFE_INTEGER, proofWork: 0, evidence: 0, ...limits },
  timeMs,
  monotonicMs: 0,
  evidence: 0,
  bodyBytes: 0,
})
