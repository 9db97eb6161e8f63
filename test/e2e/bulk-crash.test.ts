/**
 * Every node dies again and again while bulk messages come in, some of them at three gateways at once: each payment is made exactly once,
 * and all gateways show the same status of each message. CAUSEWAY_CRASH_PAYMENTS sets the number of payments
 * (`npm run soak -- --bulk-crash 5000`).
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bulkMessage } from '../support/bulk-messages.js'
import { PATIENCE_MS, TEST_MS } from '../support/ports.js'
import { getJson, pause, TestNet, until } from './localnet.js'
import { type IsoRecord, TODAY } from './messages.js'
import { movements } from './movements.js'

const PAYMENTS = Number(process.env.CAUSEWAY_CRASH_PAYMENTS ?? 500)
/** Payments of one message, at most. */
const MESSAGE_MAX = Math.min(200, Math.max(2, Math.round(PAYMENTS / 8)))
/** Kills of all nodes, spread over the run. */
const KILLS = Math.max(2, Math.round(PAYMENTS / 250))
/** Clients at once. */
const CLIENTS = 6
/** Messages of a hundred that are sent to three gateways at once. */
const TRIPLED = 15
/** Longest time of one message, kills and restarts included, in ms. */
const MESSAGE_PATIENCE_MS = 240_000

vi.setConfig({ testTimeout: TEST_MS + PAYMENTS * 1_000 })

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
})
afterAll(() => TestNet.closeAll())

/** Payments of each message: 1 to `MESSAGE_MAX`, spread by a sequence without chance. */
const SIZES: readonly number[] = (() => {
  const sizes: number[] = []
  for (let left = PAYMENTS, at = 0; left > 0; at += 1) {
    const size = Math.min(left, 1 + ((at * 7_919) % MESSAGE_MAX))
    sizes.push(size)
    left -= size
  }
  return sizes
})()
const idOf = (at: number): string => `BULK-${at}`

/** Amount of a payment in cents: those of a message differ, so that one with a wrong amount cannot hide. */
const centsOf = (at: number, place: number): number => 100 + at + place
const bodyOf = (at: number): string =>
  bulkMessage(
    idOf(at),
    Array.from({ length: SIZES[at] ?? 1 }, (_, index) => ({ amount: (centsOf(at, index + 1) / 100).toFixed(2) })),
  )
    .replaceAll('2026-03-02', TODAY)
    .replaceAll(/EndToEndId=E(\d+)/g, (_, place) => `EndToEndId=${idOf(at)}-${place}`)

async function send(gateway: string, body: string): Promise<IsoRecord | undefined> {
  try {
    const answer = await fetch(`${gateway}/v1/iso20022/pacs008`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return answer.status === 200 || answer.status === 202 ? ((await answer.json()) as IsoRecord) : undefined
  } catch {
    // The node is dead, or died while it answered: the state of the message is not known.
    return undefined
  }
}

/** Sends a message until a gateway reports it settled. */
async function pay(at: number): Promise<void> {
  const body = bodyOf(at)
  const deadlineMs = performance.now() + MESSAGE_PATIENCE_MS
  const isTripled = (at * 37) % 100 < TRIPLED
  for (let attempt = 0; performance.now() < deadlineMs; attempt += 1) {
    const gateways = (isTripled ? [0, 1, 2] : [attempt]).map(
      (of) => net.gateways[(at + of) % net.gateways.length] ?? '',
    )
    const answers = await Promise.all(gateways.map((gateway) => send(gateway, body)))
    if (answers.some((one) => one?.pacs002_code === 'ACSC')) return
    await pause(50 + ((at * 37 + attempt * 91) % 400))
  }
  throw new Error(`message ${at} was not settled in time`)
}

describe('bulk messages through all gateways while all nodes are killed', () => {
  it('result in one transfer per payment, and the same status everywhere', async () => {
    let next = 0
    let settled = 0
    let isOver = false
    const client = async (): Promise<void> => {
      while (next < SIZES.length) {
        const at = next
        next += 1
        await pay(at)
        settled += 1
      }
    }
    const killer = async (): Promise<number> => {
      let kills = 0
      for (let round = 1; round <= KILLS; round += 1) {
        const share = Math.floor((SIZES.length * round) / (KILLS + 1))
        while (settled < share && !isOver) await pause(5)
        if (isOver) return kills
        await net.kill()
        kills += 1
        const run = await net.up()
        if (run.code !== 0) throw new Error(run.stdout + run.stderr)
      }
      return kills
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client)).finally(() => {
      isOver = true
    })
    const [kills] = await Promise.all([killer(), clients])
    expect(kills).toBeGreaterThan(0)
    expect(settled).toBe(SIZES.length)

    await net.agreed(4)
    const payments = SIZES.flatMap((size, at) => Array.from({ length: size }, (_, index) => [at, index + 1] as const))
    const expected = payments.map(([at, place]) => `${idOf(at)}-${place}`).sort()
    const total = payments.reduce((sum, [at, place]) => sum + centsOf(at, place), 0)
    for (const gateway of net.gateways) {
      const paid = (await movements(gateway, 'alice@bank')).filter((one) => one.side === 'Debit')
      expect(paid.map((one) => one.reference).sort(), gateway).toEqual(expected)
      expect(
        paid.reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0),
        gateway,
      ).toBe(total)
    }
    for (const at of SIZES.keys()) {
      const statuses = await until(`message ${at} settled at every gateway`, async () => {
        const answers = await Promise.all(
          net.gateways.map((gateway) => getJson<IsoRecord>(gateway, `/v1/iso20022/status/${idOf(at)}`)),
        )
        return answers.every((one) => one.pacs002_code === 'ACSC') ? answers : undefined
      })
      expect(new Set(statuses.map((one) => one.transaction_hash)).size).toBe(1)
    }
  })
})
