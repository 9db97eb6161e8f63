/** The explorer on a running network: figures of the chain, and its lists as streams that resume without gaps or repeats. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../../src/client/index.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { EXPLORER_STREAMS } from '../../../src/features/explorer/schema/streams.js'
import { Gateway } from '../../../src/gateway/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { log } from '../../support/core.js'
import { Documented } from '../../support/documented.js'
import { CORE } from '../../support/served-routes.js'
import { SseReader } from '../gateway/stream-readers.js'

let alice: TestAccount
let bob: TestAccount
let cluster: Cluster
let gateway: Gateway
let url: string
const readers: SseReader[] = []

const first = (): Member => cluster.list[0] as Member

/** Commits one transaction in a block of its own. */
async function commit(amount: bigint): Promise<string> {
  const { height } = first().core
  const record = signedBy(alice, [transferOf(alice.id, bob.id, amount), log('note')], Date.now())
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the block', () => cluster.list.every((member) => member.core.height > height))
  return Buffer.from(record.id).toString('hex')
}

async function open(kind: keyof typeof EXPLORER_STREAMS, search = '', headers: Record<string, string> = {}) {
  const reader = await SseReader.open(`${url}${EXPLORER_STREAMS[kind].path}${search}`, headers)
  expect(reader.response.statusCode).toBe(200)
  readers.push(reader)
  return reader
}
const count = (reader: SseReader, events: number) => reader.until(() => reader.events.length >= events)
const idsOf = (reader: SseReader) => reader.events.map((one) => one.id)

beforeAll(async () => {
  ;[alice, bob] = [await testAccount('alice'), await testAccount('bob')]
  cluster = await Cluster.start(4, [alice, bob])
  gateway = new Gateway({ address: '127.0.0.1:0', rateLimit: undefined }, { services: first().core.services, ...CORE })
  url = (await gateway.listen()).url
  for (const amount of [1n, 2n, 3n]) await commit(amount)
})
afterAll(async () => {
  for (const reader of readers) reader.close()
  await gateway.close()
  await cluster.close()
})

describe('an explorer stream', () => {
  it('contains the same items as the lists, oldest first, and continues with live items', async () => {
    const documented = await Documented.of(gateway, first().core.services.info.codec)
    const [blocks, transactions, instructions] = [
      await open('block', '?from_height=1'),
      await open('transaction', '?from_height=2'),
      await open('instruction', '?from_height=2'),
    ]
    const hash = await commit(4n)
    await count(blocks, 5)
    await count(transactions, 4)
    await count(instructions, 8)
    expect(blocks.events.map((one) => one.event)).toEqual(Array(5).fill('block'))
    expect(idsOf(blocks)).toEqual(['1.0', '2.0', '3.0', '4.0', '5.0'])
    expect(idsOf(transactions)).toEqual(['2.0', '3.0', '4.0', '5.0'])
    expect(idsOf(instructions)).toEqual(['2.0', '2.1', '3.0', '3.1', '4.0', '4.1', '5.0', '5.1'])
    const positions = instructions.events.map((one) => (one.data as { position: number }).position)
    expect(positions).toEqual([0, 1, 0, 1, 0, 1, 0, 1])
    expect(transactions.events.at(-1)?.data).toMatchObject({ hash })
    // Streams have the same items as the list.
    for (const [kind, reader] of [
      ['blocks', blocks],
      ['transactions', transactions],
      ['instructions', instructions],
    ] as const) {
      const row = gateway.rows.find((one) => one.path === `/v1/explorer/${kind}`)
      if (row === undefined) throw new Error('no such list')
      const answer = await gateway.inject({ url: row.path })
      documented.check(row, answer)
      const { items } = JSON.parse(answer.body) as { items: object[] }
      expect(reader.events.map((one) => one.data).reverse()).toEqual(items)
    }
  })

  it('starts at the next block by default', async () => {
    const reader = await open('transaction')
    await reader.until(() => reader.text !== '')
    const hash = await commit(5n)
    await count(reader, 1)
    expect(reader.events[0]?.data).toMatchObject({ hash })
  })

  it('resumes after the last received event, also within a block', async () => {
    const whole = await open('instruction', '?from_height=2')
    await count(whole, 4)
    const rest = await open('instruction', '?after=9.9', { 'last-event-id': '2.0' })
    await count(rest, 3)
    expect(idsOf(rest).slice(0, 3)).toEqual(['2.1', '3.0', '3.1'])
    const after = await open('instruction', '?after=3.1')
    await count(after, 1)
    expect(idsOf(after)[0]).toBe('4.0')
  })

  it('can be read as a typed iterator of the client, from a given height or from the next block', async () => {
    const client = new CausewayClient({ gateway: url })
    const ids: string[] = []
    for await (const item of client.explorerItems('instruction', { after: '2.0' })) {
      if (item.kind !== 'item') throw new Error('nothing is missing')
      ids.push(`${item.id} ${item.value.height}.${item.value.position}`)
      if (ids.length === 3) break
    }
    expect(ids).toEqual(['2.1 2.1', '3.0 3.0', '3.1 3.1'])
    const next = client.explorerItems('transaction')
    let come = false
    const item = next.next().finally(() => {
      come = true
    })
    const hashes: string[] = []
    while (!come) hashes.push(await commit(6n))
    const { value } = await item
    if (value?.kind !== 'item') throw new Error('an item')
    expect(hashes).toContain(Buffer.from(value.value.hash).toString('hex'))
    await next.return()
    await client.close()
  })

  it('rejects a malformed cursor', async () => {
    for (const search of ['?after=x', '?from_height=x', '?nonsense=1']) {
      const { statusCode } = (await SseReader.open(`${url}${EXPLORER_STREAMS.block.path}${search}`)).response
      expect(statusCode, search).toBe(400)
    }
  })
})

it('the explorer metrics match the blocks of the chain', async () => {
  const metrics = JSON.parse((await gateway.inject({ url: '/v1/explorer/metrics' })).body) as Record<string, number>
  const { height, tip } = first().core
  expect(metrics).toMatchObject({
    peers: 3,
    domains: 1,
    accounts: 3,
    asset_definitions: 1,
    nfts: 0,
    transactions_accepted: tip.approved,
    transactions_rejected: tip.rejected,
    block: height,
    finalized_block: height,
    block_created_at_ms: tip.header.timeMs,
  })
  expect(metrics['avg_block_time_ms']).toBeGreaterThan(0)
})

it('the explorer time series match the blocks, and are equal on every node', async () => {
  const { height, tip } = first().core
  const sumOf = async (metric: string): Promise<number> => {
    const { body } = await gateway.inject({ url: `/v1/explorer/series?metric=${metric}&from_ms=0` })
    const { points } = JSON.parse(body) as { points: { value: number }[] }
    return points.reduce((sum, { value }) => sum + value, 0)
  }
  expect(await sumOf('blocks')).toBe(height - 1)
  expect(await sumOf('transactions')).toBe(tip.approved + tip.rejected)
  expect(await sumOf('rejected')).toBe(tip.rejected)
  const asked = { metric: 'teu', fromMs: 0, toMs: Date.now(), points: 1 } as const
  const all = await Promise.all(cluster.list.map(({ core }) => core.services.query(explorerQueries.series, asked)))
  for (const one of all) expect(one).toEqual(all[0])
  expect(all[0]?.points[0]?.value).toBeGreaterThan(0)
})
