// Blocks that no honest proposer builds, handed to the work on blocks and the ledger of a node: each is refused for its own reason.

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { u32 } from '../../../src/codec/index.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { type BlockHeader, composeBody, hashOfHeader, type Instruction, instruction } from '../../../src/model/index.js'
import { VerifiedTransactions } from '../../../src/node/admission/verified.js'
import { BlockWork } from '../../../src/node/consensus/block-work.js'
import { DrawUnits } from '../../../src/node/consensus/draw-units.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import {
  codec,
  GENESIS_TIME_MS,
  signedBy,
  type TestAccount,
  type TestPeer,
  temporaryFolder,
  testAccount,
  testGenesis,
  testPeer,
  transferOf,
} from '../../support/chain.js'
import * as core from '../../support/core.js'
import { earlyProofs } from '../../support/early-proofs.js'
import { templateAfter } from '../../support/headers.js'
import { LANES_ON, laneSpecOf, setPolicy, updateLanes } from '../../support/lanes.js'

type Record_ = ReturnType<typeof signedBy>

let peers: TestPeer[]
let crypto: InlineCrypto
let alice: TestAccount
let bob: TestAccount
const cleanup: (() => Promise<void>)[] = []

beforeAll(async () => {
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  crypto = await InlineCrypto.create()
  alice = await testAccount('alice')
  bob = await testAccount('bob')
})
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

/** A node's ledger and its work on blocks over a fresh chain. */
class Node {
  readonly queue = new TransactionQueue()
  readonly dropped: string[] = []
  readonly work: BlockWork
  private constructor(
    readonly ledger: Ledger,
    readonly genesis: Awaited<ReturnType<typeof testGenesis>>,
  ) {
    this.work = new BlockWork({
      ledger,
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
      monotonicMs: () => 0,
      onDivergence: () => undefined,
      onDeferred: () => undefined,
      onDropped: (all) => this.dropped.push(...all.map(({ code }) => code)),
    })
  }

  static async open(
    parameters: Readonly<Record<string, number>> = {},
    extra: readonly Instruction[] = [],
    lanes = false,
  ): Promise<Node> {
    const encoded = Object.entries(parameters).map(([name, value]) => [name, u32.encode(value)] as const)
    const genesis = await testGenesis({
      peers,
      accounts: [alice, bob],
      extra,
      parameters: new Map([...(lanes ? LANES_ON : []), ...encoded]),
    })
    const { path, remove } = await temporaryFolder()
    cleanup.push(remove)
    const ledger = await openLedger({ folder: path, genesis: genesis.genesis, abi: ABI_1 })
    cleanup.push(() => ledger.close())
    return new Node(ledger, genesis)
  }

  /** Result of this node for a block with these records, whatever its header claims besides their number. */
  async execute(records: readonly Record_[], change: Partial<BlockHeader> = {}, lane = 0, certified = false) {
    const tip = await this.ledger.tip()
    const body = composeBody(
      undefined,
      [],
      records.map(({ bytes }) => ({ lane, dataspace: 0n, bytes })),
    )
    const template = templateAfter(tip, this.genesis.genesis)
    const header = { ...template, transactionCount: records.length, ...change }
    const effect = { type: 'execute', header, body, blockHash: hashOfHeader(header), certified } as const
    return this.work.execute(effect, { parent: undefined, isVerified: () => false, limits: tip.limits })
  }

  /** The header of an honest block. */
  async built(records: readonly Record_[]): Promise<BlockHeader> {
    const body = composeBody(
      undefined,
      [],
      records.map(({ bytes }) => ({ lane: 0, dataspace: 0n, bytes })),
    )
    const tip = await this.ledger.tip()
    const header = templateAfter(tip, this.genesis.genesis)
    const answer = await this.ledger.build({ header, body, hashes: flatHashes(records) })
    if (answer.header === undefined) throw new Error(JSON.stringify(answer.invalid))
    return answer.header
  }

  /** Queue records at an outdated cost, and build a block; returns its transactions. */
  async draw(records: readonly (Pick<Record_, 'id' | 'signedHash' | 'bytes'> & { readonly teu: number })[]) {
    for (const record of records) {
      const place = { authority: alice.id, route: { lane: 0, dataspace: 0n }, work: 0, proofWork: 0 }
      const entry: QueuedTransaction = { ...record, ...place, expiresAtMs: GENESIS_TIME_MS + 50_000, enteredAtMs: 0 }
      expect(this.queue.push(entry)).toBeUndefined()
    }
    const tip = await this.ledger.tip()
    const { timeMs, ...template } = templateAfter(tip, this.genesis.genesis)
    const effect = {
      type: 'build',
      view: 0,
      allowEmpty: false,
      directBytes: Number.MAX_SAFE_INTEGER,
      template: { ...template, parentTimeMs: timeMs - 10 },
    }
    const block = await this.work.build(effect as never, undefined, tip)
    return block?.header.transactionCount
  }
}

const pay = (amount = 1n) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], GENESIS_TIME_MS)
const many = (count: number) => Array.from({ length: count }, () => pay())
const notes = (count: number) => {
  const list = Array.from({ length: count }, () => core.log('x'.repeat(1_024)))
  return signedBy(alice, list, GENESIS_TIME_MS)
}

describe('a voter rejects a block', () => {
  it('with a transaction not signed by its authority', async () => {
    const node = await Node.open()
    const thief: TestAccount = { ...alice, pair: { ...alice.pair, secret: bob.pair.secret } }
    const theft = signedBy(thief, [transferOf(alice.id, bob.id, 500n)], GENESIS_TIME_MS)
    const header = { ...(await node.built([pay()])), transactionCount: 2 }
    expect(await node.execute([pay(), theft], header)).toMatchObject({
      ok: false,
      reason: 'validationReject',
      detail: expect.stringContaining('has an invalid signature'),
    })
  })

  it('with results that do not match its transactions', async () => {
    const node = await Node.open()
    const record = pay()
    const header = await node.built([record])
    expect(await (await Node.open()).execute([record], { ...header, resultsRoot: Buffer.alloc(32, 7) })).toMatchObject({
      ok: false,
      reason: 'stateMismatch',
      detail: expect.stringContaining('resultsRoot'),
    })
  })

  it.each([
    ['execution units', { block_teu: 1_000 }, () => many(10), {}],
    ['transactions', { block_max_transactions: 5 }, () => many(6), {}],
    ['a body of', { max_block_bytes: 1024 * 1024 }, () => [notes(560), notes(560)], {}],
    ['execution units', { block_teu: 40_000 }, () => many(100), { originView: 2 }],
    ['transactions', {}, () => many(5), { originView: 7 }],
    ['transactions', {}, () => many(1), { originView: 8 }],
  ])('that exceeds the limits of a block: %s', async (text, parameters, records, change) => {
    const node = await Node.open(parameters)
    const refusal = { ok: false, reason: 'validationReject', detail: expect.stringContaining(text) }
    expect(await node.execute(records(), change)).toMatchObject(refusal)
    // Its execution checks again, also for a trusted source.
    expect(await node.execute(records(), change, 0, true)).toMatchObject(refusal)
  })

  it.each<[string, Partial<BlockHeader>, string]>([
    ['by the transactions of its header', {}, '6 transactions, at most 5'],
    [
      'by more transactions than its header declares',
      { transactionCount: 3 },
      'does not decode, or exceeds its header',
    ],
    ['by its bytes', { transactionCount: 5, payloadBytes: 2_000_000 }, 'a body of 2000000 bytes'],
  ])('that is too large %s, before any signature is verified', async (_, change, text) => {
    const verify = vi.spyOn(crypto, 'verifyBatch')
    cleanup.push(async () => verify.mockRestore())
    const node = await Node.open({ block_max_transactions: 5, max_block_bytes: 1024 * 1024 })
    expect(await node.execute(many(6), change)).toMatchObject({ ok: false, detail: expect.stringContaining(text) })
    expect(verify).not.toHaveBeenCalled()
  })

  it('whose signatures alone exceed its execution units, before any signature is verified', async () => {
    const verify = vi.spyOn(crypto, 'verifyBatch')
    cleanup.push(async () => verify.mockRestore())
    const node = await Node.open({ block_teu: 1_000 })
    expect(await node.execute(many(17))).toMatchObject({
      detail: 'signatures of 1020 execution units exceed the limit of 1000',
    })
    expect(verify).not.toHaveBeenCalled()
  })

  it('with an invalid signature, and verifies signatures in groups while the view lasts', async () => {
    const asked: number[] = []
    const verify = vi.spyOn(crypto, 'verifyBatch').mockImplementation(async (items) => {
      asked.push(items.length)
      return items.map(() => asked.length < 2)
    })
    cleanup.push(async () => verify.mockRestore())
    const node = await Node.open({ block_max_transactions: 800 })
    expect(await node.execute(many(600))).toMatchObject({ detail: expect.stringContaining('has an invalid signature') })
    expect(asked).toEqual([256, 256])
    node.work.enterView({ height: 2, view: 1, kept: undefined })
    expect(await node.execute(many(600))).toEqual({ ok: false, reason: 'viewPassed' })
    expect(asked).toHaveLength(2)
  })

  it('whose pairing checks together exceed the work limit of a block', async () => {
    const node = await Node.open()
    const register = async (index: number): Promise<Record_> => {
      const { peer } = await testPeer(index)
      return signedBy(
        node.genesis.admin,
        [instruction(peerInstructions.registerPeer, { peer, force: false })],
        GENESIS_TIME_MS,
      )
    }
    const two = await Promise.all([register(7), register(8)])
    expect(await node.execute(two)).toMatchObject({ ok: false, detail: expect.stringContaining('of work') })
    expect(await node.execute(two.slice(0, 1))).toMatchObject({ ok: false, reason: 'stateMismatch' })
  })

  it('with a lane above its capacity', async () => {
    const lane = { add: [laneSpecOf(1, { teuCapacity: 300 })] }
    const policy = setPolicy(1, [{ lane: 1, account: { kind: 'account', value: alice.id } }])
    const node = await Node.open({}, [updateLanes(lane), policy], true)
    expect(await node.execute(many(3), {}, 1)).toMatchObject({
      ok: false,
      reason: 'validationReject',
      detail: expect.stringContaining('exceeds its 300 execution units'),
    })
  })
})

describe('a block builder', () => {
  it('ends its block before the transaction that exceeds the execution units, and keeps the rest queued', async () => {
    const list = [core.batch(...Array.from({ length: 60 }, () => [alice.id, bob.id, 1n] as const))]
    const trigger = core.registerTrigger('heavy', alice.id, core.BY_CALL, list)
    const node = await Node.open({ block_teu: 2_000, max_teu_per_tx: 10_000 }, [trigger])
    const call = () => signedBy(alice, [core.callTrigger('heavy')], GENESIS_TIME_MS)
    const records = [call(), call(), pay()].map((record) => ({ ...record, teu: 300 }))
    expect(await node.draw(records)).toBe(1)
    expect([node.queue.size, node.dropped]).toEqual([3, []])
    const forged = await node.execute([call(), call()])
    expect(forged).toMatchObject({ ok: false, detail: expect.stringContaining('transaction 1: teu_exhausted') })
  })

  it('draws fewer units after a block that ran out of them, and more again after some blocks', async () => {
    const list = [core.batch(...Array.from({ length: 60 }, () => [alice.id, bob.id, 1n] as const))]
    const trigger = core.registerTrigger('heavy', alice.id, core.BY_CALL, list)
    const node = await Node.open({ block_teu: 2_000, max_teu_per_tx: 10_000 }, [trigger])
    const build = vi.spyOn(node.ledger, 'build')
    const calls = [1, 2].map(() => ({
      ...signedBy(alice, [core.callTrigger('heavy')], GENESIS_TIME_MS),
      teu: 900,
    }))
    const executions: number[] = []
    for (const records of [calls, [], [], [], []]) {
      expect(await node.draw(records)).toBe(1)
      executions.push(build.mock.calls.length)
      build.mockClear()
    }
    expect(executions).toEqual([2, 1, 1, 1, 2])
  })

  it('draws at least half of the unit limit, even after cheap transactions that needed much work', () => {
    const units = new DrawUnits()
    expect(units.within(2_000)).toBe(2_000)
    units.ranOutAt(1, [{ teu: 10 }, { teu: 10 }])
    expect([units.within(2_000), units.within(1_000)]).toEqual([1_000, 500])
    for (let fitted = 0; fitted < 60; fitted += 1) units.fitted()
    expect(units.within(2_000)).toBe(2_000)
  })

  it('keeps transactions queued that no longer fit because costs have risen', async () => {
    const node = await Node.open({ block_teu: 1_000 })
    expect(await node.draw(many(12).map((record) => ({ ...record, teu: 1 })))).toBe(8)
    expect([node.queue.size, node.dropped]).toEqual([12, []])
  })

  it('drops transactions that the active ABI cannot decode, and includes the others', async () => {
    const node = await Node.open()
    const lost = { id: Buffer.alloc(32, 1), signedHash: Buffer.alloc(32, 2), bytes: Buffer.alloc(90, 3), teu: 1 }
    expect(await node.draw([{ ...pay(), teu: 240 }, lost, { ...pay(), teu: 240 }])).toBe(2)
    expect([node.queue.size, node.dropped.length]).toEqual([2, 1])
  })
})
