/** Streams and queries over real ledgers: a client follows four validators from genesis on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../../src/client/index.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { formatAddress, payloadHash } from '../../../src/model/index.js'
import { signedBy, type TestAccount, transferOf } from '../../support/chain.js'
import type { Cluster } from '../../support/cluster.js'
import { type Served, serve } from '../../support/served.js'

let served: Served
let alice: TestAccount
let bob: TestAccount
let cluster: Cluster
let client: CausewayClient
let url: string

beforeEach(async () => {
  served = await serve()
  ;({ alice, bob, cluster, url } = served)
  client = new CausewayClient({ gateway: url })
})
afterEach(async () => {
  await client.close()
  await served.close()
})

const addressOf = ({ id }: TestAccount): string => formatAddress(id, cluster.pinned.genesis.payload.value.addressPrefix)
const pay = (amount: bigint) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], Date.now())

describe('a client connected to a running chain', () => {
  it('reads every event from genesis on, then live events, numbered without gaps', async () => {
    const ids: string[] = []
    const approved: number[] = []
    let sent = 0
    for await (const item of client.events({ fromHeight: 1 })) {
      if (item.kind === 'gap') throw new Error('the whole chain is here')
      const { id = '', event } = item.value
      ids.push(id)
      if (event.kind === 'transaction') approved.push(event.value.blockHeight ?? 0)
      if (event.kind !== 'block') continue
      // The next payment when the last one is here.
      if (sent === 5) break
      sent += 1
      expect((await client.submitTransaction(pay(BigInt(sent)).bytes)).receipt).toBeDefined()
    }
    expect(approved).toHaveLength(5)
    let expected = { height: 1, index: 0 }
    for (const id of ids) {
      const [height, index] = id.split('.').map(Number) as [number, number]
      expect(height === expected.height ? index : 0).toBe(height === expected.height ? expected.index : index)
      expected = { height, index: index + 1 }
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids[0]).toBe('1.0')
  })

  it('receives a payment once, filtered by payer and asset, over both transports', async () => {
    const { payload } = await follow('websocket')
    expect(payload).toEqual(await follow('sse').then((one) => one.payload))
  })

  async function follow(transport: 'websocket' | 'sse') {
    const from = (await client.health()).height + 1
    const { transactionHash } = await client.submitTransaction(pay(3n).bytes)
    const filters = [{ account: alice.id, kind: 'Transferred' }]
    for await (const item of client.events({ transport, filters, fromHeight: from })) {
      if (item.kind !== 'event' || item.value.event.kind !== 'data') continue
      const { transaction, event } = item.value.event.value
      expect(Buffer.from(transaction ?? [])).toEqual(transactionHash)
      return { payload: event }
    }
    throw new Error('the stream ended')
  }

  it('reads the blocks from genesis on, each with the payload that its header commits to', async () => {
    await client.submitTransaction(pay(1n).bytes)
    for await (const item of client.blocks({ fromHeight: 1 })) {
      if (item.kind !== 'block') throw new Error('the whole chain is here')
      const { header, body, results, certificate } = item.value
      if (header.height === 1) {
        expect([body.kind, certificate]).toEqual(['genesis', undefined])
        continue
      }
      if (body.kind !== 'block') throw new Error('no body')
      expect(payloadHash(body.value.bytes)).toEqual(Buffer.from(header.payloadHash))
      expect(results).toHaveLength(header.transactionCount)
      break
    }
  })

  it('is notified of a queued transaction', async () => {
    const events = client.events({ filters: [{ status: 'queued' }] })
    const next = events.next()
    // The subscription holds when the stream shows up in the metrics.
    await cluster.until('the stream', async () =>
      (await (await fetch(`${url}/metrics`)).text()).includes('gateway_open_streams{route="events"} 1'),
    )
    const { transactionHash } = await client.submitTransaction(pay(1n).bytes)
    const item = (await next).value
    if (item === undefined || item.kind !== 'event' || item.value.event.kind !== 'transaction')
      throw new Error('no event')
    expect(item.value.id).toBeUndefined()
    expect(Buffer.from(item.value.event.value.hash)).toEqual(transactionHash)
    await events.return()
  })

  it('sends signed queries of each kind', async () => {
    const asking = new CausewayClient({ gateway: url, signer: alice.pair })
    expect(await asking.query('account', { alias: null, id: addressOf(alice) })).toMatchObject({ id: addressOf(alice) })
    const parameters: unknown[] = []
    for await (const item of asking.queryItems('parameters', {}, { sorting: [{ field: 'name', order: 'desc' }] })) {
      parameters.push(item)
    }
    expect(parameters.length).toBeGreaterThan(5)
    expect(parameters[0]).toMatchObject({ name: expect.any(String), staged: [] })
    await asking.close()
    const outsider = new CausewayClient({ gateway: url, signer: await generateKeyPair('ed25519') })
    await expect(outsider.query('parameters')).rejects.toMatchObject({ code: 'unknown_account' })
    await outsider.close()
  })
})
