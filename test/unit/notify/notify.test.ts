/** Notifications: what is encrypted and signed by the RFCs, who hears of what, at which pace, and what a push service may do to the node. */
import { createECDH, createPublicKey, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Module from 'node:module'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../../src/api/handler.js'
import type { KeyPair } from '../../../src/crypto/index.js'
import { Feed } from '../../../src/events/feed.js'
import { notifyConfig } from '../../../src/features/notify/node/config.js'
import { Devices } from '../../../src/features/notify/node/devices.js'
import {
  DAY_MS,
  DEVICE_MS,
  PAUSE_MS,
  PER_DAY_MAX,
  PER_STEP_MAX,
  RETRIES_MS,
  SWEEP_MS,
} from '../../../src/features/notify/node/limits.js'
import { type Notice, payloadOf, subscribes } from '../../../src/features/notify/node/messages.js'
import { NoticeQueue } from '../../../src/features/notify/node/queue.js'
import { DeviceRecords } from '../../../src/features/notify/node/records.js'
import { Sender, type Sent } from '../../../src/features/notify/node/sender.js'
import { encrypted, keysFault, newVapidSecret, Vapid } from '../../../src/features/notify/node/web-push.js'
import { DEVICES_PER_ACCOUNT_MAX, type RegisterDevice, registerDevice } from '../../../src/features/notify/schema.js'
import { LedgerError } from '../../../src/model/index.js'
import { Outbound, type OutboundConfig } from '../../../src/network/outbound/outbound.js'
import { MemoryStore } from '../../support/memory-store.js'
import { PATIENCE_MS, pause } from '../../support/ports.js'
import { PushBrowser } from '../../support/push-browser.js'
import { blockAt, moved } from '../gateway/fake-chain.js'
import { accountOf, alice, bob, CODEC, FakeNode } from '../gateway/support.js'

const raw = (text: string): Buffer => Buffer.from(text, 'base64url')

describe('a Web Push message', () => {
  it('is encrypted as in RFC 8291, appendix A', async () => {
    const sender = createECDH('prime256v1')
    sender.setPrivateKey(raw('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const plain = Buffer.from('When I grow up, I want to be a watermelon')
    const bytes = encrypted(plain, keys, { sender, salt: raw('DGv6ra1nlYgDCS1FRnbzlw') })
    expect(bytes.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('can be decrypted only by the target browser', async () => {
    const browser = new PushBrowser('https://push.example/1')
    const body = encrypted(Buffer.from('hello'), browser.subscription.keys)
    expect(browser.read(body)).toBe('hello')
    expect(() => new PushBrowser('https://push.example/2').read(body)).toThrow()
  })

  it('cannot be created for invalid keys', async () => {
    const good = new PushBrowser('https://push.example').subscription.keys
    expect(keysFault(good)).toBeUndefined()
    const off = raw(good.p256dh)
    off[64] = (off[64] ?? 0) ^ 1
    for (const keys of [
      { ...good, p256dh: off.toString('base64url') },
      { ...good, p256dh: Buffer.alloc(65, 4).toString('base64url') },
      { ...good, p256dh: Buffer.alloc(33, 2).toString('base64url') },
      { ...good, p256dh: '' },
      { ...good, auth: Buffer.alloc(15).toString('base64url') },
    ])
      expect(keysFault(keys)).toContain('P-256')
  })

  it('fails with the error of the library if it cannot be loaded, and works once it loads', () => {
    const { keys } = new PushBrowser('https://push.example').subscription
    const loads = vi.spyOn(Module as unknown as { _load: (name: string) => unknown }, '_load')
    loads.mockImplementationOnce(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    })
    try {
      expect(() => keysFault(keys)).toThrow('too many open files')
      expect(keysFault(keys)).toBeUndefined()
    } finally {
      loads.mockRestore()
    }
  })

  it('has a token that a push service can verify, and that is reused for hours (RFC 8292)', () => {
    let nowMs = 1_700_000_000_000
    const vapid = new Vapid(newVapidSecret(), 'mailto:ops@bank.example', () => nowMs)
    const header = vapid.header('https://push.example/a?b=1')
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
    expect(key).toBe(vapid.publicKey)
    const [head = '', claims = '', signature = ''] = token.split('.')
    expect(JSON.parse(raw(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
    const exp = nowMs / 1_000 + 12 * 3_600
    expect(JSON.parse(raw(claims).toString())).toEqual({
      aud: 'https://push.example',
      exp,
      sub: 'mailto:ops@bank.example',
    })
    const point = raw(vapid.publicKey)
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const checked = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), checked, raw(signature))).toBe(true)
    nowMs += 5 * 3_600_000
    expect(vapid.header('https://push.example/other')).toBe(header)
    expect(vapid.header('https://push2.example/')).not.toBe(header)
    nowMs += 2 * 3_600_000
    expect(vapid.header('https://push.example/a')).not.toBe(header)
  })

  it('fits the limit of push services, with any content', () => {
    const notice: Notice = { type: 'incoming', id: '5.1', account: 'a', amount: '1', definition: 'x'.repeat(4_000) }
    expect(JSON.parse(payloadOf(notice, 'cw1', 7).toString())).toEqual({
      type: 'incoming',
      id: '5.1',
      account: 'cw1',
      more: 7,
    })
  })
})

describe('notification topics', () => {
  it('select all notifications of a kind, or those for one asset definition', () => {
    const notice: Notice = { type: 'incoming', id: '5.1', account: 'a', definition: 'eur#bank' }
    expect(subscribes(['incoming'], notice)).toBe(true)
    expect(subscribes(['incoming:eur#bank'], notice)).toBe(true)
    expect(subscribes(['incoming:usd#bank', 'outgoing', 'account'], notice)).toBe(false)
  })
})

describe('the rate limit of notifications', () => {
  let nowMs = 0
  let sent: [string, Notice, number][]
  let answer: Sent
  const queueOf = (): NoticeQueue =>
    new NoticeQueue({
      send: async (id, notice, more) => {
        sent.push([id, notice, more])
        return answer
      },
      monotonicMs: () => nowMs,
      onError: (error) => {
        throw error
      },
    })
  const notice = (id: string): Notice => ({ type: 'incoming', id, account: 'a' })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  beforeEach(() => {
    nowMs = 1_000
    sent = []
    answer = { result: 'sent', status: 201, reason: undefined, retryAfterMs: undefined }
  })

  it('allows one per device in two seconds, which is the newest with the number of merged ones', async () => {
    const queue = queueOf()
    queue.add('d', notice('1.0'))
    queue.step()
    await settled()
    for (const id of ['2.0', '3.0', '4.0']) queue.add('d', notice(id))
    queue.step()
    nowMs += PAUSE_MS
    queue.step()
    await settled()
    expect(sent.map(([, { id }, more]) => [id, more])).toEqual([
      ['1.0', 0],
      ['4.0', 2],
    ])
  })

  it('allows 200 per device and day', async () => {
    const queue = queueOf()
    for (let count = 0; count < PER_DAY_MAX + 20; count++) {
      queue.add('d', notice(`${count}.0`))
      queue.step()
      await settled()
      nowMs += PAUSE_MS
    }
    expect(sent).toHaveLength(PER_DAY_MAX)
    nowMs += DAY_MS
    queue.step()
    await settled()
    expect(sent.at(-1)?.[2]).toBe(19)
  })

  it('allows five per step on a node, for any number of devices', async () => {
    const queue = queueOf()
    for (let count = 0; count < 1_000; count++) queue.add(`d${count}`, notice('1.0'))
    queue.step()
    await settled()
    expect(sent).toHaveLength(PER_STEP_MAX)
  })

  it('allows three retries at a failing push service before the next notification', async () => {
    const queue = queueOf()
    answer = { result: 'failed', status: 503, reason: undefined, retryAfterMs: 5_000 }
    queue.add('d', notice('1.0'))
    queue.step()
    await settled()
    for (const pauseMs of RETRIES_MS) {
      nowMs += pauseMs - 1
      queue.step()
      nowMs += 1
      queue.step()
      await settled()
    }
    expect(sent).toHaveLength(1 + RETRIES_MS.length)
    expect(queue.size).toBe(0)
    queue.remove('d')
    expect(queue.size).toBe(0)
  })
})

const LOOPBACK: OutboundConfig = { allow: ['127.0.0.0/8'], deny: [], allowHttp: true }
const by = (pair: KeyPair, operator = false): Caller => ({ kind: 'account', account: accountOf(pair), operator })

describe('registered devices', () => {
  let disk: Map<string, Buffer>
  let store: MemoryStore
  let node: FakeNode
  let devices: Devices
  let outbound: Outbound
  let server: Server
  let got: { readonly headers: IncomingMessage['headers']; readonly body: Buffer }[]
  let respond: (request: IncomingMessage, response: ServerResponse) => void
  let clockMs: number
  let nowMs: number
  const errors: unknown[] = []

  async function start(secret = Buffer.alloc(32, 5), config = LOOPBACK, timeoutMs = 20_000): Promise<void> {
    await outbound?.close()
    store = new MemoryStore(disk, secret)
    const records = new DeviceRecords(store, CODEC)
    outbound = new Outbound(config, timeoutMs)
    const { services } = node
    const vapid = async () => new Vapid(await records.vapidSecret(), 'mailto:ops@bank.example', () => clockMs)
    const upstream = { config: { url: `${url()}/upstream`, tokenFile: undefined }, outbound }
    devices = new Devices({
      services,
      records,
      outbound,
      sender: new Sender({ outbound, upstream, vapid, addressPrefix: 'cw' }),
      hasUpstream: true,
      membersOf: async () => [accountOf(alice)],
      wallMs: () => clockMs,
      monotonicMs: () => nowMs,
      onSent: () => undefined,
      onError: (error) => errors.push(error),
    })
    await devices.start()
  }
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  beforeEach(async () => {
    disk = new Map()
    node = new FakeNode()
    got = []
    errors.length = 0
    clockMs = 1_700_000_000_000
    nowMs = 1_000
    respond = (_, response) => void response.writeHead(201).end()
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        got.push({ headers: request.headers, body: Buffer.concat(parts) })
        respond(request, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await start()
  })
  afterEach(async () => {
    await outbound.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const asked = (
    browser: PushBrowser,
    topics: readonly string[] = ['incoming', 'outgoing', 'account'],
  ): RegisterDevice => ({
    platform: 'webpush',
    subscription: browser.subscription,
    token: undefined,
    topics,
  })
  async function registered(asking: RegisterDevice, caller = by(alice)) {
    const view = await devices.register(caller, asking, node.services)
    if (view instanceof LedgerError) throw view
    return view
  }
  async function notify(...blocks: Awaited<ReturnType<typeof blockAt>>[]): Promise<void> {
    node.commit(...blocks)
    const feed = new Feed(node.services.history, CODEC)
    for (const block of await feed.from(blocks[0]?.block.header.height ?? 0)) {
      for (const item of block.eventItems) await devices.notify(item)
    }
  }
  async function step(): Promise<void> {
    const before = got.length
    nowMs += PAUSE_MS
    devices.queue.step()
    await vi.waitFor(() => expect(got.length).toBeGreaterThan(before), { timeout: PATIENCE_MS })
    await pause(20)
  }

  it('receive an encrypted and signed notification of a payment, and none for events of other accounts', async () => {
    const browser = new PushBrowser(`${url()}/push`)
    const view = await registered(asked(browser))
    expect(view).toMatchObject({ platform: 'webpush', host: new URL(url()).host, expiresAtMs: clockMs + DEVICE_MS })
    expect(JSON.stringify(view)).not.toContain('/push')
    await notify(await blockAt(8, [[moved(125n)]]))
    await step()
    expect(JSON.parse(browser.read(got[0]?.body ?? Buffer.alloc(0)))).toMatchObject({
      type: 'outgoing',
      id: '8.0',
      amount: '125',
      definition: 'eur#d000',
    })
    expect(got[0]?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', topic: 'causeway-outgoing' })
    expect(got[0]?.headers.authorization).toMatch(/^vapid t=/)
    const others = { ...asked(browser, ['incoming:usd#bank']) }
    await registered(others)
    await notify(await blockAt(9, [[moved(1n)]]))
    expect(devices.queue.size).toBe(0)
  })

  it('are updated by the same subscription, limited in number, and visible to their owner only', async () => {
    const browser = new PushBrowser(`${url()}/push`)
    const first = await registered(asked(browser))
    expect((await registered(asked(browser, ['payments']))).id).toBe(first.id)
    for (let count = 1; count < DEVICES_PER_ACCOUNT_MAX; count++)
      await registered(asked(new PushBrowser(`${url()}/${count}`)))
    expect(await devices.register(by(alice), asked(new PushBrowser(`${url()}/more`)), node.services)).toMatchObject({
      code: 'notify_limit',
    })
    expect(devices.list(by(bob))).toEqual([])
    expect(await devices.remove(by(bob), first.id)).toMatchObject({ code: 'not_found' })
    expect(devices.list(by(bob, true))).toHaveLength(DEVICES_PER_ACCOUNT_MAX)
    await devices.remove(by(alice), first.id)
    expect(devices.size).toBe(DEVICES_PER_ACCOUNT_MAX - 1)
  })

  it('cannot belong to a key without an account', async () => {
    expect(await devices.register(by(bob), asked(new PushBrowser(`${url()}/x`)), node.services)).toMatchObject({
      code: 'forbidden',
    })
  })

  it('are encrypted on disk and survive a restart, without notifications for earlier events', async () => {
    const browser = new PushBrowser(`${url()}/push`)
    await registered(asked(browser))
    expect([...disk.values()].some((value) => value.includes('/push'))).toBe(false)
    await start()
    expect(devices.size).toBe(1)
    expect(devices.queue.size).toBe(0)
    await notify(await blockAt(8, [[moved(5n)]]))
    await step()
    expect(browser.read(got[0]?.body ?? Buffer.alloc(0))).toContain('outgoing')
    // Another network key reads none of it.
    await start(Buffer.alloc(32, 6))
    expect([devices.size, errors.length]).toEqual([0, 1])
  })

  it.each([404, 410])('are removed when the push service returns %d', async (status) => {
    await registered(asked(new PushBrowser(`${url()}/push`)))
    respond = (_, response) => void response.writeHead(status).end()
    await notify(await blockAt(8, [[moved(5n)]]))
    await step()
    expect(devices.size).toBe(0)
    expect([...disk.keys()].filter((key) => key.startsWith('notify:d:'))).toEqual([])
  })

  it.each([
    [404, 'refused', 1],
    [410, 'gone', 0],
  ])(
    'of other platforms, when the service of the operator returns %d, have the result %s, and %d remain',
    async (status, result, left) => {
      const { id } = await registered({
        platform: 'fcm',
        subscription: undefined,
        token: 'secret-token',
        topics: ['outgoing'],
      })
      respond = (_, response) => void response.writeHead(status).end()
      expect(await devices.test(by(alice), id)).toMatchObject({ result, status })
      expect([devices.size, [...disk.keys()].filter((key) => key.startsWith('notify:d:')).length]).toEqual([left, left])
    },
  )

  it('expire after 90 days', async () => {
    await registered(asked(new PushBrowser(`${url()}/push`)))
    clockMs += DEVICE_MS
    nowMs += DEVICE_MS
    await devices.sweep()
    expect([devices.size, [...disk.keys()].filter((key) => key.startsWith('notify:d:')).length]).toEqual([0, 0])
  })

  it('expire after 90 days even if the clock was set back after a sweep', async () => {
    await devices.sweep()
    clockMs -= 2 * DEVICE_MS
    await registered(asked(new PushBrowser(`${url()}/push`)))
    clockMs += DEVICE_MS
    nowMs += SWEEP_MS
    await devices.sweep()
    expect(devices.size).toBe(0)
  })

  it('of other platforms are notified through the service of the operator, with only the type and id', async () => {
    const view = await registered({
      platform: 'fcm',
      subscription: undefined,
      token: 'secret-token',
      topics: ['outgoing'],
    })
    expect(JSON.stringify(view)).not.toContain('secret-token')
    await notify(await blockAt(8, [[moved(5n)]]))
    await step()
    expect(JSON.parse(got[0]?.body.toString() ?? '')).toEqual({
      platform: 'fcm',
      token: 'secret-token',
      type: 'outgoing',
      id: '8.0',
    })
  })

  it('can receive test notifications from their owner within the rate limit', async () => {
    const view = await registered(asked(new PushBrowser(`${url()}/push`)))
    expect(await devices.test(by(alice), view.id)).toMatchObject({ result: 'sent', status: 201 })
    expect(await devices.test(by(alice), view.id)).toMatchObject({ code: 'rate_limited' })
    expect(await devices.test(by(bob), view.id)).toMatchObject({ code: 'not_found' })
  })

  it('share the rate limit of test notifications with an earlier registration', async () => {
    const asking = asked(new PushBrowser(`${url()}/push`))
    const { id } = await registered(asking)
    expect(await devices.test(by(alice), id)).toMatchObject({ result: 'sent' })
    await devices.remove(by(alice), id)
    expect((await registered(asking)).id).toBe(id)
    expect(await devices.test(by(alice), id)).toMatchObject({ code: 'rate_limited' })
  })

  it('are safe against endpoints that redirect, respond slowly, or are in the network of the node', async () => {
    const view = await registered(asked(new PushBrowser(`${url()}/push`)))
    respond = (_, response) => void response.writeHead(302, { location: `${url()}/inside` }).end()
    expect(await devices.test(by(alice), view.id)).toMatchObject({ result: 'refused', status: 302 })
    expect(got).toHaveLength(1)
    await start(undefined, LOOPBACK, 500)
    respond = () => undefined
    expect(await devices.test(by(alice), view.id)).toMatchObject({ result: 'failed', reason: 'timeout' })
    await start()
    respond = (_, response) => {
      response.writeHead(201)
      const timer = setInterval(() => response.write('x'.repeat(64 * 1_024)), 10)
      response.on('close', () => clearInterval(timer))
    }
    expect(await devices.test(by(alice), view.id)).toMatchObject({ result: 'sent', status: 201 })
    await start(undefined, { allow: [], deny: [], allowHttp: false })
    for (const endpoint of [
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://10.0.0.1/',
      'https://0x7f000001/',
      'http://push.example/',
    ])
      expect(await devices.register(by(alice), asked(new PushBrowser(endpoint)), node.services)).toMatchObject({
        code: 'notify_device_refused',
      })
    // One that was stored while more was allowed is judged again.
    nowMs += PAUSE_MS
    expect(await devices.test(by(alice), view.id)).toMatchObject({ result: 'failed', reason: 'network' })
  })

  it('are not stored if the disk is unavailable', async () => {
    store.isBroken = true
    await expect(
      devices.register(by(alice), asked(new PushBrowser(`${url()}/push`)), node.services),
    ).rejects.toMatchObject({
      code: 'integrations_unavailable',
    })
    expect(devices.size).toBe(0)
  })

  it('are accepted or refused without an exception for any client input', async () => {
    const text = fc.oneof(fc.string({ maxLength: 90 }), fc.base64String({ maxLength: 88 }), fc.constant(''))
    const subscription = fc.record({
      endpoint: fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.constantFrom('https://[::ffff:7f00:1]/', 'https://１２７.0.0.1/'),
      ),
      keys: fc.record({
        p256dh: text,
        auth: fc.oneof(fc.string({ maxLength: 26 }), fc.constant('BTBZMqHH6r4Tts7J_aSIgg')),
      }),
    })
    const body = fc.record({
      platform: fc.constantFrom('Webpush', 'Fcm', 'Apns', 'webpush', 'x'),
      subscription: fc.option(subscription, { nil: undefined }),
      token: fc.option(fc.string(), { nil: undefined }),
      topics: fc.array(
        fc.oneof(fc.constantFrom('incoming', 'incoming:eur#bank', '__proto__', 'payments:x'), fc.string()),
        { maxLength: 4 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const decoded = registerDevice.fromJson(JSON.parse(JSON.stringify(json)), CODEC)
        if (!decoded.ok) return
        const result = await devices.register(by(alice), decoded.value, node.services)
        if (result instanceof LedgerError) expect(['notify_device_refused', 'notify_limit']).toContain(result.code)
        else await devices.remove(by(alice), result.id)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the notification configuration', () => {
  const values = (all: Record<string, unknown>) =>
    ({ get: (key: string) => all[key], has: (key: string) => key in all, path: (key: string) => all[key] }) as never
  it.each([
    [{ 'notify.enabled': true }, 'requires notify.subject'],
    [{ 'notify.subject': 'ops@bank.example' }, 'mailto:'],
    [{ 'notify.upstream_url': 'file:///etc/passwd' }, 'a service such as'],
    // The configuration is printed, and included in bundles for others.
    [{ 'notify.upstream_url': 'https://bank:secret@push.bank.example/send' }, 'without user name and password'],
  ])('refuses %j', (given, why) => {
    expect(notifyConfig.check?.(values(given))[0]?.message).toContain(why)
  })
  it('is off by default', () => {
    expect(notifyConfig.build(values({ 'notify.enabled': false }))).toEqual({
      enabled: false,
      subject: '',
      upstream: undefined,
    })
  })
})
