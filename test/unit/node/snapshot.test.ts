/** A snapshot of a real cluster: proven from genesis on, refused when anything in it was changed, good to go on from. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { balances } from '../../../src/ledger/tables.js'
import type { CertifiedHeader } from '../../../src/model/index.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { LiveSnapshots } from '../../../src/node/ledger/snapshots.js'
import { createSnapshot } from '../../../src/node/offline/create-snapshot.js'
import type { OfflinePlace } from '../../../src/node/offline/offline.js'
import { restoreSnapshot } from '../../../src/node/offline/restore-snapshot.js'
import { readSnapshot, type SnapshotFrame, SnapshotWriter } from '../../../src/node/snapshot/format.js'
import { verifySnapshot } from '../../../src/node/snapshot/verify.js'
import { LevelBackend, rowKey, WorldState } from '../../../src/state/index.js'
import { BlockStore, exists, VoteLog } from '../../../src/storage/index.js'
import { DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { dropRow, flipState } from '../../support/flip-state.js'

const TREE_BITS = 18
let cluster: Cluster
let alice: TestAccount
let bob: TestAccount
let crypto: InlineCrypto
let place: OfflinePlace
let file: string
let snapshotHeight: number
let snapshotRoot: string
/** A member that stays down while the others go on. */
let down: Member

const pay = () => signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
const payOnce = async (): Promise<void> => {
  const [first] = cluster.list as [Member]
  const height = first.core.height
  expect((await first.core.services.submit(pay().bytes)).ok).toBe(true)
  await cluster.until('a commit on all', () => cluster.list.every((member) => member.core.height > height))
}

beforeAll(async () => {
  ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
  cluster = await Cluster.start(4, [alice, bob])
  crypto = await InlineCrypto.create()
  for (let count = 0; count < 3; count += 1) await payOnce()
  down = cluster.list[3] as Member
  snapshotHeight = down.core.height
  snapshotRoot = Buffer.from(down.core.tip.stateRoot).toString('hex')
  await down.stop()
  place = { folder: down.dataDir, abi: ABI_1, pinned: cluster.pinned }
  file = join(down.dataDir, '..', 'state.snapshot')
  await createSnapshot(place, file)
})
afterAll(async () => {
  await crypto.close()
  await cluster.close()
})

const check = (path: string, trustedBlock?: Uint8Array) =>
  verifySnapshot({ path, abi: ABI_1, pinned: cluster.pinned, crypto, treeBits: TREE_BITS, trustedBlock })

let forgeries = 0
/** The snapshot with some of its frames changed; its digest is right again. */
async function forged(change: (frame: SnapshotFrame) => SnapshotFrame | undefined): Promise<string> {
  forgeries += 1
  const path = `${file}.${forgeries}`
  const writer = await SnapshotWriter.create(path)
  for await (const frame of readSnapshot(file)) {
    const changed = change(frame)
    if (changed !== undefined) await writer.write(changed.kind, changed.value as never)
  }
  await writer.end()
  return path
}
const inRows = (change: (value: Buffer) => void) =>
  forged((frame) => {
    if (frame.kind !== 'rows') return frame
    const rows = frame.value.map(({ row, value }) => ({ row, value: Buffer.from(value) }))
    const isBalance = ({ row }: { row: Uint8Array }) => Buffer.from(row).readUInt16BE(0) === balances.id
    change(rows.findLast(isBalance)!.value)
    return { kind: 'rows', value: rows }
  })
const inHeader = (at: number, change: (one: CertifiedHeader) => CertifiedHeader) =>
  forged((frame) =>
    frame.kind === 'headers'
      ? { kind: 'headers', value: frame.value.map((one, index) => (index === at ? change(one) : one)) }
      : frame,
  )
const flip = (bytes: Uint8Array): Buffer => {
  const copy = Buffer.from(bytes)
  copy[copy.length - 1]! ^= 1
  return copy
}

describe('a snapshot', () => {
  it('is proven by every certificate from genesis on', async () => {
    const found = await check(file)
    expect(found).toMatchObject({ height: snapshotHeight, provenTo: snapshotHeight })
    expect(Buffer.from(found.stateRoot).toString('hex')).toBe(snapshotRoot)
    expect(found.rows).toBeGreaterThan(10)
  })

  it('of a running node is abandoned without leaving a file if the disk has space only for blocks', async () => {
    const { genesis } = cluster.pinned
    const codec = ABI_1.codec(genesis.payload.value.addressPrefix)
    const store = await BlockStore.open(place.folder, {})
    const backend = await LevelBackend.open(join(place.folder, 'state'))
    const state = await (await WorldState.open({ backend, context: codec })).frozen()
    const path = `${file}.live`
    const made = new LiveSnapshots(async () => 0).make(path, { state, store, genesis, codec, records: ABI_1 })
    await expect(made).rejects.toMatchObject({ code: 'file_unwritable' })
    expect(await exists(path)).toBe(false)
    await Promise.all([backend.close(), store.close()])
  })

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'a changed balance',
      () => inRows((value) => value.set([value[value.length - 2]! ^ 1], value.length - 2)),
      /state root of its rows is/,
    ],
    [
      'a missing row',
      () => forged((frame) => (frame.kind === 'rows' ? { kind: 'rows', value: frame.value.slice(1) } : frame)),
      /state root of its rows is/,
    ],
    [
      'rows in another order',
      () => forged((frame) => (frame.kind === 'rows' ? { kind: 'rows', value: [...frame.value].reverse() } : frame)),
      /not in order/,
    ],
    [
      'a changed transaction id',
      () =>
        forged((frame) =>
          frame.kind === 'replay'
            ? { kind: 'replay', value: frame.value.map((one) => ({ ...one, ids: flip(one.ids) })) }
            : frame,
        ),
      /transaction ids of block \d+ differ from the state/,
    ],
    [
      'no transaction ids',
      () => forged((frame) => (frame.kind === 'replay' ? { kind: 'replay', value: [] } : frame)),
      /transaction ids of block \d+ are missing/,
    ],
    [
      'another state root in the last header',
      () =>
        inHeader(snapshotHeight - 2, (one) => ({ ...one, header: { ...one.header, stateRoot: Buffer.alloc(32, 1) } })),
      /header/,
    ],
    [
      'another old header',
      () => inHeader(0, (one) => ({ ...one, header: { ...one.header, timeMs: one.header.timeMs + 1 } })),
      /header/,
    ],
    [
      'another aggregate signature',
      () =>
        inHeader(0, (one) => ({
          ...one,
          certificate: { ...one.certificate, aggregate: Buffer.alloc(96, 3) },
        })),
      /certificate is invalid/,
    ],
    [
      'only its head',
      () =>
        forged((frame) =>
          frame.kind === 'head' ? { kind: 'head', value: { ...frame.value, stateRoot: Buffer.alloc(32, 5) } } : frame,
        ),
      /state root differs from its header/,
    ],
  ])('is refused with %s', async (_, make, message) => {
    await expect(check(await make())).rejects.toThrow(message)
  })

  it('is refused if the file is truncated or changed', async () => {
    const bytes = await readFile(file)
    const cut = `${file}.cut`
    await writeFile(cut, bytes.subarray(0, bytes.length - 20))
    await expect(check(cut)).rejects.toThrow(/truncated/)
    await writeFile(cut, Buffer.concat([bytes.subarray(0, bytes.length - 1), Buffer.of(bytes.at(-1)! ^ 1)]))
    await expect(check(cut)).rejects.toThrow(/digest/)
  })

  it('needs no roster list while the genesis roster is in effect, and must contain the trusted block', async () => {
    const path = await forged((frame) => (frame.kind === 'rosters' ? { kind: 'rosters', value: [] } : frame))
    expect((await check(path)).provenTo).toBe(snapshotHeight)
    await expect(check(path, Buffer.alloc(32, 9))).rejects.toThrow(/trusted block is not in the snapshot/)
  })

  it.each([
    ['has a changed row', flipState, /table":"balances/],
    ['has lost a row', dropRow, /leaves whose rows are missing/],
  ])('is not made from a state that %s on disk', async (_name, damage, fault) => {
    const bench = join(file, '..', 'bench')
    const copy = join(bench, 'data')
    await mkdir(bench)
    await restoreSnapshot({ ...place, folder: copy }, { path: file, crypto, treeBits: TREE_BITS })
    await damage(copy, rowKey(balances, { definition: DEFINITION, account: bob.id }))
    const out = join(bench, 'bad.snapshot')
    await expect(createSnapshot({ ...place, folder: copy }, out)).rejects.toThrow(fault)
    await expect(readFile(out)).rejects.toThrow(/ENOENT/)
    await rm(bench, { recursive: true })
  })
})

describe('a node that starts from a snapshot', () => {
  it('counts the transactions in its headers, and ignores counts in the snapshot head', async () => {
    const counts = { approved: Number.MAX_SAFE_INTEGER, rejected: 7 }
    const path = await forged((frame) =>
      frame.kind === 'head' ? { kind: 'head', value: { ...frame.value, ...counts } } : frame,
    )
    const folder = join(file, '..', 'counted', 'data')
    await mkdir(join(folder, '..'))
    await restoreSnapshot({ ...place, folder }, { path, crypto, treeBits: TREE_BITS })
    const ledger = await openLedger({ folder, genesis: cluster.pinned.genesis, abi: ABI_1 })
    const { approved: sent } = cluster.list[0]!.core.tip
    expect(sent).toBeGreaterThan(0)
    expect(await ledger.tip()).toMatchObject({ approved: sent, rejected: 0 })
    await ledger.close()
  })

  it('has the state but no votes or earlier block bodies, and syncs the following blocks from its peers', async () => {
    await payOnce()
    await payOnce()
    await rm(down.dataDir, { recursive: true })
    const restored = await restoreSnapshot(place, { path: file, crypto, treeBits: TREE_BITS })
    expect(restored.height).toBe(snapshotHeight)
    const votes = await VoteLog.open(down.dataDir)
    expect(votes.missing).toBe(true)
    await votes.close()
    const ledger = await openLedger({ folder: down.dataDir, genesis: cluster.pinned.genesis, abi: ABI_1 })
    expect((await ledger.tip()).height).toBe(snapshotHeight)
    expect((await ledger.blocks({ from: 2, count: 5, maxBytes: 1_000_000 })).blocks).toEqual([])
    expect((await ledger.certificate({ height: 2 })).certified?.header.height).toBe(2)
    await ledger.close()

    const peer = cluster.peers.find((one) => one.peer.key === down.key)
    const back = await cluster.startMember(peer!)
    const first = cluster.list[0] as Member
    await cluster.until('the restored one to catch up', () => back.core.height === first.core.height)
    expect(Buffer.from(back.core.tip.stateRoot).equals(Buffer.from(first.core.tip.stateRoot))).toBe(true)
    expect(back.core.services.consensus(true).role).not.toBe('member')
  })

  it('can be created only in an empty folder', async () => {
    await expect(restoreSnapshot(place, { path: file, crypto, treeBits: TREE_BITS })).rejects.toThrow(/not empty/)
  })
})
