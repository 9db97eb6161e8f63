// A block is committed by its hash: what the ledger keeps of it, and when its body is needed again.
import { cp } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { hashOfHeader } from '../../../src/model/index.js'
import { VerifiedTransactions } from '../../../src/node/admission/verified.js'
import { BlockWork, type ChainFacts } from '../../../src/node/consensus/block-work.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import type { LedgerMethod } from '../../../src/node/ledger/protocol.js'
import { TransactionQueue } from '../../../src/queue/index.js'
import { codec, GENESIS_TIME_MS, signedBy, transferOf } from '../../support/chain.js'
import { earlyProofs } from '../../support/early-proofs.js'
import { uncheckedCertificate } from '../../support/headers.js'
import { type BenchBlock, LedgerBench } from '../../support/ledger-bench.js'

let bench: LedgerBench
let builder: Ledger
let voter: Ledger
let tests = 0
beforeAll(async () => {
  bench = await LedgerBench.create()
})
beforeEach(async () => {
  tests += 1
  builder = await bench.open(`builder-${tests}`)
  voter = await bench.open(`voter-${tests}`)
})
afterAll(() => bench.close())

/** A block of the next height; every one is of another branch. */
const branch = (amount: bigint): Promise<BenchBlock> =>
  bench.build(builder, [signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, amount)], GENESIS_TIME_MS)])
const executionOf = (one: BenchBlock) => ({ ...one, blockHash: hashOfHeader(one.header), certified: false })
const certifiedOf = ({ header }: BenchBlock) => ({ header, certificate: uncheckedCertificate(header) })

/** Four younger candidates of the same height, which is as many as a ledger keeps. */
async function evict(ledger: Ledger): Promise<void> {
  for (const amount of [91n, 92n, 93n, 94n])
    expect(await ledger.execute(executionOf(await branch(amount)))).toMatchObject({ ok: true })
}

describe('a commit by block hash', () => {
  it('succeeds if the ledger built or executed the block', async () => {
    const one = await branch(1n)
    await voter.execute(executionOf(one))
    for (const ledger of [builder, voter]) {
      const { tip } = await ledger.commit({ certified: certifiedOf(one) })
      expect(tip?.stateRoot).toEqual(one.header.stateRoot)
      expect(tip?.height).toBe(one.header.height)
    }
  })

  it('selects the certified block among several candidates of a height', async () => {
    const [first, second, third] = [await branch(1n), await branch(2n), await branch(3n)]
    for (const one of [first, second, third]) await voter.execute(executionOf(one))
    const { tip } = await voter.commit({ certified: certifiedOf(second) })
    expect(tip?.stateRoot).toEqual(second.header.stateRoot)
    expect(hashOfHeader((await voter.tip()).header)).toEqual(hashOfHeader(second.header))
    // The others are of a height that is over.
    expect(await voter.commit({ certified: certifiedOf(first) })).toEqual({ tip: undefined })
    expect((await voter.tip()).height).toBe(second.header.height)
  })

  it('reports an evicted candidate, without changes', async () => {
    const one = await branch(1n)
    await voter.execute(executionOf(one))
    await evict(voter)
    const before = await voter.tip()
    expect(await voter.commit({ certified: certifiedOf(one) })).toEqual({ tip: undefined })
    expect(await voter.tip()).toEqual(before)
    expect(await voter.commitBody({ certified: certifiedOf(one), body: one.body })).toMatchObject({
      height: one.header.height,
      stateRoot: one.header.stateRoot,
    })
  })

  it('reaches the same roots after the process is killed between the eviction report and the body', async () => {
    const one = await branch(1n)
    await voter.execute(executionOf(one))
    await evict(voter)
    expect(await voter.commit({ certified: certifiedOf(one) })).toEqual({ tip: undefined })
    // Files as a killed process leaves them: the current ones.
    await cp(bench.folder(`voter-${tests}`), bench.folder('killed'), { recursive: true })
    const again = await openLedger({ folder: bench.folder('killed'), genesis: bench.genesis, abi: ABI_1 })
    expect(await again.commit({ certified: certifiedOf(one) })).toEqual({ tip: undefined })
    const { stateRoot } = await again.commitBody({ certified: certifiedOf(one), body: one.body })
    expect(Buffer.from(stateRoot)).toEqual(Buffer.from(one.header.stateRoot))
    await again.close()
  })

  it('rejects a body that does not execute to the certified roots', async () => {
    const [one, other] = [await branch(1n), await branch(2n)]
    const refused = voter.commitBody({ certified: certifiedOf(one), body: other.body })
    await expect(refused).rejects.toMatchObject({ code: 'state_divergence' })
    expect((await voter.tip()).height).toBe(one.header.height - 1)
  })
})

describe('the block worker sends the body of a block to the ledger', () => {
  /** Work on blocks over a ledger; says which methods were called. */
  async function worker(
    ledger: Ledger,
  ): Promise<{ readonly work: BlockWork; readonly calls: LedgerMethod[]; readonly facts: ChainFacts }> {
    const calls: LedgerMethod[] = []
    const crypto = await InlineCrypto.create()
    const counted = <Q, R>(method: LedgerMethod, run: (request: Q) => R): ((request: Q) => R) => {
      return (request) => {
        calls.push(method)
        return run(request)
      }
    }
    const work = new BlockWork({
      ledger: {
        build: counted('build', (request) => ledger.build(request)),
        execute: counted('execute', (request) => ledger.execute(request)),
        commit: counted('commit', (request) => ledger.commit(request)),
        commitBody: counted('commitBody', (request) => ledger.commitBody(request)),
        evidence: (request) => ledger.evidence(request),
        enterView: (place) => ledger.enterView(place),
      },
      crypto,
      proofs: earlyProofs(),
      queue: new TransactionQueue(),
      verified: new VerifiedTransactions(),
      evidenceForBlock: async () => [],
      codec,
      routing: { ready: Promise.resolve(), reroute: async () => undefined },
      reconsider: async () => undefined,
      mustPass: () => false,
      wallMs: () => GENESIS_TIME_MS,
      monotonicMs: () => 0,
      onDivergence: () => undefined,
      onDeferred: () => undefined,
      onDropped: () => undefined,
    })
    const { limits } = await ledger.tip()
    return { work, calls, facts: { parent: undefined, isVerified: () => false, limits } }
  }

  const effectOf = (one: BenchBlock) => ({ ...executionOf(one), type: 'execute' as const })

  it('once, in the execution request', async () => {
    const { work, calls, facts } = await worker(voter)
    const one = await branch(1n)
    expect(await work.execute(effectOf(one), facts)).toEqual({ ok: true })
    const { tip, content } = await work.commit(certifiedOf(one), one.body)
    expect(calls).toEqual(['execute', 'commit'])
    expect(tip.stateRoot).toEqual(one.header.stateRoot)
    expect(content).toHaveLength(1)
  })

  it('a second time only if the ledger evicted the candidate', async () => {
    const { work, calls, facts } = await worker(voter)
    const one = await branch(1n)
    await work.execute(effectOf(one), facts)
    await evict(voter)
    const { tip } = await work.commit(certifiedOf(one), one.body)
    expect(calls).toEqual(['execute', 'commit', 'commitBody'])
    expect(tip.stateRoot).toEqual(one.header.stateRoot)
  })
})
