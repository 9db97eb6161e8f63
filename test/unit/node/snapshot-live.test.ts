/**
 * Snapshots of running nodes: created while payments continue, and served to an empty node, which verifies everything.
 */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { balances } from '../../../src/ledger/tables.js'
import { LedgerError } from '../../../src/model/index.js'
import { SnapshotDownload } from '../../../src/node/joining/download.js'
import { SnapshotJoin } from '../../../src/node/joining/join.js'
import { restoreSnapshot } from '../../../src/node/offline/restore-snapshot.js'
import { PeerConduct } from '../../../src/node/peers/conduct.js'
import { type GossipMessage, gossipMessage } from '../../../src/node/peers/gossip.js'
import { hashesOf, SNAPSHOTS_FOLDER, SnapshotArchive } from '../../../src/node/snapshot/archive.js'
import { readSnapshot, SnapshotWriter } from '../../../src/node/snapshot/format.js'
import type { LoadedSnapshot } from '../../../src/node/snapshot/load.js'
import {
  CHUNK_BYTES,
  ChunkHasher,
  chunkHash,
  pagesOf,
  type SnapshotManifest,
} from '../../../src/node/snapshot/manifest.js'
import { verifySnapshot } from '../../../src/node/snapshot/verify.js'
import { SnapshotServer } from '../../../src/node/upkeep/serve.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'

let cluster: Cluster
let alice: TestAccount
let bob: TestAccount
let crypto: InlineCrypto
let member: Member
/** Data of the member, opened beside it. */
let archive: SnapshotArchive

const payOnce = async (): Promise<void> => {
  const height = member.core.height
  const transaction = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
  expect((await member.core.services.submit(transaction.bytes)).ok).toBe(true)
  await cluster.until('a commit on all', () => cluster.list.every(({ core }) => core.height > height))
}
const makeOne = async (): Promise<void> => {
  const { services } = member.core
  const begun = services.beginSnapshot()
  if (begun instanceof LedgerError) throw begun
  expect(begun.making).toBe(member.core.height)
  await payOnce()
  await cluster.until('the snapshot', () => services.snapshots().making === undefined)
  expect(services.snapshots().failure).toBeUndefined()
}
const folder = () => join(member.dataDir, SNAPSHOTS_FOLDER)
const fileOf = (height: number) => join(folder(), `${height}.snapshot`)

beforeAll(async () => {
  ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
  cluster = await Cluster.start(4, [alice, bob])
  crypto = await InlineCrypto.create()
  member = cluster.list[0] as Member
  for (let count = 0; count < 3; count += 1) await payOnce()
  for (let count = 0; count < 3; count += 1) await makeOne()
  archive = await SnapshotArchive.open(member.dataDir, 2)
})
afterAll(async () => {
  await crypto.close()
  await cluster.close()
})

describe('a running node', () => {
  it('keeps its newest snapshots, each proven from genesis, while payments continue', async () => {
    const { items } = member.core.services.snapshots()
    expect(items).toHaveLength(2)
    expect(items[0]!.height).toBeGreaterThan(items[1]!.height)
    expect((await readdir(folder())).sort()).toEqual(
      items
        .flatMap(({ height }) => ['manifest', 'snapshot', 'snapshot.hashes'].map((end) => `${height}.${end}`))
        .sort(),
    )
    for (const { height, stateRoot } of items) {
      const found = await verifySnapshot({ path: fileOf(height), abi: ABI_1, pinned: cluster.pinned, crypto })
      expect(found).toMatchObject({ height, provenTo: height })
      expect(Buffer.from(found.stateRoot).equals(Buffer.from(stateRoot))).toBe(true)
      expect(height).toBeLessThan(member.core.height)
    }
  })

  it('makes only one snapshot at a time', () => {
    const { services } = member.core
    const first = services.beginSnapshot()
    const second = services.beginSnapshot()
    expect([first, second].map((one) => (one as { making?: number }).making)).toEqual([
      member.core.height,
      member.core.height,
    ])
  })
})

/** Peers of a node that starts: each answers from the archive, or as a test says. */
class Peers {
  readonly warnings: { readonly peer: string; readonly why: string }[] = []
  readonly asked: number[] = []
  readonly joined: SnapshotJoin
  readonly bans: [peer: string, kind: string][] = []
  /** Offset of the time from the clock, in ms. */
  laterMs = 0
  private readonly servers = new Map<string, SnapshotServer>()

  constructor(
    place: string,
    answers: Readonly<Record<string, (message: GossipMessage) => GossipMessage | undefined>>,
    private readonly target = join(place, 'data'),
  ) {
    const download = new SnapshotDownload(join(place, 'joining'))
    const logger = pino({ level: 'silent' })
    logger.warn = ((fields: { peer: string; why: string }) => void this.warnings.push(fields)) as typeof logger.warn
    this.joined = new SnapshotJoin({
      pinned: cluster.pinned,
      peers: Object.keys(answers).length,
      transport: {
        connected: () => Object.keys(answers),
        send: (to, _channel, body) => {
          const decoded = gossipMessage.decode(body)
          if (!decoded.ok) throw new Error(decoded.fault.message)
          const { kind, value } = decoded.value
          if (kind === 'snapshotWanted') this.servers.get(to)?.wanted('self', value)
          else if (kind === 'chunkWanted') {
            this.asked.push(value.index)
            this.servers.get(to)?.chunkWanted('self', value)
          }
          return true
        },
      },
      conduct: new PeerConduct({
        monotonicMs: () => performance.now(),
        isMember: () => true,
        count: () => undefined,
        ban: (peer, kind) => this.bans.push([peer, kind]),
      }),
      crypto,
      download,
      restore: (path) =>
        restoreSnapshot({ folder: this.target, abi: ABI_1, pinned: cluster.pinned }, { path, crypto, treeBits: 10 }),
      logger,
      monotonicMs: () => performance.now() + this.laterMs,
      onProgress: () => {},
      signal: undefined,
    })
    for (const [name, answer] of Object.entries(answers)) {
      const deliver = (message: GossipMessage): void => {
        const reply = answer(message)
        if (reply !== undefined) setImmediate(() => this.joined.onMessage(name, 'gossip', gossipMessage.encode(reply)))
      }
      const server = new SnapshotServer({
        archive: { at: (height) => archive.at(height), chunk: (one, index) => archive.chunk(one, index) },
        isMember: () => true,
        offer: (_to, value) => deliver({ kind: 'snapshotOffer', value }),
        send: (_to, value) => deliver({ kind: 'snapshotChunk', value }),
        onFailure: (error) => {
          throw error
        },
      })
      this.servers.set(name, server)
    }
  }
}

const honest = (message: GossipMessage): GossipMessage => message
/** Names of peers as keys of 48 bytes; `a` comes before `b`. */
const NAMES = ['a', 'b'].map((letter) => letter.repeat(48)) as [string, string]
const places: string[] = []
const place = (name: string): string => {
  const path = join(member.dataDir, '..', `join-${name}`)
  places.push(path)
  return path
}
afterAll(async () => {
  for (const path of places) await rm(path, { recursive: true, force: true })
})

const inOffer =
  (change: (manifest: SnapshotManifest) => SnapshotManifest) =>
  (message: GossipMessage): GossipMessage =>
    message.kind === 'snapshotOffer' && message.value.manifest !== undefined
      ? { kind: 'snapshotOffer', value: { manifest: change(message.value.manifest) } }
      : message

/** Changes what is told of one chunk; the list of hashes is chunk 1 here. */
const inChunk =
  (index: number, change: (chunk: Buffer) => Buffer) =>
  (message: GossipMessage): GossipMessage => {
    if (message.kind !== 'snapshotChunk') return message
    const { wanted, chunk } = message.value
    if (wanted.index !== index || chunk === undefined) return message
    return { kind: 'snapshotChunk', value: { wanted, chunk: change(Buffer.from(chunk)) } }
  }

describe('a node that starts without data', () => {
  it('bans a peer that floods it', () => {
    const peers = new Peers(place('flood'), { [NAMES[0]]: honest })
    const message = gossipMessage.encode({ kind: 'offer', value: [] })
    for (let sent = 0; sent < 3_000; sent += 1) peers.joined.onMessage(NAMES[0], 'gossip', message)
    expect(peers.bans).toEqual([[NAMES[0], 'flood']])
  })

  it('starts from the newest snapshot of its peers', async () => {
    const peers = new Peers(place('honest'), { [NAMES[0]]: honest, [NAMES[1]]: honest })
    const restored = await peers.joined.run()
    expect(restored?.height).toBe(archive.list[0]!.head.height)
    expect(peers.warnings).toEqual([])
  })

  it.each<[string, (message: GossipMessage) => GossipMessage | undefined, RegExp]>([
    ['a wrong chunk', inChunk(0, (chunk) => chunk.fill(7, 100, 108)), /chunk 0 does not match the manifest/],
    ['a truncated chunk', inChunk(0, (chunk) => chunk.subarray(1)), /chunk 0 does not match the manifest/],
    ['a list of other hashes', inChunk(1, (list) => list.fill(7, 0, 1)), /chunk 1 does not match the manifest/],
    [
      'a manifest of another network',
      inOffer((manifest) => ({ ...manifest, head: { ...manifest.head, genesisHash: Buffer.alloc(32, 1) } })),
      /another network/,
    ],
    [
      'a manifest whose chunks do not add up',
      inOffer((manifest) => ({ ...manifest, bytes: 2 ** 40 })),
      /do not add up/,
    ],
    [
      'a manifest with more chunks than its list of hashes has',
      inOffer((manifest) => ({ ...manifest, bytes: manifest.bytes + CHUNK_BYTES })),
      /chunk 2 does not match the manifest|no longer offers that snapshot/,
    ],
    [
      'a manifest of a height without a header',
      inOffer((manifest) => ({ ...manifest, head: { ...manifest.head, height: 10 ** 9 } })),
      /its header belongs to another block/,
    ],
    [
      'a manifest with a state root of its own',
      inOffer((manifest) => ({ ...manifest, head: { ...manifest.head, stateRoot: Buffer.alloc(32, 1) } })),
      /its state root differs from its header/,
    ],
  ])('drops a peer that serves %s, logs a warning, and continues with the next peer', async (what, answer, why) => {
    const peers = new Peers(place(what.replaceAll(' ', '-')), { [NAMES[0]]: answer, [NAMES[1]]: honest })
    const restored = await peers.joined.run()
    expect(restored?.height).toBe(archive.list[0]!.head.height)
    expect(peers.warnings).toHaveLength(1)
    expect(peers.warnings[0]!.why).toMatch(why)
  })

  it('drops a silent peer after its third request, logs a warning, and continues with the next peer', async () => {
    // Time passes for what waits for a chunk or asks again, not for the measured rate.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const silent = (message: GossipMessage) => (message.kind === 'snapshotChunk' ? undefined : message)
      const peers = new Peers(place('silent'), { [NAMES[0]]: silent, [NAMES[1]]: honest })
      let restored: LoadedSnapshot | undefined
      let isOver = false
      const joining = peers.joined.run().then((found) => {
        restored = found
        isOver = true
      })
      let beforeMs = performance.now()
      while (!isOver) {
        // The peer that answers reads from disk: for it, time passes as it does.
        const nowMs = performance.now()
        vi.advanceTimersByTime(peers.warnings.length === 0 ? 1_000 : nowMs - beforeMs)
        beforeMs = nowMs
        await turn()
      }
      await joining
      expect(restored?.height).toBe(archive.list[0]!.head.height)
      expect(peers.warnings.map(({ why }) => why)).toEqual(['it did not send chunk 1'])
      // A busy machine may need so long that a question to the next peer is repeated.
      expect(peers.asked.slice(0, 3)).toEqual([1, 1, 1])
      expect([...new Set(peers.asked.slice(3))]).toEqual([1, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  it('replaces a peer that sends each chunk at the last moment, and uses it again if there is no other peer', async () => {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    const list = Buffer.concat(Array.from({ length: 64 }, () => chunkHash(chunk)))
    const named = { bytes: 64 * CHUNK_BYTES, pages: pagesOf(list) }
    const slow = (message: GossipMessage): GossipMessage => {
      if (message.kind !== 'snapshotChunk') return inOffer((manifest) => ({ ...manifest, ...named }))(message)
      peers.laterMs += 3_000
      const { wanted } = message.value
      return { kind: 'snapshotChunk', value: { wanted, chunk: wanted.index === 64 ? list : chunk } }
    }
    let peers = new Peers(place('slow'), { [NAMES[0]]: slow, [NAMES[1]]: honest })
    expect((await peers.joined.run())?.height).toBe(archive.list[0]!.head.height)
    expect(peers.warnings.map(({ why }) => why)).toEqual([expect.stringMatching(/^it sent 3\d\d KiB a second$/)])
    // Without another source all of it is fetched and then refused.
    peers = new Peers(place('slow-alone'), { [NAMES[0]]: slow })
    expect(await peers.joined.run()).toBeUndefined()
    expect(peers.warnings.map(({ why }) => why)).toEqual([expect.stringContaining('is not proven')])
  })

  it('rejects a state whose root differs from the certified root, even in a well-formed file', async () => {
    const [kept] = archive.list
    const { height } = kept!.head
    const path = join(member.dataDir, '..', 'forged.snapshot')
    const hasher = new ChunkHasher()
    const writer = await SnapshotWriter.create(path, (bytes) => hasher.add(bytes))
    for await (const frame of readSnapshot(fileOf(height))) {
      if (frame.kind !== 'rows') {
        await writer.write(frame.kind, frame.value as never)
        continue
      }
      const rows = frame.value.map(({ row, value }) => ({ row, value: Buffer.from(value) }))
      const balance = rows.findLast(({ row }) => Buffer.from(row).readUInt16BE(0) === balances.id)
      if (balance !== undefined) balance.value[balance.value.length - 2]! ^= 1
      await writer.write('rows', rows)
    }
    await writer.end()
    const { named, hashes } = hasher.finish()
    const bytes = await readFile(path)
    const byzantine = (message: GossipMessage): GossipMessage => {
      if (message.kind !== 'snapshotChunk') return inOffer((manifest) => ({ ...manifest, ...named }))(message)
      const { wanted } = message.value
      return { kind: 'snapshotChunk', value: { wanted, chunk: wanted.index === 0 ? bytes : hashes } }
    }
    const root = place('forged')
    const peers = new Peers(root, { [NAMES[0]]: byzantine, [NAMES[1]]: honest })
    expect((await peers.joined.run())?.height).toBe(height)
    expect(peers.warnings.map(({ why }) => why).join()).toMatch(
      /its snapshot is not proven: the state root of its rows is/,
    )
    expect((await readdir(root)).sort()).toEqual(['data', 'joining'])
    await rm(path)
  })

  it('uses another snapshot if its snapshot is dropped by the peer during the download', async () => {
    let dropped = false
    const incomplete = (message: GossipMessage): GossipMessage => {
      if (message.kind !== 'snapshotChunk' || dropped) return message
      dropped = true
      return { kind: 'snapshotChunk', value: { ...message.value, chunk: undefined } }
    }
    const peers = new Peers(place('dropped'), { [NAMES[0]]: incomplete })
    expect((await peers.joined.run())?.height).toBe(archive.list[0]!.head.height)
    expect(peers.warnings).toEqual([])
  })

  it('starts at genesis if no peer has a snapshot', async () => {
    const none = (message: GossipMessage): GossipMessage =>
      message.kind === 'snapshotOffer' ? { kind: 'snapshotOffer', value: { manifest: undefined } } : message
    expect(await new Peers(place('none'), { [NAMES[0]]: none }).joined.run()).toBeUndefined()
  })
})

describe('the snapshots stored on a node', () => {
  it('are complete: drafts, and files without a manifest, are removed at the next start', async () => {
    const data = place('archive')
    const first = await SnapshotArchive.open(data, 2)
    const [from, draft] = [fileOf(archive.list[0]!.head.height), await first.draft()]
    await cp(hashesOf(from), hashesOf(draft))
    await cp(from, draft)
    await first.add(archive.list[0]!)
    const where = join(data, SNAPSHOTS_FOLDER)
    await writeFile(join(where, 'making.part'), 'half')
    await writeFile(join(where, 'making.part.hashes.new'), 'half')
    await writeFile(join(where, '99.snapshot.hashes'), 'no manifest')
    await writeFile(join(where, '99.snapshot'), 'no manifest')
    await writeFile(join(where, '98.manifest'), 'no manifest')
    const again = await SnapshotArchive.open(data, 2)
    expect(again.list.map(({ head }) => head.height)).toEqual([archive.list[0]!.head.height])
    const { height } = again.list[0]!.head
    expect((await readdir(where)).sort()).toEqual([
      `${height}.manifest`,
      `${height}.snapshot`,
      `${height}.snapshot.hashes`,
    ])
  })

  it('are served unchanged, and dropped if they were changed on disk', async () => {
    const again = await SnapshotArchive.open(place('archive'), 2)
    const [kept] = again.list
    const path = join(place('archive'), SNAPSHOTS_FOLDER, `${kept!.head.height}.snapshot`)
    expect(await again.chunk(kept!, 0)).toBeDefined()
    expect(await again.chunk(kept!, 2)).toBeUndefined()
    const bytes = await readFile(path)
    bytes[200]! ^= 1
    await writeFile(path, bytes)
    expect(await again.chunk(kept!, 0)).toBeUndefined()
    expect(again.list).toEqual([])
  })
})
