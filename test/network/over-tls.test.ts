/**
 * One registered peer against three running processes: its messages over real links end none of them, and payments
 * continue. Each of these messages once ended or halted every node of a network (docs/concepts/withstands.md).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsensusMessage, consensusMessage } from '../../src/consensus/index.js'
import { CHANNEL_MESSAGE_MAX_BYTES, PART_MAX_BYTES } from '../../src/network/limits.js'
import { frameHead } from '../../src/network/wire.js'
import { gossipMessage } from '../../src/node/peers/gossip.js'
import { Hostile, RARE } from '../byzantine/hostile.js'
import { Intruder } from '../byzantine/intruder.js'
import { randomOf } from '../byzantine/mutate.js'
import { getJson, pause, TestNet } from '../e2e/localnet.js'

/** Messages of the flood, per kind and peer: some times what a budget holds. */
const FLOOD = 3_000
const MESSAGES = Number(process.env.BYZANTINE_TLS_MESSAGES ?? 1_500)

let net: TestNet
let intruder: Intruder
let byzantine: Hostile

beforeAll(async () => {
  net = await TestNet.start()
  await net.kill('val-3')
  intruder = await Intruder.of(net.folder, 'val-3', (_from, channel, body) => byzantine.intercept(channel, body))
  byzantine = new Hostile(randomOf(1, 'over tls'), intruder.validator, undefined)
})
afterAll(async () => {
  await intruder?.close()
  await TestNet.closeAll()
})

/** A payment commits on all three, which therefore run and agree. */
async function pays(): Promise<void> {
  const run = await net.cli(
    'asset',
    'transfer',
    '--key-file',
    net.keyFile('alice'),
    '--to',
    'bob@bank',
    '--asset',
    'eur#bank',
    '--amount',
    '0.01',
    '--yes',
    '--json',
  )
  expect(run.code, run.stderr).toBe(0)
  const status = await net.agreed(3)
  expect(status.peers.filter(({ running }) => running).map(({ name }) => name)).toEqual(['val-0', 'val-1', 'val-2'])
}
const encoded = (message: ConsensusMessage): Buffer => consensusMessage.encode(message)
const toAll = (channel: 'consensus' | 'payload' | 'gossip', body: Buffer): void => {
  for (const key of intruder.others) intruder.send(key, channel, body)
}

describe('the network continues to pay after a registered peer', () => {
  it('sends a Hello with more differences than a refusal can list', async () => {
    const features = new Map(
      Array.from({ length: 200 }, (_, at) => [`feature ${String(at).padStart(3, '0')}`, Buffer.alloc(32, at)] as const),
    )
    const [other = ''] = intruder.others
    await intruder.sendHello(
      intruder.hello({ features, abis: [{ number: 1, hash: Buffer.alloc(32, 1) }], validatorKey: other }),
    )
    await pays()
  })

  it('violates the link protocol after a valid Hello', async () => {
    const part = Buffer.concat([frameHead(0, 'part', PART_MAX_BYTES), Buffer.alloc(PART_MAX_BYTES)])
    const parts = Math.floor(CHANNEL_MESSAGE_MAX_BYTES.consensus / PART_MAX_BYTES) + 1
    await intruder.sendHello(intruder.hello(), ...Array.from({ length: parts }, () => part))
    await pays()
    // It is told for how long it is refused.
    const peers = await getJson<{ items: { last_error?: string | null }[] }>(net.gateways[0] ?? '', '/peers')
    expect(JSON.stringify(peers)).toMatch(/banned for another \d+ s: it violated the link protocol/)
  })

  it('requests one record a thousand times, sends a flood of old statuses and requests every payload', async () => {
    // The ban of the last one is over.
    await pause(10_500)
    await intruder.connect()
    await pays()
    const want = gossipMessage.encode({ kind: 'want', value: Array.from({ length: 1_024 }, () => Buffer.alloc(32, 1)) })
    const status = (height: number): Buffer =>
      encoded({
        kind: 'status',
        value: { height, view: 0, commit: undefined, highPrepare: undefined, entry: undefined },
      })
    for (let round = 0; round < FLOOD; round++) {
      toAll('consensus', status(2 + (round % 3)))
      toAll('consensus', encoded({ kind: 'payloadRequest', value: { height: 2, blockHash: Buffer.alloc(32) } }))
      toAll('consensus', encoded({ kind: 'syncRequest', value: { from: 2, count: 32 } }))
      if (round % 10 === 0) toAll('gossip', want)
      if (round % 200 === 0) await pause(1)
    }
    await pays()
    await pays()
  })

  it('claims a height that it has not reached', async () => {
    const value = { height: 2 ** 50, view: 0, commit: undefined, highPrepare: undefined, entry: undefined }
    toAll('consensus', encoded({ kind: 'status', value }))
    await pause(500)
    const { synced } = await getJson<{ synced: boolean }>(net.gateways[0] ?? '', '/status')
    expect(synced).toBe(true)
    await pays()
  })

  it(`sends ${MESSAGES} changed, corrupt or repeated messages`, async () => {
    for (const message of RARE) byzantine.record('consensus', message)
    byzantine.record('gossip', { kind: 'want', value: [Buffer.alloc(32, 1)] })
    for (let count = 0; count < MESSAGES; count++) {
      const { channel, body } = byzantine.next()
      toAll(channel, body)
      if (count % 50 === 0) await pause(2)
    }
    await pays()
    await pays()
  })
})
