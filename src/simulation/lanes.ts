/**
 * Owns lanes in the model: routes, turns, totals and changing catalogues, computed by the code of the real ledger over
 * a separate state.
 */
import { type Infer, list, option, struct, u32 } from '../codec/index.js'
import { blockLimits, workOf } from '../consensus/index.js'
import { hash } from '../crypto/index.js'
import { changed, LEAD_HEIGHTS } from '../features/lanes/ledger/change.js'
import {
  activateLanes,
  dataspacesAt,
  type LaneSpec,
  laneCatalogue,
  laneCommitmentRoot,
  laneCommitments,
  laneList,
  laneServices,
  lanesAt,
  lanesInServiceOrder,
  latestLanes,
  orderFault,
  policyAt,
  type RoutingPolicy,
  recordService,
  routeTransaction,
  routingPolicies,
  routingPolicy,
  stageLanes,
  stagePolicy,
} from '../lanes/index.js'
import { accountKeyOf, accountOfKey, LANE_MAX, NO_METADATA } from '../model/index.js'
import { drawBlock, type QueuedTransaction, TransactionQueue } from '../queue/index.js'
import { EMPTY_ROWS, Overlay } from '../state/index.js'
import type { Random } from './prng.js'

/** Number of accounts; initially each has its own lane, as far as there are lanes. */
const ACCOUNTS = 5
/** Number of lanes at genesis. */
const LANES = 3
/** Maximum transactions of a block, low enough that full blocks are common and transactions wait for later blocks. */
const BLOCK_TRANSACTIONS = 5
const BLOCK_TEU = 150
/** Minimum execution units of a transaction; some transactions exceed the capacity of their lane. */
const TEU_MIN = 10
const TEU_SPREAD = 61

/** A transaction in a block, with the lane assigned by its proposer. */
export interface LaneEntry extends Infer<typeof laneEntry> {}
export const laneEntry = struct('SimulatedLaneEntry', { transaction: u32, lane: u32 })

/** Change of lanes in a block; a refused change has no effect, like a rejected transaction. */
export interface LaneChange extends Infer<typeof laneChange> {}
export const laneChange = struct('SimulatedLaneChange', {
  add: list(u32, 8),
  retire: list(u32, 8),
  relabel: list(u32, 8),
  /** Lane of each account, in the order of account numbers. */
  rules: option(list(u32, ACCOUNTS)),
})
const NOTHING: LaneChange = { add: [], retire: [], relabel: [], rules: undefined }

/** Lane state of a ledger after a block; never modified afterwards. */
export type LaneState = Overlay

const accounts = Array.from({ length: ACCOUNTS }, (_, index) =>
  accountOfKey(accountKeyOf('ed25519', hash('sim-account', Buffer.of(index)))),
)
const accountOf = (transaction: number) => accounts[transaction % ACCOUNTS] as (typeof accounts)[number]
const teuOf = (transaction: number): number => TEU_MIN + ((transaction * 37) % TEU_SPREAD)

function recordOf(transaction: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(transaction)
  return bytes
}
const recordHash = (transaction: number): Buffer => hash('sim-record', recordOf(transaction))

/** Specification of a new lane; every third lane has no limit of its own. */
const specOf = (id: number): LaneSpec => ({
  id,
  dataspace: 0n,
  alias: `lane-${id}`,
  visibility: 'public',
  storage: 'fullReplica',
  proofScheme: 'merkleBlake3',
  settlement: [],
  teuCapacity: id % 3 === 0 ? 0 : 30 + ((id * 17) % 60),
  metadata: NO_METADATA,
})

const policyOf = (version: number, lanes: readonly number[]): RoutingPolicy => ({
  version,
  defaultLane: 0,
  rules: lanes.map((lane, index) => ({
    lane,
    scope: undefined,
    account: { kind: 'account', value: accounts[index] as (typeof accounts)[number] },
    instruction: undefined,
  })),
})

/** Lanes at genesis: three, each with its accounts. */
export function genesisLanes(): LaneState {
  const state = new Overlay(EMPTY_ROWS)
  const { lanes } = latestLanes(state)
  const others = Array.from({ length: LANES - 1 }, (_, index) => ({ ...specOf(index + 1), state: 'active' as const }))
  stageLanes(state, [...lanes, ...others], undefined)
  const rules = accounts.map((_, index) => index % LANES)
  stagePolicy(state, policyOf(1, rules), undefined)
  return state
}

/** Lane of a transaction at a height, by the state after the previous height; undefined if no lane accepts it. */
function routesAt(state: LaneState, height: number): (transaction: number) => number | undefined {
  const route = {
    lanes: new Map(lanesAt(state, height).map((lane) => [lane.id, lane])),
    dataspaces: new Map(dataspacesAt(state, height).map((one) => [one.id, one])),
    policy: policyAt(state, height),
    home: () => undefined,
    dataspaceOf: () => 0n,
    mayUse: () => false,
  }
  return (transaction) => {
    const facts = { authority: accountOf(transaction), hint: undefined, domains: [], labels: [], settles: [] }
    const found = routeTransaction(facts, route)
    return found.kind === 'routed' ? found.value.lane : undefined
  }
}

const slotsAt = (state: LaneState, height: number) =>
  lanesInServiceOrder(state, height).map(({ id, teuCapacity }) => ({ lane: id, teuCapacity }))

/** Transactions that an honest proposer includes, in their order. */
export function drawLanes(state: LaneState, height: number, waiting: readonly number[]): LaneEntry[] {
  const routeOf = routesAt(state, height)
  const queue = new TransactionQueue()
  const numbers = new Map<string, number>()
  for (const transaction of waiting) {
    const lane = routeOf(transaction)
    if (lane === undefined) continue
    const id = recordHash(transaction)
    numbers.set(id.toString('latin1'), transaction)
    const queued: QueuedTransaction = {
      id,
      signedHash: id,
      bytes: recordOf(transaction),
      authority: accountOf(transaction),
      route: { lane, dataspace: 0n },
      teu: teuOf(transaction),
      work: workOf(teuOf(transaction), 0),
      proofWork: 0,
      expiresAtMs: Number.MAX_SAFE_INTEGER,
      enteredAtMs: 0,
    }
    if (queue.push(queued) !== undefined) throw new Error('the queue of the model is full')
  }
  const chain = { blockTeu: BLOCK_TEU, blockMaxTransactions: BLOCK_TRANSACTIONS, maxBlockBytes: 1_000_000 }
  const limits = blockLimits({ ...chain, blockWorkMs: 60, proofWorkPerBlock: 0 }, 0)
  const place = { limits, timeMs: 0, monotonicMs: 0, evidence: 0, bodyBytes: 0 }
  return drawBlock(queue, slotsAt(state, height), place).drawn.map(({ id, route }) => ({
    transaction: numbers.get(id.toString('latin1')) as number,
    lane: route.lane,
  }))
}

/** Reason why a voter refuses the lanes of a block, or undefined. */
export function lanesFault(state: LaneState, height: number, entries: readonly LaneEntry[]): string | undefined {
  const routeOf = routesAt(state, height)
  const stray = entries.find(({ transaction, lane }) => routeOf(transaction) !== lane)
  if (stray !== undefined) return `transaction ${stray.transaction} does not belong into lane ${stray.lane}`
  const costs = entries.map(({ transaction, lane }) => ({ lane, teu: teuOf(transaction) }))
  const teu = costs.reduce((sum, one) => sum + one.teu, 0)
  if (entries.length > BLOCK_TRANSACTIONS || (entries.length > 1 && teu > BLOCK_TEU)) return 'more than a block holds'
  return orderFault(slotsAt(state, height), costs)
}

/** Lane root of a block header. */
export const lanesRoot = (height: number, entries: readonly LaneEntry[]): Buffer =>
  laneCommitmentRoot(
    laneCommitments(
      height,
      entries.map(({ transaction, lane }) => ({
        lane,
        dataspace: 0n,
        signedBytes: recordOf(transaction),
        signedHash: recordHash(transaction),
        teu: teuOf(transaction),
      })),
    ),
  )

/** True if a policy may name these lanes: all of them exist after the last decided block. */
const areActive = (state: LaneState, lanes: readonly number[]): boolean => {
  const active = new Set(latestLanes(state).lanes.flatMap((lane) => (lane.state === 'active' ? [lane.id] : [])))
  return lanes.every((lane) => active.has(lane))
}

function applyChange(state: LaneState, height: number, change: LaneChange): void {
  const before = latestLanes(state)
  const { rules } = change
  if (rules !== undefined) {
    if (areActive(state, rules)) stagePolicy(state, policyOf(before.policy.version + 1, rules), height + LEAD_HEIGHTS)
    return
  }
  const update = {
    add: change.add.map(specOf),
    retire: change.retire,
    relabel: change.relabel.map((lane) => ({ lane, alias: `lane-${lane}-at-${height}` })),
  }
  const result = changed(update, before, { isGenesis: false, domainsOf: () => 0 })
  if ('lanes' in result) stageLanes(state, result.lanes, height + LEAD_HEIGHTS)
}

/** Copy of the rows without a base state, because layered states would be read through all heights. */
function copyOf(state: LaneState): LaneState {
  const copy = new Overlay(EMPTY_ROWS)
  for (const { row, table, value } of state.changes()) if (value !== undefined) copy.setRow(table, row, value)
  return copy
}

/** Lanes after a block, as the executor computes them. */
export function lanesAfter(
  state: LaneState,
  height: number,
  entries: readonly LaneEntry[],
  change: LaneChange | undefined,
): LaneState {
  const after = copyOf(state)
  activateLanes(after, height)
  if (change !== undefined) applyChange(after, height, change)
  recordService(
    after,
    height,
    entries.map((one) => one.lane),
  )
  return after
}

/** Lane digest of the state root. */
export function lanesDigest(state: LaneState): Buffer {
  const { lanes, policy } = latestLanes(state)
  const rows = [laneCatalogue, routingPolicies, laneServices].map((table) => {
    const row = state.get(table as typeof laneCatalogue, '')
    return row === undefined ? Buffer.alloc(0) : (table as typeof laneCatalogue).value.encode(row)
  })
  return hash('sim-lanes', laneList.encode(lanes), routingPolicy.encode(policy), ...rows)
}

/** Random change of lanes: provision, retire, relabel, or another policy. */
export function drawLaneChange(state: LaneState, random: Random): LaneChange {
  const { lanes } = latestLanes(state)
  const active = lanes.flatMap((lane) => (lane.state === 'active' ? [lane.id] : []))
  switch (random.below(4)) {
    case 0: {
      const next = Math.max(...lanes.map((lane) => lane.id)) + 1
      return { ...NOTHING, add: [Math.min(next, LANE_MAX)] }
    }
    case 1:
      return { ...NOTHING, retire: [random.pick(active)] }
    case 2:
      return { ...NOTHING, relabel: [random.pick(active)] }
    default:
      return { ...NOTHING, rules: accounts.map(() => random.pick(active)) }
  }
}
