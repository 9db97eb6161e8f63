// A transaction that took too long in a block is skipped by the next blocks of this node; others are not.
import { beforeAll, describe, expect, it } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { type BlockHeader, composeBody, hashOfHeader } from '../../../src/model/index.js'
import { VerifiedTransactions } from '../../../src/node/admission/verified.js'
import { BlockWork, type BlockWorkModules } from '../../../src/node/consensus/block-work.js'
import type { LedgerRequest } from '../../../src/node/ledger/protocol.js'
import { type ExecutionTime, NO_TIME, SLOW_MS } from '../../../src/node/ledger/watch.js'
import { PAUSE_MS, TransactionQueue } from '../../../src/queue/index.js'
import { codec, GENESIS_TIME_MS, signedBy, transferOf } from '../../support/chain.js'
import { earlyProofs } from '../../support/early-proofs.js'
import { templateAfter } from '../../support/headers.js'
import { LedgerBench } from '../../support/ledger-bench.js'

let crypto: InlineCrypto
let bench: LedgerBench
let first: BlockHeader
let tip: Awaited<ReturnType<Awaited<ReturnType<LedgerBench['open']>>['tip']>>
beforeAll(async () => {
  crypto = await InlineCrypto.create()
  bench = await LedgerBench.create()
  tip = await (await bench.open('tip')).tip()
  first = { ...templateAfter(tip, bench.genesis), transactionCount: 4 }
  return () => bench.close()
})

/** A node whose ledger takes what it is told to take, with so many queued transactions. */
class Node {
  nowMs = 0
  took: ExecutionTime = NO_TIME
  /** Called while the ledger works. */
  meanwhile: () => void = () => undefined
  readonly queue = new TransactionQueue()
  readonly work: BlockWork
  readonly records = Array.from({ length: 4 }, () =>
    signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, 1n)], GENESIS_TIME_MS),
  )

  constructor() {
    for (const record of this.records) {
      const place = {
        authority: bench.alice.id,
        route: { lane: 0, dataspace: 0n },
        teu: 100,
        work: 0,
        proofWork: 0,
        enteredAtMs: 0,
      }
      this.queue.push({ ...record, ...place, expiresAtMs: GENESIS_TIME_MS + 50_000 })
    }
    const ledger: Partial<BlockWorkModules['ledger']> = {
      build: async ({ header }: LedgerRequest<'build'>) => {
        this.meanwhile()
        return { header, invalid: [], isUnreadable: false, claims: [], took: this.took }
      },
      execute: async () => {
        this.meanwhile()
        return {
          ok: true,
          mismatch: false,
          detail: '',
          report: undefined,
          reportFault: undefined,
          isEnded: false,
          claims: [],
          took: this.took,
        }
      },
      enterView: () => undefined,
    }
    this.work = new BlockWork({
      ledger: ledger as BlockWorkModules['ledger'],
      crypto,
      proofs: earlyProofs(),
      queue: this.queue,
      verified: new VerifiedTransactions(),
      evidenceForBlock: async () => [],
      codec,
      routing: { ready: Promise.resolve(), reroute: async () => undefined },
      reconsider: async () => undefined,
      mustPass: () => false,
      wallMs: () => GENESIS_TIME_MS + 10,
      monotonicMs: () => this.nowMs,
      onDivergence: () => undefined,
      onDeferred: () => undefined,
      onDropped: () => undefined,
    })
  }

  /** Transactions of the next block of this node, undefined for none. */
  async build(view = 0): Promise<number | undefined> {
    const { timeMs, ...template } = first
    const effect = {
      type: 'build',
      view,
      allowEmpty: view > 0,
      directBytes: Number.MAX_SAFE_INTEGER,
      template: { ...template, originView: view, parentTimeMs: timeMs - 10 },
    } as const
    const block = await this.work.build(effect, undefined, tip)
    if (block === undefined) return undefined
    return this.records.filter(({ bytes }) => Buffer.from(block.body).includes(Buffer.from(bytes))).length
  }

  /** Executes a block of all its transactions. */
  async execute(certified = false) {
    const body = composeBody(
      undefined,
      [],
      this.records.map(({ bytes }) => ({ lane: 0, dataspace: 0n, bytes })),
    )
    const effect = { type: 'execute', header: first, body, blockHash: hashOfHeader(first), certified } as const
    return this.work.execute(effect, { parent: undefined, isVerified: () => false, limits: tip.limits })
  }

  enter(view: number, kept?: Uint8Array): void {
    this.work.enterView({ height: first.height, view, kept })
  }
}

describe('a transaction that executed slowly on this node', () => {
  it('is left out of the next blocks of this node, but its neighbours are not', async () => {
    const node = new Node()
    node.took = { ms: 400, slow: [2] }
    expect(await node.execute()).toEqual({ ok: true })
    node.took = NO_TIME
    expect(await node.build()).toBe(3)
    node.nowMs = 2 * PAUSE_MS
    expect(await node.build()).toBe(4)
  })

  it('is left out of the next block even if this node has just proposed it, since that block may fail', async () => {
    const node = new Node()
    node.took = { ms: 400, slow: [0] }
    expect(await node.build()).toBe(4)
    node.took = NO_TIME
    expect(await node.build(1)).toBe(3)
  })

  it('is the only skipped transaction if the execution of its block outlasted the view', async () => {
    const node = new Node()
    node.took = { ms: 4_000, slow: [1] }
    node.meanwhile = () => node.enter(1)
    await node.execute()
    expect(await node.build(1)).toBe(3)
  })
})

describe('a block whose execution outlasted its view', () => {
  it('has all its transactions skipped for a while if none of them was slow by itself', async () => {
    const node = new Node()
    node.enter(0)
    node.took = { ms: SLOW_MS + 1, slow: [] }
    node.meanwhile = () => node.enter(1)
    await node.execute()
    expect(node.queue.readyAt(node.nowMs).pending).toBe(false)
    expect(await node.build(0)).toBeUndefined()
    expect(await node.build(1)).toBe(0)
    node.nowMs = 2 * PAUSE_MS
    expect(node.queue.readyAt(node.nowMs).pending).toBe(true)
    node.took = NO_TIME
    expect(await node.build(0)).toBe(4)
  })

  it('has all its transactions skipped even if this node built the block', async () => {
    const node = new Node()
    node.took = { ms: SLOW_MS + 1, slow: [] }
    node.meanwhile = () => node.enter(1)
    await node.build()
    expect(await node.build(1)).toBe(0)
  })

  it.each([
    ['arrived late or waited for votes', SLOW_MS, false, false],
    ['is kept by a prepare certificate', 4_000, true, false],
    ['is certified', 4_000, false, true],
  ])('has none of its transactions skipped if it %s', async (_, ms, isKept, certified) => {
    const node = new Node()
    node.took = { ms, slow: [] }
    node.meanwhile = () => node.enter(1, isKept ? hashOfHeader(first) : undefined)
    await node.execute(certified)
    expect(await node.build(1)).toBe(4)
  })
})
