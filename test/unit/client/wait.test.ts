/** Result of a wait whose time is up: the last status of the transaction, not the interruption of the last request. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TransactionState, waitUntil } from '../../../src/client/wait.js'
import { LedgerError } from '../../../src/model/index.js'
import { pause } from '../../support/ports.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const HASH = 'ab'.repeat(32)
const WAIT_MS = 1_000
const unreachable = () => new LedgerError('unreachable', 'no answer')

/** The error of a wait whose looks end so; each takes its time. */
async function endOf(look: (nowMs: number, leftMs: number) => Promise<TransactionState>): Promise<LedgerError> {
  const startMs = performance.now()
  const wait = waitUntil('committed', (leftMs) => look(performance.now() - startMs, leftMs), HASH, WAIT_MS)
  const error = wait.catch((thrown: unknown) => thrown)
  await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
  return (await error) as LedgerError
}

const after = async (ms: number): Promise<void> => {
  await pause(ms)
}

it('a wait ends as pending with the last response if the timeout interrupts a poll', async () => {
  const error = await endOf(async (nowMs, leftMs) => {
    if (nowMs < 500) return { state: 'queued' }
    await after(leftMs)
    throw unreachable()
  })
  expect(error.code).toBe('pending')
  expect(error.message).toContain('(last seen: queued)')
  expect(error.details).toEqual({ hash: HASH, last_seen: 'queued' })
})

it('a wait on a lost node reports the last status and the loss', async () => {
  const error = await endOf(async (nowMs) => {
    if (nowMs < 300) return { state: 'queued' }
    throw unreachable()
  })
  expect(error.message).toContain('(last seen: queued, then unreachable)')
  expect(error.details).toEqual({ hash: HASH, last_seen: 'queued' })
})

it('a recovered node is not reported as lost', async () => {
  const error = await endOf(async (nowMs) => {
    if (nowMs > 200 && nowMs < 500) throw unreachable()
    return { state: 'queued' }
  })
  expect(error.message).toContain('(last seen: queued)')
})

it('a wait on a node that never responded reports the node as unreachable', async () => {
  const error = await endOf(async (_, leftMs) => {
    await after(leftMs)
    throw unreachable()
  })
  expect(error.message).toContain('(last seen: unreachable)')
})

it('a refusal ends the wait at once', async () => {
  const error = await endOf(async () => {
    throw new LedgerError('unauthorised', 'no')
  })
  expect(error.code).toBe('unauthorised')
})

it('a wait for the queue ends at the first node that has the transaction, and reports queue at the timeout', async () => {
  const states: TransactionState['state'][] = ['unknown', 'queued']
  const wait = waitUntil('queued', async () => ({ state: states.shift() ?? 'queued' }), HASH, WAIT_MS)
  await vi.advanceTimersByTimeAsync(WAIT_MS)
  expect(await wait).toEqual({ state: 'queued' })
  const late = waitUntil('queued', async () => ({ state: 'unknown' }), HASH, WAIT_MS).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(2 * WAIT_MS)
  expect(await late).toMatchObject({ code: 'pending', message: expect.stringContaining('is not queued within') })
})
