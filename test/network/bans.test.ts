/** Peers whose bytes did what those of no correct peer do: their link ends, the node goes on, and they wait longer each time. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { linkIdentity } from '../../src/network/certificate.js'
import { encodeHello, refusal, WIRE_VERSION } from '../../src/network/handshake.js'
import {
  BAN_MIN_MS,
  CHANNEL_MESSAGE_MAX_BYTES,
  LINK_LINES_MAX,
  PART_MAX_BYTES,
  REFUSAL_DIFFERENCES_MAX,
} from '../../src/network/limits.js'
import { clientOptions } from '../../src/network/tls.js'
import { FrameReader, frameHead, type ReceivedFrame } from '../../src/network/wire.js'
import { closeLinks, pair, TestNode, testHello, testPeer, until } from './support.js'

afterEach(closeLinks)

/** A raw link of a registered peer, past TLS; what it sends is the test's affair. */
async function rawLink(node: TestNode, name: string) {
  const [host, port] = node.links.address.split(':')
  const options = clientOptions(linkIdentity(testPeer(name).seed))
  const socket = connect({ ...options, host, port: Number(port) })
  socket.on('error', () => {})
  const received: ReceivedFrame[] = []
  const reader = new FrameReader()
  socket.on('data', (bytes: Buffer) => reader.push(bytes, (one) => received.push(one) > 0))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve) => socket.once('secureConnect', () => resolve()))
  const frame = (channel: number, kind: 'hello' | 'message' | 'part', body: Uint8Array): void => {
    socket.write(Buffer.concat([frameHead(channel, kind, body.length), body]))
  }
  return { socket, closed, frame, received }
}
const helloOf = (name: string, changes = {}): Buffer =>
  encodeHello({ ...testHello(testPeer(name).peer.key, changes), wireVersion: WIRE_VERSION, nonce: randomBytes(32) })

test('a Hello with more differences than a refusal can list is refused, and the node continues', async () => {
  const a = await new TestNode(testPeer('a'), [testPeer('b').peer]).start()
  const features = new Map(Array.from({ length: 256 }, (_, at) => [`feature ${at}`, randomBytes(32)] as const))
  const link = await rawLink(a, 'b')
  const outsider = testPeer('other').peer.key
  link.frame(
    0,
    'hello',
    encodeHello({
      ...testHello(outsider, {
        features: new Map([...features].sort(([x], [y]) => (x < y ? -1 : 1))),
        // Features are compared where both carry the active ABI by another hash.
        abis: [{ number: 1, hash: randomBytes(32) }],
      }),
      wireVersion: WIRE_VERSION,
      nonce: randomBytes(32),
    }),
  )
  await link.closed
  const refusals = link.received.flatMap(({ kind, body }) => (kind === 'refusal' ? [refusal.decode(body)] : []))
  expect(refusals).toMatchObject([{ ok: true }])
  expect(refusals.flatMap((one) => (one.ok ? one.value.differences : []))).toHaveLength(REFUSAL_DIFFERENCES_MAX)
  const honest = await new TestNode(testPeer('b'), [a.record]).start()
  await until(() => honest.ups.length === 1)
})

test('an exception in a handler closes only the link of its message', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  a.onMessage = () => {
    throw new TypeError('a message that nobody thought of')
  }
  b.links.send(a.self.peer.key, 'gossip', Buffer.from('x'))
  await until(() => a.faults.length === 1)
  expect(a.faults).toEqual([{ key: b.self.peer.key, kind: 'handler' }])
  await until(() => a.downs.length === 1)
  a.onMessage = undefined
  await until(() => a.ups.length === 2)
})

test.each([
  ['consensus', 0],
  ['gossip', 2],
] as const)('a message longer than the limit of %s is rejected before it is complete', async (channel, number) => {
  const a = await new TestNode(testPeer('a'), [testPeer('b').peer]).start()
  const link = await rawLink(a, 'b')
  link.frame(0, 'hello', helloOf('b'))
  await until(() => a.ups.length === 1)
  const parts = Math.floor(CHANNEL_MESSAGE_MAX_BYTES[channel] / PART_MAX_BYTES) + 1
  for (let part = 0; part < parts; part++) link.frame(number, 'part', Buffer.alloc(PART_MAX_BYTES))
  await link.closed
  expect(a.faults).toEqual([{ key: testPeer('b').peer.key, kind: 'protocol' }])
  expect(a.messages).toEqual([])
})

test('a banned key is refused with the reason, reported in the status, and accepted after the ban', async () => {
  const [a, b] = await pair()
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  const clock = vi.spyOn(performance, 'now')
  try {
    a.links.ban(b.self.peer.key, 'its signatures are invalid')
    await until(() => a.downs.length === 1)
    expect(a.state(b.self.peer.key).lastError).toMatch(/^banned for another 10 s: its signatures are invalid/)
    await until(() => b.state(a.self.peer.key).lastError?.includes('its signatures are invalid') === true)
    expect(a.ups.length).toBe(1)
    const real = clock.getMockImplementation()
    // Whole milliseconds, so that a difference of two times is exact.
    const now = Math.round(performance.now())
    clock.mockImplementation(() => now + BAN_MIN_MS + 1)
    expect(real).toBeUndefined()
    await until(() => a.ups.length === 2)
    // The next ban lasts twice as long, and is told in the log once a minute.
    a.links.ban(b.self.peer.key, 'its signatures are invalid')
    expect(a.state(b.self.peer.key).lastError).toMatch(/^banned for another 20 s/)
    expect(a.logs.filter(({ message }) => message === 'peer banned').map(({ level }) => level)).toEqual([
      'warn',
      'debug',
    ])
  } finally {
    clock.mockRestore()
  }
})

test('a peer that is not banned keeps its link', async () => {
  const [one, two] = [testPeer('b'), testPeer('c')]
  const a = await new TestNode(testPeer('a'), [one.peer, two.peer]).start()
  const b = await new TestNode(one, [a.record]).start()
  const c = await new TestNode(two, [a.record]).start()
  await until(() => a.ups.length === 2 && b.ups.length === 1 && c.ups.length === 1)
  a.links.ban(one.peer.key, 'test')
  await until(() => a.downs.length === 1)
  expect(a.isConnected(two.peer.key)).toBe(true)
  expect(c.downs).toEqual([])
})

test('a flapping peer does not fill the log', async () => {
  const a = await new TestNode(testPeer('a'), [testPeer('b').peer]).start()
  for (let at = 1; at <= LINK_LINES_MAX; at += 1) {
    const link = await rawLink(a, 'b')
    link.frame(0, 'hello', helloOf('b'))
    await until(() => a.ups.length === at)
    link.socket.destroy()
    await until(() => a.downs.length === at)
  }
  const lines = a.logs.filter(({ message }) => /^peer (connected|disconnected)$/.test(message))
  expect(lines.filter(({ level }) => level === 'info')).toHaveLength(LINK_LINES_MAX)
  expect(lines).toHaveLength(2 * LINK_LINES_MAX)
})
