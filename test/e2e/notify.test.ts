/** Notifications on processes: a browser of a test decrypts what nodes send it of transfers, proposals and payments, before and after a kill. */

import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient, readKeyFile, routes } from '../../src/client/index.js'
import { generateKeyPair } from '../../src/crypto/index.js'
import { PushBrowser } from '../support/push-browser.js'
import { TestNet, until } from './localnet.js'

interface Notification {
  readonly type: string
  readonly id: string
  readonly account: string
  readonly amount?: string
  readonly definition?: string
  readonly more?: number
}

interface TelemetryPeer {
  readonly peer?: string
  readonly url?: string
  readonly connected: boolean
  readonly height?: number
  readonly rtt_ms?: number
}

let net: TestNet
let service: Server
let browser: PushBrowser
/** Response of the push service to every request. */
let status = 201
const notifications: Notification[] = []
const authorisations: string[] = []

/** A client of the first node that signs as one of the accounts of the network. */
const clientOf = async (name: string): Promise<CausewayClient> =>
  new CausewayClient({ gateway: net.gateways[0] ?? '', signer: await readKeyFile(net.keyFile(name)) })
const register = async (client: CausewayClient, topics: readonly string[], endpoint = browser.endpoint) =>
  client.route(routes.notify.register, {
    body: {
      platform: 'webpush',
      subscription: { ...browser.subscription, endpoint },
      token: undefined,
      topics: [...topics],
    },
  })
const run = async (key: string, ...words: string[]): Promise<void> => {
  const { code, stdout, stderr } = await net.cli(
    ...words,
    '--key-file',
    net.keyFile(key),
    '--gateway',
    net.gateways[1] ?? '',
  )
  expect(code, stdout + stderr).toBe(0)
}
const pay = (amount: string): Promise<void> =>
  run('bob', 'asset', 'transfer', '--to', 'alice@bank', '--asset', 'eur#bank', '--amount', amount, '--yes')
const notified = (type: string, amount?: string): Promise<Notification> =>
  until(`a notification of ${type}`, async () =>
    notifications.find((one) => one.type === type && (amount === undefined || one.amount === amount)),
  )

beforeAll(async () => {
  net = await TestNet.start()
  service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      authorisations.push(String(request.headers.authorization))
      if (status === 201) notifications.push(JSON.parse(browser.read(Buffer.concat(parts))) as Notification)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  browser = new PushBrowser(`http://127.0.0.1:${(service.address() as AddressInfo).port}/send/1`)
})
afterAll(async () => {
  service.closeAllConnections()
  service.close()
  await TestNet.closeAll()
})

describe('a device', () => {
  it('can be registered only by ledger accounts, for a public push service or one allowed by the operator', async () => {
    const unregistered = new CausewayClient({
      gateway: net.gateways[0] ?? '',
      signer: await generateKeyPair('ed25519'),
    })
    await expect(register(unregistered, ['incoming'])).rejects.toMatchObject({ code: 'forbidden' })
    await unregistered.close()
    const alice = await clientOf('alice')
    await expect(register(alice, ['incoming'], 'http://10.0.0.1/send')).rejects.toMatchObject({
      code: 'notify_device_refused',
    })
    const device = await register(alice, ['incoming', 'approvals'])
    expect(device).toMatchObject({ platform: 'webpush', topics: ['incoming', 'approvals'] })
    await alice.close()
    const listed = await net.cli('notify', 'list', '--key-file', net.keyFile('alice'), '--json')
    expect((listed.json() as { items?: unknown[] }).items).toHaveLength(1)
    const others = await net.cli('notify', 'list', '--key-file', net.keyFile('bob'), '--json')
    expect((others.json() as { items?: unknown[] }).items).toEqual([])
  })

  it('is notified of incoming money, pending approvals, and payment messages', async () => {
    await pay('1.25')
    expect(await notified('incoming', '1.25')).toMatchObject({ definition: 'eur#bank' })
    expect(notifications.some(({ type }) => type === 'outgoing')).toBe(false)

    const members = ['--member', 'alice@bank', '--member', 'bob@bank', '--quorum', '2']
    await run('admin', 'multisig', 'create', ...members, '--domain', 'bank', '--label', 'pair', '--yes')
    const proposal = join(net.root, 'proposal.json')
    await writeFile(proposal, JSON.stringify([{ Log: { level: 'Info', text: 'agreed' } }]))
    await run('bob', 'multisig', 'propose', 'pair@bank', proposal, '--yes')
    await notified('approvals')

    const bridge = await clientOf('bridge')
    await register(bridge, ['payments'])
    await bridge.close()
    const message = ['iso', 'submit', 'pacs008', join(process.cwd(), 'templates', 'iso', 'pacs008.xml')]
    const submitted = await net.cli(...message, '--watch', '--gateway', net.gateways[2] ?? '')
    expect(submitted.code, submitted.stdout + submitted.stderr).toBe(0)
    await notified('payments')
    expect(authorisations.every((one) => one.startsWith('vapid t='))).toBe(true)
  })

  it('is notified after its node was killed, without duplicates', async () => {
    expect((await net.cli('localnet', 'fault', 'kill', 'val-0')).code).toBe(0)
    await pay('2.5')
    expect((await net.up('--only', 'val-0')).code).toBe(0)
    await pay('3.75')
    await notified('incoming', '3.75')
    // A hint, no queue: what came meanwhile is told if the node reads that block after its start, and never twice.
    expect(notifications.filter(({ amount }) => amount === '2.5').length).toBeLessThanOrEqual(1)
    expect(notifications.filter(({ amount }) => amount === '3.75')).toHaveLength(1)
  })

  it('receives test notifications within the rate limit of a device, and can be removed by its account', async () => {
    const bridge = ['--key-file', net.keyFile('bridge'), '--json']
    const listed = (await net.cli('notify', 'list', ...bridge)).json() as { items?: { id: string }[] }
    const id = listed.items?.[0]?.id ?? ''
    const answers = [await net.cli('notify', 'test', id, ...bridge), await net.cli('notify', 'test', id, ...bridge)]
    expect(answers.map(({ code }) => code)).toEqual([0, 5])
    await notified('test')
    // Whose device it is not cannot tell it from one that is not there.
    const other = await net.cli('notify', 'remove', id, '--key-file', net.keyFile('bob'), '--json')
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('not_found')])
    expect((await net.cli('notify', 'remove', id, ...bridge)).code).toBe(0)
    expect(((await net.cli('notify', 'list', ...bridge)).json() as { items?: unknown[] }).items).toEqual([])
  })

  it('does not affect the telemetry stream, which sends all peers first and then changes', async () => {
    const peers = (await net.cli('telemetry', 'peers', '--json')).json() as { items?: unknown[] }
    expect(peers.items).toHaveLength(7)
    const lines = await net.program('telemetry', 'watch', '--limit', '2', '--json')
    expect(lines.code, lines.stderr).toBe(0)
    const events = lines.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; peers?: unknown[] })
    expect(events[0]?.event).toBe('first')
    // Three links, and the gateways of all four that a local network watches.
    expect(events[0]?.peers).toHaveLength(7)
    expect(events).toHaveLength(2)
  })

  it('is notified when a watched gateway fails and recovers', async () => {
    const url = net.gateways[3] ?? ''
    const seen = async (connected: boolean): Promise<TelemetryPeer> =>
      until(`the gateway of val-3 as ${connected ? 'connected' : 'gone'}`, async () => {
        const { items } = (await net.cli('telemetry', 'peers', '--json')).json() as { items?: TelemetryPeer[] }
        return items?.find((one) => one.url === url && one.connected === connected)
      })
    const before = await seen(true)
    await net.kill('val-3')
    const gone = await seen(false)
    // Measurements that have ended are absent.
    expect([gone.height, gone.rtt_ms, gone.peer]).toEqual([undefined, undefined, before.peer])
    expect((await net.up('--only', 'val-3')).code).toBe(0)
    await seen(true)
    await pay('4')
    await until('its next block', async () => {
      const { height = 0 } = await seen(true)
      return height > (before.height ?? 0) ? true : undefined
    })
  })

  it('is removed once its push service reports that it is gone', async () => {
    status = 410
    await pay('5')
    await until('no device', async () => {
      const listed = await net.cli('notify', 'list', '--key-file', net.keyFile('alice'), '--json')
      return (listed.json() as { items?: unknown[] }).items?.length === 0 ? true : undefined
    })
  })
})
