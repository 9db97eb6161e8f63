/** Queries of a node to its ledger about epochs: for a scrape of metrics, and for its own duties. */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import { ValidatorDuties } from '../../../src/features/staking/node/duties.js'
import { epochMetrics } from '../../../src/features/staking/node/metrics.js'
import type { DutyView, StakingEpochView } from '../../../src/features/staking/schema/views.js'

const logger = pino({ level: 'silent' })

describe('metrics of staking epochs', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('count each weak seed once, also for epochs between two scrapes, and run no queries without a scrape', async () => {
    vi.useFakeTimers()
    let [height, epoch, asked] = [1, 0, 0]
    const weakEpochs = [3, 5, 6]
    const services = {
      metrics: new Registry(),
      height: () => height,
      queries: () => new Map([['stakingEpoch', true]]),
      query: async (_: unknown, { epoch: of }: { epoch: number | undefined }): Promise<Partial<StakingEpochView>> => {
        asked += 1
        const number = of ?? epoch
        const record = { weak: weakEpochs.includes(number) ? 'weak' : 'strong' } as StakingEpochView['record']
        return { epoch: number, commits: 2, reveals: 1, keptElections: 0, record }
      },
    }
    epochMetrics(services as unknown as NodeServices, logger)
    const scrape = async (at: number): Promise<string[]> => {
      height += 1
      epoch = at
      await vi.advanceTimersByTimeAsync(1_000)
      return (await services.metrics.metrics()).split('\n')
    }
    const weak: (string | undefined)[] = []
    for (const at of [3, 3, 6, 9, 9]) {
      const lines = await scrape(at)
      expect(lines).toContain(`consensus_epoch ${at}`)
      weak.push(lines.find((line) => line.startsWith('consensus_weak_epochs')))
    }
    expect(weak.map((line) => Number(line?.split(' ')[1]))).toEqual([1, 1, 3, 3, 3])
    const before = asked
    height += 1_000
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(before)
  })
})

describe('duties of a validator', () => {
  it('are checked every eighth block before the account operates a validator, and each block afterwards', async () => {
    let owed: Partial<DutyView> | undefined
    let [height, asked] = [1, 0]
    let commit = (): void => undefined
    const services = {
      height: () => height,
      queries: () => new Map([['stakingDuty', true]]),
      validatorSigner: { account: 'a' },
      onCommit: (listener: () => void) => {
        commit = listener
        return () => undefined
      },
      query: async () => {
        asked += 1
        return owed
      },
    }
    const duties = new ValidatorDuties(services as unknown as NodeServices, logger)
    const askedIn = async (blocks: number): Promise<number> => {
      const before = asked
      for (let at = 0; at < blocks; at++) {
        height += 1
        commit()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return asked - before
    }
    expect(await askedIn(80)).toBe(9)
    owed = { epoch: 1, duties: [] }
    expect(await askedIn(8)).toBeGreaterThan(0)
    expect(await askedIn(20)).toBe(20)
    owed = undefined
    expect(await askedIn(80)).toBeLessThan(12)
    duties.close()
  })
})
