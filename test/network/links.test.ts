// Checks links between nodes: messages, one link per pair, restarts, changes of the peer set, large and slow, nothing left.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { linkIdentity } from '../../src/network/certificate.js'
import { encodeHello, WIRE_VERSION } from '../../src/network/handshake.js'
import {
  CHANNEL_MESSAGE_MAX_BYTES,
  CONSENSUS_QUEUE_MAX_BYTES,
  GOSSIP_QUEUE_MAX_BYTES,
  PART_MAX_BYTES,
} from '../../src/network/limits.js'
import { clientOptions } from '../../src/network/tls.js'
import { CHANNELS, FrameReader, frameHead } from '../../src/network/wire.js'
import { closeLinks, pair, pause, TestNode, testHello, testPeer, until } from './support.js'

afterEach(closeLinks)

test('links that were not started accept no message, have no peers and close at once', async () => {
  const a = new TestNode(testPeer('a'), [testPeer('b').peer])
  expect([
    a.links.send(testPeer('b').peer.key, 'consensus', Buffer.of(1)),
    a.links.broadcast('gossip', Buffer.of(1)),
  ]).toEqual([false, 0])
  a.links.updatePeers()
  a.links.ban(testPeer('b').peer.key, 'test')
  expect([a.links.connected(), a.links.isConnected(testPeer('b').peer.key), a.links.states()]).toEqual([[], false, []])
  await a.links.close()
})

test('messages arrive once, in order, on their channel, each in its own memory', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  expect([a.ups, b.ups]).toEqual([[b.self.peer.key], [a.self.peer.key]])
  expect(a.hellos[0]?.release).toBe('0.0.0-test')
  for (let at = 0; at < 500; at += 1) {
    expect(a.links.send(b.self.peer.key, 'consensus', Buffer.from(`to b ${at}`))).toBe(true)
    b.links.broadcast('gossip', Buffer.from(`to a ${at}`))
  }
  b.links.send(a.self.peer.key, 'payload', Buffer.alloc(0))
  await until(() => b.messages.length === 500 && a.messages.length === 501)
  expect(b.messages.map(({ body }) => body.toString())).toEqual(Array.from({ length: 500 }, (_, at) => `to b ${at}`))
  expect(new Set(b.messages.map(({ from, channel }) => from + channel))).toEqual(
    new Set([`${a.self.peer.key}consensus`]),
  )
  for (const { body } of b.messages) expect([body.byteOffset, body.buffer.byteLength]).toEqual([0, body.length])
  const empty = a.messages.find(({ channel }) => channel === 'payload')
  expect(empty?.body.length).toBe(0)
  await until(() => a.state(b.self.peer.key).rttMs !== undefined)
  const state = b.state(a.self.peer.key)
  expect([state.connected, state.address, state.lastError, state.height, state.role]).toEqual([
    true,
    a.links.address,
    undefined,
    1,
    'validator',
  ])
  expect(Math.min(state.bytesIn, state.bytesOut)).toBeGreaterThan(1000)
  expect(a.links.send('nobody', 'consensus', Buffer.from('x'))).toBe(false)
})

test('messages sent in one turn of the event loop leave in one write', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  await pause(50)
  const before = b.state(a.self.peer.key).bytesIn
  for (let at = 0; at < 100; at += 1) a.links.send(b.self.peer.key, 'consensus', Buffer.alloc(10))
  await until(() => b.messages.length === 100)
  // 100 frames of 16 bytes and one TLS record around them (22 bytes, and at most one pong besides).
  expect(b.state(a.self.peer.key).bytesIn - before).toBeLessThan(1600 + 2 * 22 + 10)
})

test('a large message arrives complete, and does not delay votes', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1)
  const large = randomBytes(30 * 1024 * 1024)
  a.links.send(b.self.peer.key, 'payload', large)
  await pause(0)
  for (let at = 0; at < 20; at += 1) a.links.send(b.self.peer.key, 'consensus', Buffer.from([at]))
  const parts = randomBytes(2 * PART_MAX_BYTES)
  a.links.send(b.self.peer.key, 'gossip', parts)
  await until(() => b.messages.length === 22)
  expect(b.messages.slice(0, 20).map(({ body }) => body[0])).toEqual(Array.from({ length: 20 }, (_, at) => at))
  expect(b.messages.slice(20).map(({ channel }) => channel)).toEqual(['payload', 'gossip'])
  expect(b.messages[20]?.body.equals(large)).toBe(true)
  expect(b.messages[21]?.body.equals(parts)).toBe(true)
  for (const channel of CHANNELS) {
    const tooLong = Buffer.alloc(CHANNEL_MESSAGE_MAX_BYTES[channel] + 1)
    expect(a.links.send(b.self.peer.key, channel, tooLong)).toBe(false)
  }
})

test('simultaneous dials result in one link on both sides, without a lost message', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [one, two] = [testPeer(`x${round}`), testPeer(`y${round}`)]
    const a = await new TestNode(one, []).start()
    const b = await new TestNode(two, []).start()
    a.addPeers(b.record)
    b.addPeers(a.record)
    await until(() => a.isConnected(two.peer.key) && b.isConnected(one.peer.key))
    for (let at = 0; at < 50; at += 1) {
      a.links.send(two.peer.key, 'consensus', Buffer.from([at]))
      b.links.send(one.peer.key, 'consensus', Buffer.from([at]))
      await pause(at % 10 === 0 ? 30 : 0)
    }
    await until(() => a.messages.length === 50 && b.messages.length === 50)
    await pause(1_000)
    expect([a.ups.length, b.ups.length, a.downs.length, b.downs.length]).toEqual([1, 1, 0, 0])
    // The listener of one side holds the connection that stays, the other's holds none.
    const open = await Promise.all([a, b].map((node) => connections(node)))
    expect(open.reduce((sum, count) => sum + count, 0)).toBe(1)
    await Promise.all([a.stop(), b.stop()])
  }
})

/** Incoming connections of a node's listener. */
function connections(node: TestNode): Promise<number> {
  const { listener } = node.links as unknown as {
    listener: { server: { getConnections(done: (e: unknown, n: number) => void): void } }
  }
  return new Promise((resolve) => listener.server.getConnections((_, count) => resolve(count)))
}

test('a restarted peer is connected again, in either role', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  const { address } = a.links
  await a.stop()
  await until(() => b.downs.length === 1)
  expect([b.downs[0]?.key, b.downs[0]?.reason.code]).toEqual([a.self.peer.key, 'unreachable'])
  await until(() => (b.state(a.self.peer.key).lastError ?? '').includes('ECONNREFUSED'))
  const again = await new TestNode(a.self, [b.self.peer], {}, address).start()
  await until(() => b.ups.length === 2 && again.ups.length === 1)
  expect(b.state(a.self.peer.key)).toMatchObject({ connected: true, lastError: undefined })
  // The dialing side restarts: the listener sees it go and come.
  await b.stop()
  await until(() => again.downs.length === 1)
  await new TestNode(b.self, [again.record]).start()
  await until(() => again.ups.length === 2)
})

test('a silently vanished peer is replaced when it dials again', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1)
  const sockets = (b.links as unknown as { links: Map<{ socket: { destroy(): void } }, unknown> }).links
  expect(sockets.size).toBe(1)
  // The same node dials a second time while its first link still stands at the listener.
  const redialled = await new TestNode(b.self, [a.record]).start()
  await until(() => redialled.ups.length === 1)
  redialled.links.send(a.self.peer.key, 'consensus', Buffer.from('from the new link'))
  await until(() => a.messages.length === 1)
  expect(a.ups.length).toBe(1)
  await b.stop()
  await pause(100)
  expect(a.isConnected(b.self.peer.key)).toBe(true)
})

test('later addresses of a peer are tried if the first ones fail', async () => {
  const [one, two] = [testPeer('a'), testPeer('b')]
  const a = await new TestNode(one, [two.peer]).start()
  const addresses = ['not an address', '127.0.0.1:1', '[::1]:1', a.links.address]
  const b = await new TestNode(two, [{ ...a.record, addresses }]).start()
  await until(() => b.ups.length === 1)
})

test('new peers are dialled, and removed ones are notified and closed', async () => {
  const [a, b] = await pair()
  const c = await new TestNode(testPeer('c'), [a.record]).start()
  await until(() => a.ups.length === 1 && (c.state(a.self.peer.key).lastError ?? '').includes('is not registered'))
  a.addPeers(b.record, c.record)
  await until(() => a.ups.length === 2 && c.ups.length === 1)
  expect(a.links.connected().sort()).toEqual([b.self.peer.key, c.self.peer.key].sort())
  a.addPeers(c.record)
  await until(() => a.downs.length === 1 && b.downs.length === 1)
  expect(a.downs[0]?.key).toBe(b.self.peer.key)
  expect(b.downs[0]?.reason.message).toContain('no longer registered')
  expect(a.links.states().map((state) => state.key)).toEqual([c.self.peer.key])
  // Another network key under the same validator key: the old link goes.
  const fresh = testPeer('fresh')
  a.addPeers({ ...c.record, networkKey: fresh.peer.networkKey })
  await until(() => a.downs.length === 2)
})

test.each(['before', 'after'])(
  'an observer registered %s a validator with the same network key does not block the validator',
  async (place) => {
    const [one, two] = [testPeer('a'), testPeer('b')]
    const other = { ...testPeer('other').peer, networkKey: two.peer.networkKey, role: 'observer' as const }
    const a = await new TestNode(one, place === 'before' ? [other, two.peer] : [two.peer, other]).start()
    await new TestNode(two, [a.record]).start()
    await until(() => a.isConnected(two.peer.key))
    expect(a.isConnected(other.key)).toBe(false)
  },
)

test('a node registered with a second validator key is linked once the old key is removed', async () => {
  const [one, two] = [testPeer('a'), testPeer('b')]
  const old = { ...testPeer('old').peer, networkKey: two.peer.networkKey }
  const a = await new TestNode(one, [old]).start()
  a.addPeers(old, two.peer)
  a.addPeers(two.peer)
  await new TestNode(two, [a.record]).start()
  await until(() => a.isConnected(two.peer.key))
})

test('a port in use is reported', async () => {
  const [a] = await pair()
  const other = new TestNode(testPeer('o'), [], {}, a.links.address)
  await expect(other.start()).rejects.toMatchObject({ code: 'address_in_use' })
  await expect(new TestNode(testPeer('o'), [], {}, 'nonsense').start()).rejects.toMatchObject({
    code: 'config_invalid',
  })
})

test('a slow reader loses gossip and payloads, a full consensus queue ends its link, and memory stays bounded', async () => {
  const one = testPeer('a')
  const slow = testPeer('slow')
  const a = await new TestNode(one, [slow.peer]).start()
  const socket = connect({ ...clientOptions(linkIdentity(slow.seed)), host: '127.0.0.1', port: portOf(a) })
  socket.on('error', () => {})
  const hello = encodeHello({ ...testHello(slow.peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) })
  socket.once('secureConnect', () => socket.write(Buffer.concat([frameHead(0, 'hello', hello.length), hello])))
  await until(() => a.ups.length === 1)
  // It reads nothing from here on.
  const body = Buffer.alloc(1024 * 1024)
  let taken = 0
  for (let at = 0; at < 100; at += 1) if (a.links.send(slow.peer.key, 'gossip', body)) taken += 1
  await pause(50)
  for (let at = 0; at < 100; at += 1) if (a.links.send(slow.peer.key, 'gossip', body)) taken += 1
  expect(taken).toBeGreaterThan(5)
  // The queue, the window and what the system's buffers take.
  expect(taken * body.length).toBeLessThan(2 * GOSSIP_QUEUE_MAX_BYTES + 16 * 1024 * 1024)
  expect(a.isConnected(slow.peer.key)).toBe(true)
  let sent = 0
  while (a.links.send(slow.peer.key, 'consensus', body)) sent += 1
  expect(sent * body.length).toBeLessThanOrEqual(CONSENSUS_QUEUE_MAX_BYTES)
  await until(() => a.downs.length === 1)
  expect(a.downs[0]?.reason.message).toContain('too slow for consensus')
  socket.destroy()
})

const portOf = (node: TestNode): number => Number(node.links.address.split(':')[1])

test('frames that violate the protocol close the link', async () => {
  const one = testPeer('a')
  const rough = testPeer('rough')
  const hello = encodeHello({ ...testHello(rough.peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) })
  const good = Buffer.concat([frameHead(0, 'hello', hello.length), hello])
  const message = (bytes: number) => Buffer.concat([frameHead(0, 'message', bytes), Buffer.alloc(bytes)])
  const cases: [string, Buffer, boolean][] = [
    ['exceeds', Buffer.concat([good, frameHead(0, 'message', PART_MAX_BYTES + 1)]), true],
    ['exceeds', frameHead(0, 'hello', 1_000_000), false],
    ['before the handshake', message(3), false],
    ['unknown channel 7', Buffer.concat([good, Buffer.of(0, 0, 0, 2, 7, 0)]), true],
    ['unknown kind', Buffer.concat([good, Buffer.of(0, 0, 0, 2, 0, 99)]), true],
    ['too short', Buffer.concat([good, Buffer.of(0, 0, 0, 1, 0, 0)]), true],
    ['wrong size', Buffer.concat([good, frameHead(0, 'part', 3), Buffer.alloc(3)]), true],
    ['wrong size', Buffer.concat([good, frameHead(0, 'ping', 9), Buffer.alloc(9)]), true],
    ['a second Hello', Buffer.concat([good, good]), true],
    ['does not decode', Buffer.concat([frameHead(0, 'hello', 5), Buffer.of(1, 0, 9, 9, 9)]), false],
  ]
  for (const [what, bytes, up] of cases) {
    const a = await new TestNode(one, [rough.peer]).start()
    const socket = connect({ ...clientOptions(linkIdentity(rough.seed)), host: '127.0.0.1', port: portOf(a) })
    socket.on('error', () => {})
    socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.once('secureConnect', () => socket.write(bytes))
    await closed
    await until(() => (a.state(rough.peer.key).lastError ?? '').includes(what))
    expect([what, a.ups.length]).toEqual([what, up ? 1 : 0])
    await a.stop()
  }
})

test('a flood of message parts that exceed the largest message closes the link', async () => {
  const one = testPeer('a')
  const rough = testPeer('rough')
  const a = await new TestNode(one, [rough.peer]).start()
  const socket = connect({ ...clientOptions(linkIdentity(rough.seed)), host: '127.0.0.1', port: portOf(a) })
  socket.on('error', () => {})
  socket.resume()
  const hello = encodeHello({ ...testHello(rough.peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) })
  socket.once('secureConnect', () => {
    socket.write(Buffer.concat([frameHead(0, 'hello', hello.length), hello]))
    const part = Buffer.concat([frameHead(1, 'part', PART_MAX_BYTES), Buffer.alloc(PART_MAX_BYTES)])
    for (let at = 0; at < 262; at += 1) socket.write(part)
  })
  await until(() => a.downs.length === 1)
  expect(a.downs[0]?.reason.message).toContain('a message exceeds')
  socket.destroy()
})

test('a silent link is closed, but not after a pause of the local process', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  type Inside = { entries: Map<string, { link: { ping(nowMs: number): void } }>; pingAll(): void; lastPingsMs: number }
  const inside = a.links as unknown as Inside
  inside.lastPingsMs = performance.now() - 60_000
  inside.pingAll()
  expect(a.isConnected(b.self.peer.key)).toBe(true)
  inside.entries.get(b.self.peer.key)?.link.ping(performance.now() + 15_100)
  await until(() => a.downs.length === 1 && b.downs.length === 1)
  expect(a.downs[0]?.reason.message).toContain('was silent for')
})

test('messages sent before a stop still arrive, and nothing keeps running', async () => {
  // Connections of the previous test end first.
  let before = ''
  for (let seen = ' '; seen !== before; await pause(100)) {
    seen = before
    before = process.getActiveResourcesInfo().sort().join()
  }
  const [a, b] = await pair()
  const c = await new TestNode(testPeer('c'), [a.record, { ...testPeer('d').peer, addresses: ['127.0.0.1:1'] }]).start()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  for (let at = 0; at < 100; at += 1) a.links.send(b.self.peer.key, 'consensus', Buffer.alloc(10_000, at))
  await a.stop()
  await until(() => b.messages.length === 100)
  await Promise.all([b.stop(), c.stop()])
  const running = (): string => process.getActiveResourcesInfo().sort().join()
  await until(() => running() === before)
})

test('a stream split at any position decodes to the same frames', () => {
  const bodies = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')]
  const stream = Buffer.concat(bodies.flatMap((body, at) => [frameHead(at, 'message', body.length), body]))
  for (let step = 1; step <= stream.length; step += 1) {
    const reader = new FrameReader()
    const found: string[] = []
    for (let at = 0; at < stream.length; at += step) {
      const fault = reader.push(stream.subarray(at, at + step), ({ channel, kind, body }) => {
        found.push(`${channel} ${kind} ${body.toString()}`)
        return true
      })
      expect(fault).toBeUndefined()
    }
    expect(found).toEqual(['consensus message one', 'payload message ', 'gossip message three'])
  }
})
