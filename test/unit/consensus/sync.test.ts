/** A node that is far behind, and the peers that it asks: honest, silent and lying ones (docs/design/consensus.md 9). */
import { describe, expect, it } from 'vitest'
import {
  bitmapOf,
  type ConsensusMessage,
  type ConsensusState,
  consensusMessage,
  type Effect,
  headerTemplate,
  type Input,
  isSyncing,
  newState,
  type Report,
  step,
  syncResponseBytes,
  voteSignBytes,
} from '../../../src/consensus/index.js'
import {
  BUFFERED_PER_MEMBER,
  SYNC_BUFFER_BYTES,
  SYNC_RANGE_BLOCKS,
  SYNC_RANGE_BYTES,
  SYNC_WINDOW_BLOCKS,
} from '../../../src/consensus/limits.js'
import {
  type CommittedBlock,
  committedBlock,
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  type ValidatorKey,
} from '../../../src/model/index.js'
import { Chain } from '../../../src/simulation/chain.js'
import type { ChainRules } from '../../../src/simulation/chain-rules.js'
import { FAKE_SIGNATURES, fakeAggregate, fakeKey, fakeSign, fakeVerify } from '../../../src/simulation/signatures.js'

const KEYS = [0, 1, 2, 3].map((index) => fakeKey(index))
const SELF = KEYS[3] ?? ''
const PEERS = KEYS.slice(0, 3)
const rules: ChainRules = {
  universe: KEYS,
  keys: new Map(),
  members: 4,
  membersMin: 4,
  lanes: false,
  withholders: new Set<string>(),
  epochLength: undefined,
  parameters: DEFAULT_CONSENSUS_PARAMETERS,
  signatures: FAKE_SIGNATURES,
}

/** A chain of blocks with good certificates. */
function chainOf(height: number): Chain {
  const chain = new Chain(rules)
  while (chain.height < height) {
    const context = chain.nextContext()
    const { committee } = context
    const template = headerTemplate(context, 0, context.order[0] ?? '')
    const { header, body } = chain.build(template, {
      transactions: [],
      nonce: context.height,
      change: undefined,
      lanes: [],
      laneChange: undefined,
    })
    const blockHash = hashOfHeader(header)
    const domain = { chainHash: context.chainHash, committeeHash: committee.hash, epoch: 0, height: context.height }
    const signers = [0, 1, 2]
    const message = voteSignBytes(domain, 'commit', 0, blockHash)
    chain.append({
      header,
      body,
      certificate: {
        phase: 'commit',
        height: context.height,
        view: 0,
        blockHash,
        committeeHash: committee.hash,
        bitmap: bitmapOf(committee.keys.length, signers),
        aggregate: fakeAggregate(signers.map((at) => fakeSign(committee.keys[at] ?? '', message))),
      },
    })
  }
  return chain
}

/** Response of a peer to a range; undefined if there is none. */
type Answer = (blocks: readonly CommittedBlock[]) => readonly CommittedBlock[] | undefined
const honest: Answer = (blocks) => blocks
const silent: Answer = () => undefined
const badBody: Answer = (blocks) => blocks.map((block) => ({ ...block, body: Buffer.alloc(block.body.length, 7) }))
const badCertificate: Answer = (blocks) =>
  blocks.map((block) => ({
    ...block,
    certificate: block.certificate && { ...block.certificate, aggregate: Buffer.alloc(96, 9) },
  }))
const withGap: Answer = (blocks) => blocks.slice(1)
/** Valid small blocks, and one that uses uncounted memory. */
const withBallast: Answer = (blocks) =>
  blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, body: Buffer.alloc(SYNC_RANGE_BYTES) } : block))

interface Asked {
  readonly to: ValidatorKey
  readonly from: number
  readonly count: number
}

/** Drives one node by hand: what is to happen waits in a queue and happens one after another. */
class Laggard {
  readonly chain = new Chain(rules)
  readonly state: ConsensusState
  readonly asked: Asked[] = []
  readonly reports: Report[] = []
  /** Most ranges on their way at one time. */
  mostAtOnce = 0
  /** Certificates that were verified before their turn. */
  verifiedAhead = 0
  /** Verdicts over these come when the turn of their block has come. */
  lateResults = false
  private readonly queue: (() => void)[] = []
  private readonly inFlight = new Set<ValidatorKey>()
  private nowMs = 0

  constructor(
    private readonly source: Chain,
    private readonly answers: ReadonlyMap<ValidatorKey, Answer> = new Map(),
  ) {
    this.state = newState(SELF, this.chain.nextContext(), 0)
  }

  input(input: Input): void {
    for (const effect of step(this.state, { ...input, nowMs: this.nowMs })) this.queue.push(() => this.perform(effect))
    expect(this.state.sync.bufferedBytes).toBeLessThanOrEqual(SYNC_BUFFER_BYTES)
    expect(this.state.sync.blocks.size).toBeLessThanOrEqual(SYNC_WINDOW_BLOCKS)
  }

  /** A Status that says where a peer is. */
  hint(peer: ValidatorKey, height: number): void {
    const value = { height, view: 0, commit: undefined, highPrepare: undefined, entry: undefined }
    this.input({ type: 'message', from: peer, message: { kind: 'status', value } })
  }

  /** The commit certificate of a height, shown by a peer. */
  certificate(peer: ValidatorKey, height: number): void {
    const { header, certificate } = this.source.blocks[height - 2] ?? {}
    if (header === undefined || certificate === undefined) throw new Error(`no block ${height}`)
    this.input({ type: 'message', from: peer, message: { kind: 'certificate', value: { header, certificate } } })
  }

  /** Runs until the node is at a height; when nothing waits, time passes and the sync timer fires. */
  runTo(height: number, timers = 20): void {
    while (this.chain.height < height) {
      const next = this.queue.shift()
      if (next !== undefined) next()
      else if (timers-- > 0) this.pass(2_000)
      else throw new Error(`stuck at height ${this.chain.height}`)
    }
  }

  /** Runs until nothing waits any more. */
  runDry(): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) next()
  }

  pass(ms: number): void {
    this.nowMs += ms
    this.input({ type: 'timer', name: 'sync', height: 0, view: 0 })
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case 'send':
        return this.sent(effect.to, effect.message)
      case 'verify': {
        const job = this.state.jobs.get(effect.job)
        if (job?.next === 'syncVerified' && job.ahead) {
          if (this.lateResults && job.held.block.header.height > this.state.context.height) {
            this.queue.push(() => this.perform(effect))
            return
          }
          this.verifiedAhead += 1
        }
        return this.input({ type: 'verified', job: effect.job, ok: effect.checks.every(fakeVerify) })
      }
      case 'persist':
        return this.input({ type: 'persisted', job: effect.job })
      case 'execute': {
        const result = this.chain.execute(effect.header, effect.body, effect.certified)
        return this.input({ type: 'executed', job: effect.job, result, timely: true })
      }
      case 'commit':
        this.chain.append({ ...effect.certified, body: effect.body })
        return this.input({ type: 'committed', next: this.chain.nextContext(), self: SELF })
      case 'report':
        this.reports.push(effect.report)
        return
      case 'halt':
        throw new Error(`halted: ${effect.detail}`)
      default:
    }
  }

  private sent(to: ValidatorKey, message: ConsensusMessage): void {
    if (message.kind !== 'syncRequest') return
    const { from, count } = message.value
    expect(count).toBeLessThanOrEqual(SYNC_RANGE_BLOCKS)
    expect(from + count).toBeLessThanOrEqual(this.state.context.height + SYNC_WINDOW_BLOCKS)
    this.asked.push({ to, from, count })
    this.inFlight.add(to)
    this.mostAtOnce = Math.max(this.mostAtOnce, this.inFlight.size)
    const blocks = this.source.blocks.slice(from - 2, from - 2 + count)
    const answer = (this.answers.get(to) ?? honest)(blocks)
    if (answer === undefined) return
    this.queue.push(() => {
      this.inFlight.delete(to)
      this.input({ type: 'message', from: to, message: { kind: 'syncResponse', value: { blocks: answer } } })
    })
  }
}

const HEIGHT = 700
const source = chainOf(HEIGHT)
const served = (node: Laggard, key: ValidatorKey): number => node.asked.filter((one) => one.to === key).length
const badPeers = (node: Laggard): ValidatorKey[] =>
  node.reports.flatMap((one) => (one.kind === 'badSync' ? [one.peer] : []))

describe('a node that is far behind', () => {
  it('requests blocks from all peers concurrently, verifies certificates ahead, and catches up without waiting', () => {
    const node = new Laggard(source)
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    node.runTo(HEIGHT, 0)
    expect(node.mostAtOnce).toBe(3)
    expect(node.verifiedAhead).toBeGreaterThan(HEIGHT / 2)
    for (const peer of PEERS) expect(served(node, peer)).toBeGreaterThan(2)
    // Nothing was asked for twice.
    expect(node.asked.reduce((sum, one) => sum + one.count, 0)).toBe(HEIGHT - 1)
    node.runDry()
    expect(isSyncing(node.state.sync, node.state.context)).toBe(false)
  })

  it('requests blocks only from peers whose claimed height is sufficient', () => {
    const node = new Laggard(source)
    node.hint(PEERS[0]!, 40)
    node.hint(PEERS[1]!, HEIGHT + 1)
    node.runTo(HEIGHT, 0)
    for (const { to, from, count } of node.asked) if (to === PEERS[0]) expect(from + count).toBeLessThanOrEqual(40)
  })

  it.each([
    ['other bodies', badBody],
    ['invalid certificates', badCertificate],
    ['a gap', withGap],
    ['more bytes than a range may have', withBallast],
  ])('drops a peer that serves %s, reports it, and continues with the others', (_, forgery) => {
    const node = new Laggard(source, new Map([[PEERS[0]!, forgery]]))
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    node.runTo(HEIGHT)
    expect(new Set(badPeers(node))).toEqual(new Set([PEERS[0]]))
    // It rests for a minute: asked once, and once more at most before its first blocks had their turn.
    expect(served(node, PEERS[0]!)).toBeLessThanOrEqual(2)
  })

  it('refuses an invalid body with a valid certificate that was verified in advance', () => {
    const forgery: Answer = (blocks) => blocks.map((block, at) => (at === 0 ? block : (badBody([block])?.[0] ?? block)))
    const node = new Laggard(source, new Map([[PEERS[0]!, forgery]]))
    node.lateResults = true
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    node.runTo(HEIGHT)
    expect(node.verifiedAhead).toBeGreaterThan(HEIGHT / 2)
    expect(new Set(badPeers(node))).toEqual(new Set([PEERS[0]]))
  })

  it('requests blocks from another peer if the first peer does not send them', () => {
    const node = new Laggard(source, new Map([[PEERS[1]!, silent]]))
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    node.runTo(HEIGHT, 2)
    expect(badPeers(node)).toEqual([])
    expect(served(node, PEERS[1]!)).toBe(1)
  })

  it('requests blocks from another peer at once if the link to the first is lost', () => {
    const node = new Laggard(source, new Map([[PEERS[0]!, silent]]))
    node.hint(PEERS[0]!, HEIGHT + 1)
    node.hint(PEERS[1]!, HEIGHT + 1)
    node.runDry()
    node.input({ type: 'peerDown', peer: PEERS[0]! })
    node.runTo(HEIGHT, 0)
  })

  it('resumes at once when the only peer with the blocks reconnects, however long it was disconnected', () => {
    let isCut = true
    const node = new Laggard(source, new Map([[PEERS[0]!, (blocks) => (isCut ? undefined : blocks)]]))
    node.hint(PEERS[0]!, HEIGHT + 1)
    node.runDry()
    for (let wait = 0; wait < 30; wait++) {
      node.pass(2_000)
      node.runDry()
    }
    // Asked again and again, and for one range at a time.
    expect(served(node, PEERS[0]!)).toBe(31)
    expect(node.asked.every(({ from }) => from === 2)).toBe(true)
    isCut = false
    node.runTo(HEIGHT, 1)
  })

  it('sends at most one request per second to a silent peer, whatever height it claims', () => {
    const node = new Laggard(source, new Map([[PEERS[0]!, silent]]))
    for (let wait = 0; wait < 200; wait++) {
      node.hint(PEERS[0]!, HEIGHT + 1)
      node.input({ type: 'peerDown', peer: PEERS[0]! })
      node.pass(100)
      node.runDry()
    }
    expect(served(node, PEERS[0]!)).toBeGreaterThan(9)
    expect(served(node, PEERS[0]!)).toBeLessThanOrEqual(21)
  })

  it('avoids a peer that served bad blocks for one minute, even if no other peer has them', () => {
    const node = new Laggard(source, new Map([[PEERS[0]!, badBody]]))
    node.hint(PEERS[0]!, HEIGHT + 1)
    node.runDry()
    for (let wait = 0; wait < 59; wait++) {
      node.pass(1_000)
      node.hint(PEERS[0]!, HEIGHT + 1)
      node.runDry()
    }
    expect(served(node, PEERS[0]!)).toBe(1)
  })

  it('ignores a claimed height after the peer returns no blocks for it', () => {
    const nothing: Answer = () => []
    const node = new Laggard(source, new Map([[PEERS[2]!, nothing]]))
    node.hint(PEERS[2]!, Number.MAX_SAFE_INTEGER)
    node.runDry()
    expect(node.chain.height).toBe(1)
    expect(isSyncing(node.state.sync, node.state.context)).toBe(false)
    // The same claim within the second asks nothing; an honest one still works.
    node.hint(PEERS[2]!, Number.MAX_SAFE_INTEGER)
    node.runDry()
    expect(node.asked.length).toBe(1)
    node.hint(PEERS[0]!, HEIGHT + 1)
    node.runTo(HEIGHT, 0)
  })

  it('reports that it is behind, and which peers lack its next block, if the other members pruned that block', () => {
    const pruned: Answer = () => []
    const node = new Laggard(source, new Map(PEERS.map((peer) => [peer, pruned])))
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    for (let minute = 0; minute < PEERS.length; minute += 1) {
      node.runDry()
      node.pass(60_000)
    }
    expect(node.chain.height).toBe(1)
    expect(isSyncing(node.state.sync, node.state.context)).toBe(true)
    const lacking = node.reports.filter(({ kind }) => kind === 'lacksBlock')
    expect(new Set(lacking)).toEqual(new Set(PEERS.map((peer) => ({ kind: 'lacksBlock', peer, height: 2 }))))
  })

  it('drops ranges that it did not request', () => {
    const node = new Laggard(source)
    const blocks = source.blocks.slice(0, 3)
    node.input({ type: 'message', from: PEERS[0]!, message: { kind: 'syncResponse', value: { blocks } } })
    node.runDry()
    expect(node.chain.height).toBe(1)
    expect(node.state.sync.blocks.size).toBe(0)
  })

  it('enters sync again whenever it falls behind', () => {
    const node = new Laggard(source)
    node.hint(PEERS[0]!, 100)
    node.runTo(99, 0)
    node.runDry()
    expect(isSyncing(node.state.sync, node.state.context)).toBe(false)
    node.pass(5_000)
    node.hint(PEERS[1]!, HEIGHT + 1)
    node.runTo(HEIGHT, 0)
  })

  it('also fetches the last block if the votes for it were sent during the sync', () => {
    const node = new Laggard(source)
    node.hint(PEERS[0]!, 10)
    node.runTo(8, 0)
    // All that was asked for is here; the claim comes within the second and asks nothing itself.
    node.hint(PEERS[0]!, 11)
    node.runTo(10, 0)
    node.runDry()
    expect(isSyncing(node.state.sync, node.state.context)).toBe(false)
  })

  it('treats a commit certificate from a peer as proof that the peer has that height', () => {
    const node = new Laggard(source)
    node.certificate(PEERS[0]!, 10)
    node.runTo(10, 0)
  })

  it('uses messages of later heights once it has synced there', () => {
    const node = new Laggard(source, new Map([[PEERS[1]!, () => []]]))
    node.hint(PEERS[0]!, 9)
    for (const height of [9, 10]) node.certificate(PEERS[1]!, height)
    node.runTo(8, 0)
    node.runDry()
    // No peer serves the body; the certificate was not lost.
    expect(node.state.decided?.certificate.height).toBe(9)
  })

  it('requests the next blocks at once after valid ones, and otherwise once per second', () => {
    const node = new Laggard(source, new Map([[PEERS[1]!, () => []]]))
    node.hint(PEERS[0]!, 20)
    node.runTo(19, 0)
    node.runDry()
    node.hint(PEERS[0]!, 30)
    node.runTo(29, 0)
    node.runDry()
    const before = served(node, PEERS[1]!)
    for (let claim = 40; claim < 50; claim++) {
      node.hint(PEERS[1]!, claim)
      node.runDry()
    }
    expect(served(node, PEERS[1]!) - before).toBe(1)
  })

  it('requests ahead only within its buffer, but always the next block', () => {
    const node = new Laggard(source, new Map(PEERS.map((peer) => [peer, silent])))
    node.state.sync.bufferedBytes = SYNC_BUFFER_BYTES - SYNC_RANGE_BYTES
    for (const peer of PEERS) node.hint(peer, HEIGHT + 1)
    node.runDry()
    // The second range has the room that is left, less what the first one may bring.
    expect(node.asked.map(({ from }) => from)).toEqual([2])
  })

  it('accepts no block beyond its buffer, except the next one', () => {
    const [first, second] = source.blocks as [CommittedBlock, CommittedBlock]
    const node = new Laggard(source, new Map([[PEERS[0]!, silent]]))
    node.hint(PEERS[0]!, 4)
    node.runDry()
    node.state.sync.bufferedBytes = SYNC_BUFFER_BYTES - first.body.length
    const blocks = [first, second]
    step(node.state, {
      type: 'message',
      from: PEERS[0]!,
      message: { kind: 'syncResponse', value: { blocks } },
      nowMs: 0,
    })
    expect([...node.state.sync.blocks.keys()]).toEqual([2])
  })

  it('drops an oversized response entirely, since any part of it would retain all of its memory', () => {
    const node = new Laggard(source, new Map([[PEERS[0]!, silent]]))
    node.hint(PEERS[0]!, 4)
    node.runDry()
    const [first, second] = source.blocks as [CommittedBlock, CommittedBlock]
    const blocks = [first, { ...second, body: Buffer.alloc(SYNC_RANGE_BYTES) }]
    node.input({ type: 'message', from: PEERS[0]!, message: { kind: 'syncResponse', value: { blocks } } })
    expect([...node.state.sync.blocks.keys()]).toEqual([])
    node.runDry()
    expect(badPeers(node)).toEqual([PEERS[0]])
  })

  it('accepts a single block that is longer than a range', () => {
    const node = new Laggard(source, new Map([[PEERS[0]!, silent]]))
    node.hint(PEERS[0]!, 4)
    node.runDry()
    const [, second] = source.blocks as [CommittedBlock, CommittedBlock]
    node.state.sync.peers.get(PEERS[0]!)!.asked = { from: 3, count: 1, sentAtMs: 0, late: false }
    const blocks = [{ ...second, body: Buffer.alloc(SYNC_RANGE_BYTES + 1) }]
    const message = { kind: 'syncResponse', value: { blocks } } as const
    step(node.state, { type: 'message', from: PEERS[0]!, message, nowMs: 0 })
    expect([...node.state.sync.blocks.keys()]).toEqual([3])
  })

  it('is syncing only if it holds blocks above the height that it decides', () => {
    const node = new Laggard(source)
    const { sync, context } = node.state
    const [block] = source.blocks as [CommittedBlock]
    sync.blocks.set(context.height, { block, from: PEERS[0]!, status: 'verified' })
    expect(isSyncing(sync, context)).toBe(false)
    sync.blocks.set(context.height + 1, { block, from: PEERS[0]!, status: 'verified' })
    expect(isSyncing(sync, context)).toBe(true)
  })

  it('buffers no more messages per member than the limit', () => {
    const node = new Laggard(source, new Map(PEERS.map((peer) => [peer, silent])))
    for (let height = 4; height < 200; height++) for (const peer of PEERS) node.certificate(peer, height)
    expect(node.state.buffered.length).toBe(PEERS.length * 2 * BUFFERED_PER_MEMBER)
  })
})

describe('a node that serves blocks', () => {
  it('forwards stored blocks byte for byte', () => {
    for (const blocks of [[], source.blocks.slice(0, 1), source.blocks.slice(0, SYNC_RANGE_BLOCKS)]) {
      const whole = consensusMessage.encode({ kind: 'syncResponse', value: { blocks } })
      expect(syncResponseBytes(blocks.map((block) => committedBlock.encode(block)))).toEqual(whole)
    }
  })

  it('sends no more blocks than the one-byte count allows', () => {
    const empty = (count: number) => Array.from({ length: count }, () => Buffer.alloc(0))
    expect(syncResponseBytes(empty(127)).at(-1)).toBe(127)
    expect(() => syncResponseBytes(empty(128))).toThrow('a range of 128 blocks')
  })

  const syncRequest = (from: number, count: number): Input => ({
    type: 'message',
    from: PEERS[0]!,
    message: { kind: 'syncRequest', value: { from, count } },
  })
  const node = newState(SELF, source.nextContext(), 0)

  it('sends the requested blocks, at most one range', () => {
    expect(step(node, { ...syncRequest(2, 1_000_000), nowMs: 1 })).toContainEqual({
      type: 'serveBlocks',
      to: PEERS[0],
      from: 2,
      count: SYNC_RANGE_BLOCKS,
    })
    expect(step(node, { ...syncRequest(HEIGHT, 32), nowMs: 1 })).toContainEqual(
      expect.objectContaining({ type: 'serveBlocks', from: HEIGHT, count: 1 }),
    )
  })

  it.each([
    [HEIGHT + 1, 32],
    [0, 32],
    [5, 0],
  ])('responds at once if it has none of the requested blocks: from %i, %i blocks', (from, count) => {
    const [answer] = step(node, { ...syncRequest(from, count), nowMs: 2 })
    expect(answer).toMatchObject({ type: 'send', message: { kind: 'syncResponse', value: { blocks: [] } } })
  })
})
