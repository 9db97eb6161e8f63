/**
 * Every node dies again and again while payments come in through two gateways from clients that repeat themselves: each
 * payment is made exactly once. CAUSEWAY_CRASH_MESSAGES sets the number of messages (`npm run soak -- --iso-crash 1000`).
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PATIENCE_MS, TEST_MS } from '../support/ports.js'
import { getJson, pause, TestNet, until } from './localnet.js'
import { type IsoRecord, TODAY } from './messages.js'
import { movements } from './movements.js'

const MESSAGES = Number(process.env.CAUSEWAY_CRASH_MESSAGES ?? 120)
/** Kills of all nodes, spread over the run. */
const KILLS = Math.max(2, Math.round(MESSAGES / 100))
/** Clients at once. */
const CLIENTS = 16
/** Longest time of one message, kills and restarts included, in ms. */
const MESSAGE_PATIENCE_MS = 240_000

vi.setConfig({ testTimeout: TEST_MS + MESSAGES * 2_000 })

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
})
afterAll(() => TestNet.closeAll())

/** Amount of a message in cents: all differ, so that a payment with the wrong amount cannot hide. */
const centsOf = (at: number): number => 100 + at

const bodyOf = (at: number): string =>
  [
    'MsgDefIdr=pacs.008.001.08',
    `MsgId=CRASH-${at}`,
    `EndToEndId=E2E-CRASH-${at}`,
    `IntrBkSttlmAmt=${Math.floor(centsOf(at) / 100)}.${String(centsOf(at) % 100).padStart(2, '0')}`,
    'IntrBkSttlmCcy=EUR',
    `IntrBkSttlmDt=${TODAY}`,
    'DbtrAcct=DE75512108001245126199',
    'CdtrAcct=FR7630006000011234567890189',
    'DbtrAgt=ALPHDEFF',
    'CdtrAgt=BETAFRPP',
  ].join('\n')

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
    // The node is dead, or died while responding: the state of the message is unknown.
    return undefined
  }
}

/** A client that does not know what became of its message, asks the other gateway, and never gives up. */
async function pay(at: number): Promise<void> {
  const gateways = [net.gateways[at % 2], net.gateways[(at + 1) % 2]] as [string, string]
  const body = bodyOf(at)
  const deadlineMs = performance.now() + MESSAGE_PATIENCE_MS
  for (let attempt = 0; performance.now() < deadlineMs; attempt += 1) {
    const answers =
      at % 3 === 0
        ? await Promise.all(gateways.map((gateway) => send(gateway, body)))
        : [await send(gateways[attempt % 2] ?? gateways[0], body)]
    if (answers.some((one) => one?.pacs002_code === 'ACSC')) return
    await pause(50 + ((at * 37 + attempt * 91) % 400))
  }
  throw new Error(`message ${at} was not settled in time`)
}

describe('payments through two gateways while all nodes are killed', () => {
  it('are each settled exactly once, for the exact amount', async () => {
    let next = 0
    let settled = 0
    let isOver = false
    const client = async (): Promise<void> => {
      while (next < MESSAGES) {
        const at = next
        next += 1
        await pay(at)
        settled += 1
      }
    }
    const killer = async (): Promise<number> => {
      let kills = 0
      for (let round = 1; round <= KILLS; round += 1) {
        // Somewhere inside the run: after a share of the messages, or at its end when they were faster.
        const share = Math.floor((MESSAGES * round) / (KILLS + 1))
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
    expect(settled).toBe(MESSAGES)

    await net.agreed(4)
    const expected = Array.from({ length: MESSAGES }, (_, at) => `E2E-CRASH-${at}`).sort()
    const total = Array.from({ length: MESSAGES }, (_, at) => centsOf(at)).reduce((sum, one) => sum + one, 0)
    for (const gateway of net.gateways) {
      const paid = (await movements(gateway, 'alice@bank')).filter((one) => one.side === 'Debit')
      expect(paid.map((one) => one.reference).sort(), gateway).toEqual(expected)
      const cents = paid.reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0)
      expect(cents, gateway).toBe(total)
      const { items } = await getJson<{ items: { id: string; total_quantity: string }[] }>(
        gateway,
        '/v1/assets/definitions',
      )
      expect(items.find((one) => one.id === 'eur#bank')?.total_quantity).toBe('2000000')
    }
    // Both gateways name one transaction for each message, also for those that only the other one was sent.
    for (const at of [0, 1, Math.floor(MESSAGES / 2), MESSAGES - 1]) {
      const hashes = await Promise.all(
        [0, 1].map((gateway) =>
          until(`message ${at} at gateway ${gateway}`, async () => {
            const record = await send(net.gateways[gateway] ?? '', bodyOf(at))
            return record?.pacs002_code === 'ACSC' ? record.transaction_hash : undefined
          }),
        ),
      )
      expect(new Set(hashes).size).toBe(1)
    }
  })
})
