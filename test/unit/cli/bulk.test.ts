/** Many submissions: each counted once by what became of it, and timed from when it was due, or not at all. */
import { describe, expect, it } from 'vitest'
import { type BulkOptions, submitBulk } from '../../../src/cli/bulk/bulk.js'
import type { BulkItem } from '../../../src/cli/bulk/source.js'
import type { CausewayClient, EventItem, TransactionState } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/index.js'
import { PATIENCE_MS, pause } from '../../support/ports.js'

const hashOf = (at: number): string => at.toString(16).padStart(64, '0')
/** Time for which a run waits for events of lost transactions, in ms: events of the others arrive within a few. */
const EVENTS_MS = 2_000
/** Time for which the client retries, in ms. */
const LOST_MS = 50
const NO_BYTES = Buffer.alloc(0)
const lost = (): LedgerError => new LedgerError('unreachable', 'no answer', { details: { may_have_arrived: true } })
const refusedAtOnce = (): LedgerError => new LedgerError('unreachable', 'nobody listens')

/** A client whose node takes what `submit` lets pass, and commits it `commitMs` later. */
function clientWith(submit: (at: number) => LedgerError | undefined, commitMs = 5) {
  const states = new Map<string, TransactionState>()
  const events: EventItem[] = []
  let wake = (): void => {}
  const end = (hash: string, status: 'approved' | 'expired'): void => {
    states.set(hash, status === 'approved' ? { state: status, height: 2 } : { state: status })
    const value = { hash: Buffer.from(hash, 'hex'), status, blockHeight: 2 }
    events.push({ kind: 'event', value: { id: '2.0', event: { kind: 'transaction', value } } } as unknown as EventItem)
    wake()
  }
  const approve = (hash: string, isReported: boolean): void => {
    if (isReported) end(hash, 'approved')
    else states.set(hash, { state: 'approved', height: 2 })
  }
  const client = {
    height: async () => 1,
    async *events({ signal }: { signal: AbortSignal }) {
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      while (!signal.aborted) {
        const next = events.shift()
        if (next !== undefined) yield next
        else await Promise.race([ended, new Promise<void>((resolve) => (wake = resolve))])
      }
    },
    submitTransaction: async (bytes: Uint8Array) => {
      const at = Number(Buffer.from(bytes).toString())
      const error = submit(at)
      if (error === undefined && !states.has(hashOf(at))) setTimeout(() => approve(hashOf(at), true), commitMs)
      // Lost transactions were waited for and retried; others complete meanwhile.
      await pause(error === undefined ? 1 : LOST_MS)
      if (error !== undefined) throw error
      return { receipt: {} }
    },
    transactionStatus: async (hash: string) => states.get(hash) ?? { state: 'unknown' },
  } as unknown as CausewayClient
  return { client, approve, end }
}

async function* items(count: number): AsyncGenerator<BulkItem, void> {
  for (let at = 0; at < count; at += 1) yield { place: `payment ${at}`, bytes: NO_BYTES }
}

async function run(client: CausewayClient, count: number, options: Partial<BulkOptions> = {}) {
  const latencies: (number | undefined)[] = []
  let at = 0
  const report = await submitBulk(client, items(count), {
    wait: 'committed',
    rate: undefined,
    window: 1_000,
    timeoutMs: PATIENCE_MS,
    prove: false,
    sign: async () => ({ hash: hashOf(at), bytes: Buffer.from(String(at++)), expiresAtMs: 0 }),
    onProgress: () => {},
    onCommitted: (latencyMs) => latencies.push(latencyMs),
    signal: new AbortController().signal,
    expected: () => count,
    ...options,
  })
  return { report, latencies }
}

describe('a submission without a response', () => {
  it('is committed by its event if it arrived, and the others continue', async () => {
    const fake = clientWith((at) => {
      if (at !== 1) return undefined
      setTimeout(() => fake.approve(hashOf(1), true), 2 * LOST_MS)
      return lost()
    })
    const { report, latencies } = await run(fake.client, 4)
    expect(report).toMatchObject({ transactions: 4, counts: { approved: 4 }, failures: [], exit: 0 })
    expect(latencies).not.toContain(undefined)
    expect(latencies).toHaveLength(4)
  })

  it('is found by its hash if it arrived without an event, and is counted but excluded from latencies', async () => {
    const fake = clientWith((at) => {
      if (at !== 1) return undefined
      fake.approve(hashOf(1), false)
      return lost()
    })
    const { report, latencies } = await run(fake.client, 3, { timeoutMs: EVENTS_MS })
    expect(report).toMatchObject({ counts: { approved: 3 }, failures: [] })
    expect(latencies.filter((one) => one === undefined)).toHaveLength(1)
  })

  it('is reported as pending if it cannot be found, independent of the others', async () => {
    const fake = clientWith((at) => (at === 1 ? lost() : undefined))
    const { report, latencies } = await run(fake.client, 3, { timeoutMs: EVENTS_MS })
    expect(report).toMatchObject({ counts: { approved: 2, pending: 1 }, exit: 8 })
    expect(report.failures).toMatchObject([{ place: 'payment 1', hash: hashOf(1), error: { code: 'pending' } }])
    expect(latencies).toHaveLength(2)
  })

  it('is a failure if it never left this machine, and no more is sent to a lost node', async () => {
    const { client } = clientWith(refusedAtOnce)
    const { report } = await run(client, 50, { window: 1 })
    expect(report).toMatchObject({ transactions: 1, counts: { unreachable: 1 }, stopped: 'nobody listens', exit: 5 })
  })
})

it('a payment sent later than its rate requires is timed from its due time', async () => {
  const SIGN_MS = 30
  const { client } = clientWith(() => undefined, 0)
  let at = 0
  const sign = async () => {
    // Slow signing delays everything, as on a slow machine.
    const untilMs = performance.now() + SIGN_MS
    while (performance.now() < untilMs);
    return { hash: hashOf(at), bytes: Buffer.from(String(at++)), expiresAtMs: 0 }
  }
  const { latencies } = await run(client, 10, { rate: 1_000, sign })
  const measured = latencies.map((one) => one ?? 0)
  expect(Math.max(...measured)).toBeGreaterThan(5 * SIGN_MS)
})

describe('an expired status reported by the gateway for a payment', () => {
  const expired = async (expiresAtMs: number) => {
    const { client, end } = clientWith(() => undefined)
    end(hashOf(0), 'expired')
    const sign = async () => ({ hash: hashOf(0), bytes: NO_BYTES, expiresAtMs })
    return (await run(client, 1, { sign, timeoutMs: EVENTS_MS })).report
  }

  it('is not trusted while the payment may still be executed, because a retry could pay twice', async () => {
    const { failures } = await expired(Number.MAX_SAFE_INTEGER / 2 ** 10)
    expect(failures).toMatchObject([{ hash: hashOf(0), error: { code: 'not_a_gateway' } }])
  })

  it('is trusted after the time to live of the payment', async () => {
    expect((await expired(1)).counts).toEqual({ transaction_expired: 1 })
  })
})
