/** Trials on their thread: the answers of the calling thread, the state of the last block, and an end beyond their bounds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abiScheduleOf } from '../../src/executor/index.js'
import { ABI_1 } from '../../src/features/abi.js'
import { signedTransaction } from '../../src/model/index.js'
import type { Ledger } from '../../src/node/ledger/ledger.js'
import { TRIAL_LIMITS, TrialThread } from '../../src/node/trials/thread.js'
import { type TrialWork, trialsBeside } from '../../src/node/trials/trials.js'
import { codec, signedBy, transferOf } from '../support/chain.js'
import { LedgerBench } from '../support/ledger-bench.js'

/** The thread outside of the bundle, which loads the same native database library as the ledger of this test. */
const ENTRY = new URL('../../dist/src/node/trials/worker.js', import.meta.url)

let bench: LedgerBench
let ledger: Ledger
let thread: TrialThread
beforeAll(async () => {
  bench = await LedgerBench.create()
  ledger = await bench.open('one')
  thread = new TrialThread(place(), ledger, TRIAL_LIMITS, ENTRY)
})
afterAll(async () => {
  await thread.close()
  await bench.close()
})

const place = () => ({ folder: bench.folder('one'), genesisAbi: ABI_1.number })

async function transfer(units: bigint) {
  const { header } = await ledger.tip()
  return signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, units)], header.timeMs)
}

function dryRunOf(record: ReturnType<typeof signedBy>): TrialWork {
  const signed = signedTransaction.decode(record.bytes, codec)
  if (!signed.ok) throw new Error(signed.fault.message)
  return { kind: 'dryRun', payload: Buffer.from(signed.value.payload.bytes), timeMs: 0 }
}

/** Commits a block with one transfer. */
async function commit(units: bigint): Promise<void> {
  await bench.commit(ledger, await bench.build(ledger, [await transfer(units)]))
}

describe('the trial thread', () => {
  it('returns the same results as the calling thread, block after block', async () => {
    const beside = trialsBeside(ledger, abiScheduleOf({ abi: ABI_1 }))
    for (const units of [1n, 2n, 3n]) {
      const work = dryRunOf(await transfer(units + 10n))
      const answer = await thread.run(work)
      expect(answer).toEqual(new Uint8Array(await beside.run(work).then((bytes) => bytes ?? Buffer.alloc(0))))
      await commit(units)
    }
    await beside.close()
  })

  it('refuses a committed transaction as soon as its commit is acknowledged', async () => {
    const record = await transfer(21n)
    await bench.commit(ledger, await bench.build(ledger, [record]))
    await expect(thread.run(dryRunOf(record))).rejects.toMatchObject({ code: 'already_committed' })
  })

  it('returns the errors of the catalogue', async () => {
    const work = { kind: 'query', query: 'none', input: Buffer.alloc(0) } as const
    await expect(thread.run(work)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('aborts a trial at its timeout, and runs the next one on a new thread', async () => {
    const hasty = new TrialThread(place(), ledger, { ...TRIAL_LIMITS, timeoutMs: 1 }, ENTRY)
    try {
      const work = dryRunOf(await transfer(31n))
      await expect(hasty.run(work)).rejects.toMatchObject({ code: 'trial_too_large' })
      await expect(hasty.run(work)).rejects.toMatchObject({ code: 'trial_too_large' })
    } finally {
      await hasty.close()
    }
    expect(await thread.run(dryRunOf(await transfer(32n)))).toBeDefined()
    await commit(33n)
  })

  it('is terminated beyond its memory limit, and the node continues', async () => {
    const memory = { maxOldGenerationSizeMb: 4, maxYoungGenerationSizeMb: 1 }
    const small = new TrialThread(place(), ledger, { ...TRIAL_LIMITS, memory }, ENTRY)
    try {
      await expect(small.run(dryRunOf(await transfer(41n)))).rejects.toMatchObject({ code: 'trial_too_large' })
    } finally {
      await small.close()
    }
    await commit(42n)
  })
})
