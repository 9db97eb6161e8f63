// Checks the crypto threads: same answers as inline, errors and a dead thread reject, nothing hangs.
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import {
  CryptoPool,
  type CryptoService,
  compiledUrl,
  ed25519Signer,
  generateKeyPair,
  InlineCrypto,
  secp256k1PublicKey,
  type VerifyItem,
} from '../../src/crypto/index.js'
import { signSecp256k1 } from '../../src/crypto/secp256k1-sign.js'

const services: [string, CryptoService][] = [
  ['inline', await InlineCrypto.create()],
  ['one thread', new CryptoPool()],
  ['two threads', new CryptoPool({ threads: 2 })],
]
afterAll(() => Promise.all(services.map(([, service]) => service.close())))

const signer = ed25519Signer(Buffer.alloc(32, 1))
const pairs = await Promise.all(['a', 'b', 'c'].map((seed) => generateKeyPair('bls', Buffer.from(seed))))
const keys = pairs.map((pair) => pair.publicKey.bytes)

test('the entry point of a thread is found from sources, from the bundle and from single modules', () => {
  const entryFrom = (path: string): string => compiledUrl('crypto/worker.js', pathToFileURL(path).href).pathname
  const bundled = '/home/me/src/causeway/dist/bundle/src/crypto/worker.js'
  expect(entryFrom('/home/me/src/causeway/src/crypto/compiled-url.ts')).toBe(bundled)
  expect(entryFrom('/home/me/src/causeway/dist/bundle/src/chunks/crypto-a1b2.js')).toBe(bundled)
  expect(entryFrom('/opt/causeway/dist/src/crypto/compiled-url.js')).toBe('/opt/causeway/dist/src/crypto/worker.js')
})

describe.each(services)('%s', (_name, service) => {
  test('verifies a mixed batch in order', async () => {
    const items: VerifyItem[] = []
    const expected: boolean[] = []
    const secret = Buffer.alloc(32, 2)
    for (let at = 0; at < 100; at += 1) {
      const message = Buffer.from(`message ${at}`)
      const good = at % 3 !== 0
      const signed = good ? message : Buffer.from('another')
      expected.push(good)
      if (at % 2 === 0) {
        items.push({ algorithm: 'ed25519', publicKey: signer.publicKey, message, signature: signer.sign(signed) })
      } else {
        const signature = signSecp256k1(secret, signed)
        items.push({ algorithm: 'secp256k1', publicKey: secp256k1PublicKey(secret), message, signature })
      }
    }
    expect(await service.verifyBatch(items)).toEqual(expected)
    expect(await service.verifyBatch([])).toEqual([])
    expect(items[0]!.publicKey.length).toBe(32)
  })

  test('signs, aggregates and verifies', async () => {
    const message = Buffer.from('block hash')
    pairs.forEach((pair, at) => {
      service.addBlsKey(`key ${at}`, pair.secret)
    })
    const signatures = await Promise.all(
      pairs.map((_, at) => service.blsSign(`key ${at}`, [message]).then(([signature]) => signature as Buffer)),
    )
    const sum = await service.blsAggregate(signatures)
    if (sum === undefined) throw new Error('no aggregate')
    expect(await service.blsVerify(keys[0]!, message, signatures[0]!)).toBe(true)
    expect(await service.blsVerify(keys[1]!, message, signatures[0]!)).toBe(false)
    expect(await service.blsVerifyAggregate(keys, message, sum)).toBe(true)
    expect(await service.blsVerifyAggregate(keys.slice(1), message, sum)).toBe(false)
    const groups = [
      { publicKeys: keys.slice(0, 1), message: Buffer.from('x') },
      { publicKeys: keys.slice(1), message },
    ]
    const mixed = await service.blsAggregate([
      (await service.blsSign('key 0', [Buffer.from('x')]))[0] as Buffer,
      signatures[1]!,
      signatures[2]!,
    ])
    expect(await service.blsVerifyMulti(groups, mixed!)).toBe(true)
    expect(await service.blsVerifyMulti(groups, sum)).toBe(false)
    const aggregates = [
      { publicKeys: keys, message, signature: sum },
      { publicKeys: keys.slice(0, 1), message, signature: signatures[0]! },
    ]
    expect(await service.blsVerifyAggregates(aggregates)).toBe(true)
    expect(await service.blsVerifyAggregates([...aggregates, { ...aggregates[1]!, signature: sum }])).toBe(false)
    expect(await service.blsVerifyAggregates([])).toBe(true)
    expect(await service.blsAggregate([Buffer.alloc(96)])).toBeUndefined()
    expect(await service.blsAggregate([])).toBeUndefined()
    // Adds up and verifies in one go: only a sum that holds for all keys comes back.
    expect(await service.blsAggregateVerified(signatures, keys, message)).toEqual(sum)
    expect(await service.blsAggregateVerified(signatures.slice(1), keys, message)).toBeUndefined()
    expect(await service.blsAggregateVerified([Buffer.alloc(96)], keys, message)).toBeUndefined()
  })

  test('verifies and signs the smallest requests like larger ones', async () => {
    const message = Buffer.from('one payment')
    const item = {
      algorithm: 'ed25519',
      publicKey: signer.publicKey,
      message,
      signature: signer.sign(message),
    } as const
    const forged = { ...item, message: Buffer.from('another payment') }
    expect(await service.verifyBatch([item])).toEqual([true])
    expect(await service.verifyBatch([forged, item])).toEqual([false, true])
    expect(await service.verifyBatch([{ ...item, signature: Buffer.alloc(3) }])).toEqual([false])
    service.addEd25519Key('receipts', Buffer.alloc(32, 1))
    const messages = [1, 4, 5].map((count) => Array.from({ length: count }, (_, at) => Buffer.from(`receipt ${at}`)))
    for (const some of messages)
      expect(await service.ed25519SignBatch('receipts', some)).toEqual(some.map((one) => signer.sign(one)))
    await expect(service.ed25519SignBatch('nobody', [message])).rejects.toThrow(/unknown Ed25519 key/)
  })

  test('rejects an unknown key name, and the service continues', async () => {
    await expect(service.blsSign('nobody', [Buffer.from('m')])).rejects.toThrow(/unknown consensus key/)
    expect(await service.verifyBatch([])).toEqual([])
  })
})

describe('the crypto pool', () => {
  test('rejects pending and later requests when it is closed', async () => {
    const pool = new CryptoPool()
    const pending = pool.blsVerify(keys[0]!, Buffer.from('m'), Buffer.alloc(96))
    const seen = expect(pending).rejects.toThrow(/closed/)
    await pool.close()
    await seen
    await expect(pool.blsAggregate([])).rejects.toThrow(/closed/)
    // The smallest requests too: a node without its threads must stop.
    const message = Buffer.from('m')
    const item = {
      algorithm: 'ed25519',
      publicKey: signer.publicKey,
      message,
      signature: signer.sign(message),
    } as const
    await expect(pool.verifyBatch([item])).rejects.toThrow(/closed/)
    await expect(pool.ed25519SignBatch('receipts', [message])).rejects.toThrow(/closed/)
  })

  test('rejects the requests of a crashed thread', async () => {
    const pool = new CryptoPool()
    await expect(pool.blsAggregate([])).resolves.toBeUndefined()
    // An empty buffer cannot be a request: the thread fails on it as it would on a defect of its own.
    const worker = (pool as unknown as { threads: { worker: { postMessage(value: unknown): void } }[] }).threads[0]!
      .worker
    worker.postMessage(null)
    const pending = pool.blsVerify(keys[0]!, Buffer.from('m'), Buffer.alloc(96))
    await expect(pending).rejects.toThrow(/crypto worker stopped/)
    await expect(pool.blsAggregate([])).rejects.toThrow(/no crypto worker/)
    await pool.close()
  })
})

test('signatures of the node do not wait for verifications for peers', async () => {
  const pool = new CryptoPool()
  try {
    const [pair] = pairs
    if (pair === undefined) throw new Error('there are pairs')
    pool.addBlsKey('own', pair.secret)
    const message = Buffer.from('a vote')
    const [signature] = await pool.blsSign('own', [message])
    const order: string[] = []
    const checks = Array.from({ length: 40 }, () =>
      pool.blsVerify(pair.publicKey.bytes, message, signature as Buffer).then(() => order.push('check')),
    )
    await Promise.all([...checks, pool.blsSign('own', [message]).then(() => order.push('own'))])
    // Behind the checks that were begun before it came, and before all others.
    expect(order.indexOf('own')).toBeLessThan(20)
  } finally {
    await pool.close()
  }
})
