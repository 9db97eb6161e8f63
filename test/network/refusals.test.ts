// Checks who is refused and that both sides can say why: keys, certificates, resumed sessions, differences of the handshake.
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ConnectionOptions, connect, createServer, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { ed25519PublicKey, hash } from '../../src/crypto/index.js'
import { keyString } from '../../src/model/index.js'
import { certificateKey, linkIdentity } from '../../src/network/certificate.js'
import { decodeHello, encodeHello, refusal, WIRE_VERSION } from '../../src/network/handshake.js'
import { type LocalHello, STANDBY_ACTIVE } from '../../src/network/index.js'
import { authenticate, clientOptions, serverOptions } from '../../src/network/tls.js'
import { FrameReader, frameHead } from '../../src/network/wire.js'
import { closeLinks, pair, pause, TestNode, testHello, testPeer, until } from './support.js'

afterEach(closeLinks)

const seedOf = (text: string): Buffer => testPeer(text).seed

test('the certificate is self-signed with the network key, and valid whatever its dates', () => {
  const seed = seedOf('a')
  const identity = linkIdentity(seed)
  const certificate = new X509Certificate(identity.certificate)
  expect(certificateKey(certificate)).toEqual(ed25519PublicKey(seed))
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.issuer).toBe(certificate.subject)
  expect(linkIdentity(seed).certificate).toBe(identity.certificate)
  expect(certificate.validTo).toBe('Dec 31 23:59:59 9999 GMT')
  const old = new X509Certificate(
    linkIdentity(seed, { notBefore: '20000101000000Z', notAfter: '20010101000000Z' }).certificate,
  )
  expect(old.validTo).toBe('Jan  1 00:00:00 2001 GMT')
})

test('a certificate with another kind of key yields no network key', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(certificateKey({ publicKey } as unknown as X509Certificate)).toBeUndefined()
})

/** Text of the refusal that a listener sends to a raw client before it closes, or undefined. */
async function rawDial(
  node: TestNode,
  options: ConnectionOptions,
): Promise<{ why: string | undefined; hello: boolean }> {
  const [host, port] = node.links.address.split(':')
  const socket = connect({ ...options, host, port: Number(port), rejectUnauthorized: false })
  const seen: { why: string | undefined; hello: boolean } = { why: undefined, hello: false }
  const reader = new FrameReader()
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    reader.push(chunk, ({ kind, body }) => {
      if (kind === 'hello') seen.hello = true
      const decoded = kind === 'refusal' ? refusal.decode(body) : undefined
      if (decoded?.ok === true) seen.why = decoded.value.message
      return true
    })
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return seen
}

test('a listener refuses an unknown key, a missing certificate, and TLS without the protocol', async () => {
  const a = await new TestNode(testPeer('a'), [testPeer('b').peer]).start()
  const outsider = await rawDial(a, clientOptions(linkIdentity(seedOf('stranger'))))
  expect(outsider.hello).toBe(false)
  expect(outsider.why).toMatch(/^network key ed0120[0-9A-F]{64} is not registered$/)
  const { key: _key, cert: _cert, ...bare } = clientOptions(linkIdentity(seedOf('b')))
  expect(await rawDial(a, bare)).toEqual({ why: 'the other side has no certificate', hello: false })
  const { ALPNProtocols: _alpn, ...noProtocol } = clientOptions(linkIdentity(seedOf('b')))
  const other = await rawDial(a, noProtocol)
  expect(other.hello).toBe(false)
  expect(other.why).toBe('the other side does not use the peer protocol')
  const old = { ...clientOptions(linkIdentity(seedOf('b'))), minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const
  expect(await rawDial(a, old)).toEqual({ why: undefined, hello: false })
  expect(a.ups).toEqual([])
})

test('an expired certificate of the correct key is accepted', async () => {
  const [one, two] = [testPeer('a'), testPeer('b')]
  const a = await new TestNode(one, [two.peer]).start()
  const expired = linkIdentity(two.seed, { notBefore: '20000101000000Z', notAfter: '20010101000000Z' })
  const [host, port] = a.links.address.split(':')
  const socket = connect({ ...clientOptions(expired), host, port: Number(port) })
  const hello = encodeHello({ ...testHello(two.peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) })
  socket.once('secureConnect', () => socket.write(Buffer.concat([frameHead(0, 'hello', hello.length), hello])))
  socket.resume()
  await until(() => a.ups.length === 1)
  socket.destroy()
})

test('a dialler refuses any key but the pinned one, registered or not, and notifies the other side', async () => {
  const [one, two, three] = [testPeer('a'), testPeer('b'), testPeer('c')]
  const b = await new TestNode(two, [one.peer]).start()
  // The address of c leads to b, which is registered too.
  const a = await new TestNode(one, [two.peer, { ...three.peer, addresses: [b.links.address] }]).start()
  await until(() => (a.state(three.peer.key).lastError ?? '').includes('network key differs: ours'))
  await until(() => (b.state(one.peer.key).lastError ?? '').includes('refuses this node: network key differs: ours'))
  const ours = a.state(three.peer.key).lastError ?? ''
  expect(ours).toMatch(/ours ed0120[0-9A-F]{64}, theirs ed0120[0-9A-F]{64}/)
  expect([a.ups, b.ups]).toEqual([[], []])
  const outsider = await new TestNode(testPeer('s'), [one.peer]).start()
  a.addPeers({ ...three.peer, addresses: [outsider.links.address] })
  await until(() => (outsider.state(one.peer.key).lastError ?? '').includes('refuses this node: network key differs'))
})

test('a standby acting as its validator at the address of an observer is reported as active, not as a wrong key', async () => {
  const [one, validator, observer] = [testPeer('a'), testPeer('b'), testPeer('c')]
  const b = await new TestNode(validator, [one.peer]).start()
  const standby = { ...observer.peer, role: 'observer' as const, addresses: [b.links.address] }
  const a = await new TestNode(one, [validator.peer, standby]).start()
  await until(() => (a.state(standby.key).lastError ?? '').includes(STANDBY_ACTIVE))
  expect(a.state(standby.key).lastError).not.toContain('network key differs')
})

test('a dialler refuses a server without the protocol', async () => {
  const two = testPeer('b')
  const { ALPNProtocols: _, ...noProtocol } = serverOptions(linkIdentity(two.seed))
  const server = createServer(noProtocol, (socket) => socket.on('error', () => {}).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const a = await new TestNode(testPeer('a'), [{ ...two.peer, addresses: [`127.0.0.1:${port}`] }]).start()
  await until(() => (a.state(two.peer.key).lastError ?? '').includes('does not use the peer protocol'))
  expect(a.ups).toEqual([])
  await a.stop()
  server.close()
})

/** A TLS pair; with a session the second handshake resumes the first. */
async function resumedPair(): Promise<{ first: boolean[]; second: ReturnType<typeof authenticate>[] }> {
  const [one, two] = [linkIdentity(seedOf('a')), linkIdentity(seedOf('b'))]
  // Tickets on: what a careless server would do.
  const server = createServer({ ...serverOptions(one), secureOptions: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dial = async (session?: Buffer) => {
    const accepted = once(server, 'secureConnection') as Promise<[TLSSocket]>
    const socket = connect({ ...clientOptions(two), host: '127.0.0.1', port, session })
    const ticket = once(socket, 'session') as Promise<[Buffer]>
    await once(socket, 'secureConnect')
    const [other] = await accepted
    socket.resume()
    const results = [authenticate(socket), authenticate(other)]
    const [ticketBytes] = session === undefined ? await ticket : [Buffer.alloc(0)]
    socket.destroy()
    other.destroy()
    return { results, session: ticketBytes }
  }
  const fresh = await dial()
  const resumed = await dial(fresh.session)
  server.close()
  return { first: fresh.results.map((result) => result.ok), second: resumed.results }
}

test('a resumed session is refused on both sides', async () => {
  const { first, second } = await resumedPair()
  expect(first).toEqual([true, true])
  const refused = { ok: false, why: 'the TLS session must not be resumed' }
  expect(second).toEqual([refused, refused])
})

test('a listener issues no resumable session', async () => {
  const two = testPeer('b')
  const a = await new TestNode(testPeer('a'), [two.peer]).start()
  const [host, port] = a.links.address.split(':')
  const options = { ...clientOptions(linkIdentity(two.seed)), host, port: Number(port) }
  const sessions: Buffer[] = []
  const dial = async (session?: Buffer) => {
    const socket = connect({ ...options, session })
    socket.on('error', () => {})
    socket.on('session', (one: Buffer) => sessions.push(one))
    socket.resume()
    await once(socket, 'secureConnect')
    await pause(100)
    const reused = socket.isSessionReused()
    socket.destroy()
    return reused
  }
  expect(await dial()).toBe(false)
  for (const session of [...sessions]) expect(await dial(session)).toBe(false)
})

test('two processes with one network key report it on both sides', async () => {
  const one = testPeer('a')
  const a = await new TestNode(one, []).start()
  // The twin runs with the same network key and dials it under another name.
  const other = { ...testPeer('b').peer, networkKey: one.peer.networkKey, addresses: [a.links.address] }
  const impostor = await new TestNode({ ...testPeer('z'), seed: one.seed }, [other]).start()
  await until(() => (impostor.state(other.key).lastError ?? '').includes('one network key'))
  await until(() => a.logs.some(({ fields }) => String(fields.reason).includes('one network key')))
})

const h = (text: string): Buffer => hash('test', Buffer.from(text))
const differences: [string, Partial<LocalHello>, RegExp][] = [
  ['chain', { chain: 'other-net' }, /chain differs: ours net-test, theirs other-net/],
  ['genesis hash', { genesisHash: h('g') }, /genesis hash differs: ours [0-9a-f]{64}, theirs [0-9a-f]{64}/],
  ['chain hash', { chainHash: h('c') }, /chain hash differs/],
  ['fingerprint', { fingerprint: h('f') }, /fingerprint differs/],
  [
    'feature iso20022',
    {
      abiHash: h('abi'),
      abis: [{ number: 1, hash: h('abi') }],
      features: new Map([
        ['core', hash('core')],
        ['iso20022', h('other iso')],
        ['kaigi', h('kaigi')],
      ]),
    },
    /ABI 1 differs.*feature iso20022 differs.*feature kaigi differs: ours none/,
  ],
  ['ABI 2', { abi: 2, abiHash: h('2'), abis: [{ number: 2, hash: h('2') }] }, /ABI 2 differs: ours none, theirs/],
  ['validator key', { validatorKey: testPeer('somebody else').peer.key }, /validator key differs: ours ea0130/],
]

for (const [what, changes, text] of differences) {
  test(`a differing handshake is refused and reported on both sides: ${what}`, async () => {
    const [one, two] = [testPeer('a'), testPeer('b')]
    const a = await new TestNode(one, [two.peer]).start()
    // The dialing node says something else; it knows the listener under its registered keys.
    const b = await new TestNode(two, [a.record], changes).start()
    await until(() => text.test(a.state(two.peer.key).lastError ?? ''))
    await until(() => (b.state(one.peer.key).lastError ?? '').includes(`${what} differs`))
    expect(a.ups).toEqual([])
    await pause(50)
    expect(a.isConnected(two.peer.key)).toBe(false)
    const warned = a.logs.filter(({ level, message }) => level === 'warn' && message.startsWith('peer refuse'))
    expect(warned.length).toBeLessThanOrEqual(2)
  })
}

test('a second process with the validator key of this node is reported, whatever its network key', async () => {
  const [one, two] = [testPeer('a'), testPeer('b')]
  // Registered with its own network key, but its Hello claims ours.
  const a = await new TestNode(one, [two.peer]).start()
  const messages: string[] = []
  const dial = (node: TestNode, seed: Buffer) => {
    const [host, port] = node.links.address.split(':')
    const socket = connect({ ...clientOptions(linkIdentity(seed)), host, port: Number(port) })
    const hello = encodeHello({ ...testHello(one.peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) })
    const reader = new FrameReader()
    socket.on('error', () => {})
    socket.once('secureConnect', () => socket.write(Buffer.concat([frameHead(0, 'hello', hello.length), hello])))
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk, ({ kind, body }) => {
        const decoded = kind === 'refusal' ? refusal.decode(body) : undefined
        if (decoded?.ok === true) messages.push(decoded.value.message)
        return true
      })
    })
  }
  dial(a, two.seed)
  await until(() => messages.length === 1)
  expect(messages[0]).toContain('validator key (the peer claims ours) differs')
  // The network key that is registered for our validator key is not the one that we run with.
  const moved = testPeer('moved')
  a.addPeers({ ...one.peer, networkKey: moved.peer.networkKey })
  dial(a, moved.seed)
  await until(() => messages.length === 2)
  expect(messages[1]).toContain('two processes claim one validator')
})

test('another wire version is reported although its Hello cannot be decoded', async () => {
  const two = testPeer('b')
  const a = await new TestNode(testPeer('a'), [two.peer]).start()
  const [host, port] = a.links.address.split(':')
  const socket = connect({ ...clientOptions(linkIdentity(two.seed)), host, port: Number(port) })
  socket.once('secureConnect', () =>
    socket.write(Buffer.concat([frameHead(0, 'hello', 4), Buffer.of(9, 0, 0xff, 0xff)])),
  )
  socket.resume()
  await until(() => (a.state(two.peer.key).lastError ?? '').includes('wire version differs: ours 1, theirs 9'))
  socket.destroy()
})

test('peers may differ in releases, heights and additional ABIs', async () => {
  const second = { number: 2, hash: h('2') }
  const first = { number: 1, hash: hash('abi') }
  const [a, b] = await pair({ release: '9.9.9', height: 77, abi: 1, abis: [first, second] })
  await until(() => a.ups.length === 1 && b.ups.length === 1)
  expect(a.state(b.self.peer.key)).toMatchObject({ height: 77, release: '9.9.9' })
  expect(keyString(Buffer.from(b.hellos[0]?.nonce ?? []))).not.toBe(keyString(Buffer.from(a.hellos[0]?.nonce ?? [])))
})

test('a malformed Hello is refused, and a valid one is decoded unchanged', () => {
  const read = decodeHello(Buffer.of(0))
  expect(read.ok).toBe(false)
  const hello = { ...testHello(testPeer('a').peer.key), wireVersion: WIRE_VERSION, nonce: Buffer.alloc(32) }
  const decoded = decodeHello(encodeHello(hello))
  expect(decoded.ok && decoded.hello).toEqual(hello)
})
