// Holds the building of blocks against a naive one, and both against the starvation bound of docs/design/lanes.md 6: a
// transaction with `a` ahead of it in its lane, among `A` busy lanes, is in at the latest in the (a + 1) * A-th honest proposal.
import { describe, expect, it } from 'vitest'
import { type LaneService, type LaneSlot, orderFault, serviceOrder } from '../../../src/lanes/index.js'
import { drawBlock, type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { drawPlace } from '../../support/lanes.js'

const RUNS = Number(process.env.CAUSEWAY_LANE_RUNS ?? 400)

/**
 * Faults of a wrong builder: lanes by number, a first transaction that does not fit is skipped, a deferred one goes to
 * the tail.
 */
type Mutant = 'none' | 'byId' | 'headSkipped' | 'deferredToTail'

interface Waiting {
  readonly id: number
  readonly lane: number
  readonly teu: number
  /** Transactions ahead of it in its lane, and what others put before it since. */
  ahead: number
}
interface Scene {
  readonly lanes: readonly { readonly id: number; readonly teuCapacity: number }[]
  readonly blockTeu: number
  readonly room: number
  readonly hostile: boolean
  readonly waiting: readonly Waiting[]
}

function randomOf(seed: number) {
  let state = seed >>> 0 || 1
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function sceneOf(seed: number): Scene {
  const random = randomOf(seed)
  const lanes = Array.from({ length: 1 + random(8) }, (_, id) => ({
    id,
    teuCapacity: random(3) === 0 ? 0 : 60 + random(200),
  }))
  const blockTeu = 100 + random(400)
  const waiting: Waiting[] = []
  const depth = new Map<number, number>()
  for (let id = 0; id < 1 + random(60); id += 1) {
    const lane = random(lanes.length)
    const ahead = depth.get(lane) ?? 0
    depth.set(lane, ahead + 1)
    // Some are heavier than their lane, some than the whole block.
    waiting.push({ id, lane, teu: random(6) === 0 ? 100 + random(600) : 10 + random(90), ahead })
  }
  return { lanes, blockTeu, room: 1 + random(12), hostile: seed % 2 === 0, waiting }
}

/** A builder written for reading: it looks at the whole queue for every turn. */
function naive(scene: Scene, turns: readonly LaneSlot[], queue: Waiting[], mutant: Mutant): Waiting[] {
  const block: Waiting[] = []
  const closed = new Set<number>()
  const passed = new Set<number>()
  const sum = (of: readonly Waiting[]) => of.reduce((total, one) => total + one.teu, 0)
  for (let before = -1; before < block.length; ) {
    before = block.length
    for (const { lane, teuCapacity } of turns) {
      if (closed.has(lane)) continue
      const own = block.filter((one) => one.lane === lane)
      const fitsLane = (one: Waiting) => own.length === 0 || teuCapacity === 0 || sum(own) + one.teu <= teuCapacity
      const fitsBlock = (one: Waiting) =>
        block.length < scene.room && (block.length === 0 || sum(block) + one.teu <= scene.blockTeu)
      const rest = queue.filter((one) => one.lane === lane && !block.includes(one) && !passed.has(one.id))
      const next = rest.find((one) => fitsLane(one) && (mutant !== 'headSkipped' || fitsBlock(one)))
      for (const one of rest.slice(0, next === undefined ? rest.length : rest.indexOf(next))) passed.add(one.id)
      if (next === undefined || !fitsBlock(next)) {
        closed.add(lane)
        continue
      }
      block.push(next)
    }
  }
  if (mutant === 'deferredToTail') {
    const tail = queue.filter((one) => passed.has(one.id))
    queue.splice(0, queue.length, ...queue.filter((one) => !passed.has(one.id)), ...tail)
  }
  return block
}

/** The block that the real builder makes of the same queue. */
function real(scene: Scene, turns: readonly LaneSlot[], queue: readonly Waiting[]): number[] {
  const waiting = new TransactionQueue()
  for (const { id, lane, teu } of queue) {
    const key = Buffer.alloc(32, id + 1)
    const transaction: QueuedTransaction = {
      id: key,
      signedHash: key,
      bytes: Buffer.alloc(1),
      authority: 'somebody',
      route: { lane, dataspace: 0n },
      teu,
      work: 0,
      proofWork: 0,
      expiresAtMs: 2,
      enteredAtMs: 0,
    }
    expect(waiting.push(transaction)).toBeUndefined()
  }
  return drawBlock(waiting, turns, drawPlace({ teu: scene.blockTeu, transactions: scene.room }, 1)).drawn.map(
    (one) => (one.id[0] as number) - 1,
  )
}

/** Runs a scene to its end: the worst share of the bound that a transaction took; above 1 breaks it. */
function worstShare(seed: number, mutant: Mutant): number {
  const scene = sceneOf(seed)
  const random = randomOf(seed * 7 + 1)
  const queue = scene.waiting.map((one) => ({ ...one }))
  const busy = new Set(queue.map((one) => one.lane)).size
  const services = new Map<number, LaneService>()
  let honest = 0
  let worst = 0
  for (let height = 2; queue.length > 0; height += 1) {
    const ordered = mutant === 'byId' ? [...scene.lanes] : serviceOrder(scene.lanes, services)
    const turns = ordered.map(({ id, teuCapacity }) => ({ lane: id, teuCapacity }))
    const isHostile = scene.hostile && random(3) === 0
    // A hostile proposer leaves lanes out and takes what it likes of the others, in an order that voters accept.
    const offered = isHostile ? queue.filter(() => random(3) === 0) : queue
    const block = naive(scene, turns, offered, isHostile ? 'none' : mutant)
    if (mutant === 'none') {
      expect(real(scene, turns, offered)).toEqual(block.map((one) => one.id))
      expect(orderFault(turns, block)).toBeUndefined()
    }
    if (!isHostile) honest += 1
    for (const [place, one] of block.entries()) services.set(one.lane, { height, place })
    for (const one of block) {
      queue.splice(queue.indexOf(one), 1)
      worst = Math.max(worst, honest / ((one.ahead + 1) * busy))
    }
    if (isHostile) {
      // A transaction taken from behind others was in effect served before them.
      for (const one of queue) if (block.some((taken) => taken.lane === one.lane && taken.id > one.id)) one.ahead += 1
    }
    if (honest > 2 * (scene.waiting.length + 1) * busy) return Number.POSITIVE_INFINITY
  }
  return worst
}

/** Blocks that the transactions of the quiet lanes waited, while the hot lane gets a share of what blocks hold. */
function quietWaits(hotShare: number, lanes: number, accountOf = (lane: number) => `of lane ${lane}`): number[] {
  const [room, quietEach] = [100, 1]
  const services = new Map<number, LaneService>()
  const queue = new TransactionQueue({ capacity: 100_000, capacityPerAccount: 100_000 })
  const enteredAt = new Map<string, { readonly height: number; readonly lane: number }>()
  const waits: number[] = []
  let made = 0
  const enter = (lane: number, height: number): void => {
    made += 1
    const id = Buffer.alloc(32)
    id.writeUInt32BE(made)
    enteredAt.set(id.toString('latin1'), { height, lane })
    const route = { lane: lanes === 1 ? 0 : lane, dataspace: 0n }
    const rest = { signedHash: id, bytes: Buffer.alloc(1), authority: accountOf(lane), teu: 240, work: 0, proofWork: 0 }
    expect(queue.push({ id, route, ...rest, expiresAtMs: 2, enteredAtMs: 0 })).toBeUndefined()
  }
  for (let height = 2; height < 120; height += 1) {
    for (let count = 0; count < hotShare * room; count += 1) enter(0, height)
    for (let lane = 1; lane < 16; lane += 1) for (let count = 0; count < quietEach; count += 1) enter(lane, height)
    const ids = Array.from({ length: lanes }, (_, id) => ({ id, teuCapacity: 0 }))
    const turns = serviceOrder(ids, services).map(({ id }) => ({ lane: id, teuCapacity: 0 }))
    const place_ = drawPlace({ teu: 1_000_000, transactions: room }, 1)
    for (const [place, one] of drawBlock(queue, turns, place_).drawn.entries()) {
      services.set(one.route.lane, { height, place })
      const entered = enteredAt.get(one.id.toString('latin1'))
      if (entered !== undefined && entered.lane > 0) waits.push(height - entered.height)
      queue.remove(one.id)
    }
  }
  return waits
}

/** Transactions of lanes, one of each in turn until none is left: what voters take for the order of a block. */
function inTurns(turns: readonly LaneSlot[], waiting: readonly Waiting[]): Waiting[] {
  const lists = turns.map(({ lane }) => waiting.filter((one) => one.lane === lane))
  const rounds = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat()
}

describe('voters', () => {
  it('reject lanes above their capacity, and no other lanes', () => {
    const seen = new Map<boolean, number>()
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const { lanes, waiting } = sceneOf(seed)
      const turns = lanes.map(({ id, teuCapacity }) => ({ lane: id, teuCapacity }))
      const block = inTurns(turns, waiting.slice(0, 12))
      // The first of a lane stands in any block; with others it counts as they do.
      const isOver = turns.some(({ lane, teuCapacity }) => {
        const own = block.filter((one) => one.lane === lane)
        return own.length > 1 && teuCapacity > 0 && own.reduce((sum, { teu }) => sum + teu, 0) > teuCapacity
      })
      const fault = orderFault(turns, block)
      if (isOver) expect(fault, `seed ${seed}`).toContain('execution units')
      else expect(fault, `seed ${seed}`).toBeUndefined()
      seen.set(isOver, (seen.get(isOver) ?? 0) + 1)
    }
    expect(Math.min(seen.get(true) ?? 0, seen.get(false) ?? 0)).toBeGreaterThan(RUNS / 20)
  })
})

describe('fifteen quiet lanes beside a hot one', () => {
  it.each([0, 0.7, 3])(
    'are included in the next block, whatever the load of the hot lane: %d of the block space',
    (share) => {
      const waits = quietWaits(share, 16)
      expect(waits).toHaveLength(118 * 15)
      expect(Math.max(...waits)).toBe(0)
    },
  )

  it('would wait for all earlier transactions if they shared one lane and one account', () => {
    expect(Math.max(...quietWaits(1.2, 1, () => 'alice'))).toBeGreaterThan(20)
  })
})

describe('fifteen quiet accounts beside one that fills the queue of their lane', () => {
  it.each([0.7, 3])('are included in the next block: %d of the block space', (share) => {
    const waits = quietWaits(share, 1)
    expect(waits).toHaveLength(118 * 15)
    expect(Math.max(...waits)).toBe(0)
  })
})

describe('the starvation bound', () => {
  it('holds for oversized transactions and hostile proposers, and a naive builder gives the same result', () => {
    let worst = 0
    for (let seed = 1; seed <= RUNS; seed += 1) worst = Math.max(worst, worstShare(seed, 'none'))
    expect(worst).toBeLessThanOrEqual(1)
    // The bound is tight: some transaction needs all of it.
    expect(worst).toBeGreaterThan(0.95)
  })

  it.each<Mutant>(['byId', 'headSkipped', 'deferredToTail'])('is violated by a builder with %s', (mutant) => {
    let worst = 0
    for (let seed = 1; seed <= RUNS && worst <= 1; seed += 1) worst = Math.max(worst, worstShare(seed, mutant))
    expect(worst).toBeGreaterThan(1)
  })
})
