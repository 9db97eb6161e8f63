/** Blocks of a real cluster brought into a data directory offline: proven, executed, resumed, refused when anything is off. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamedBlock } from '../../../src/api/index.js'
import { lazyFromBytes } from '../../../src/codec/index.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { ABI_1, ABIS } from '../../../src/features/abi.js'
import { blockBody, hashOfHeader, LedgerError } from '../../../src/model/index.js'
import { contextAfter } from '../../../src/node/consensus/context.js'
import { askHistory } from '../../../src/node/ledger/history.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { beginDataDir, importBlocks } from '../../../src/node/offline/import.js'
import type { OfflinePlace } from '../../../src/node/offline/offline.js'
import { VOTE_LOG_FILE } from '../../../src/storage/index.js'
import { certificateOf } from '../../support/certificates.js'
import { codec, signedBy, type TestAccount, temporaryFolder, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'

let cluster: Cluster
let crypto: InlineCrypto
/** Blocks 1 to `height` as a node streams them. */
let chain: StreamedBlock[]
let height: number
let stateRoot: string
/** A block of the same height of another network. */
let foreignBlocks: StreamedBlock[]
const cleanup: (() => Promise<void>)[] = []

async function chainOf(seeds: readonly [string, string], blocks: number) {
  const accounts = (await Promise.all(seeds.map(testAccount))) as [TestAccount, TestAccount]
  const made = await Cluster.start(4, accounts)
  cleanup.push(() => made.close())
  const [first] = made.list as [Member]
  while (first.core.height < blocks) {
    const before = first.core.height
    const [from, to] = accounts
    await first.core.services.submit(signedBy(from, [transferOf(from.id, to.id, 1n)], Date.now()).bytes)
    await made.until('a commit', () => first.core.height > before)
  }
  const stored = await askHistory(first.ledger, codec, 1, blocks)
  const streamed = stored.map(({ block: { header, certificate, body }, outcome }): StreamedBlock => {
    const read = lazyFromBytes(blockBody, body, codec)
    return {
      hash: hashOfHeader(header),
      header,
      certificate,
      body: header.height === 1 || !read.ok ? { kind: 'genesis', value: body } : { kind: 'block', value: read.value },
      results: outcome.results,
    }
  })
  return { made, streamed }
}

beforeAll(async () => {
  crypto = await InlineCrypto.create()
  const own = await chainOf(['alice', 'bob'], 6)
  cluster = own.made
  chain = own.streamed
  height = chain.length
  stateRoot = Buffer.from(chain.at(-1)!.header.stateRoot).toString('hex')
  foreignBlocks = (await chainOf(['carol', 'dora'], 3)).streamed
})
afterAll(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
  await crypto.close()
})

async function emptyPlace(): Promise<OfflinePlace> {
  const made = await temporaryFolder()
  cleanup.push(made.remove)
  const place = { folder: join(made.path, 'data'), abi: ABI_1, pinned: cluster.pinned }
  await beginDataDir(place)
  return place
}

async function* inOrder(blocks: readonly StreamedBlock[]): AsyncGenerator<StreamedBlock, void> {
  yield* blocks
}

const bring = (place: OfflinePlace, blocks: AsyncIterable<StreamedBlock>) =>
  importBlocks(place, blocks, { crypto, abis: ABIS, cacheBytes: 1 << 20, treeBits: 18 })

/** The refusal of an import. */
async function refused(place: OfflinePlace, blocks: readonly StreamedBlock[]): Promise<LedgerError> {
  const error = await bring(place, inOrder(blocks)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(LedgerError)
  return error as LedgerError
}

/** Height and state root of a data directory as a node would find them. */
async function headOf({ folder, pinned }: OfflinePlace) {
  const ledger = await openLedger({ folder, genesis: pinned.genesis, abi: ABI_1 })
  const { height: found, stateRoot: root } = await ledger.tip()
  await ledger.close()
  return { height: found, root: Buffer.from(root).toString('hex') }
}

const changed = (at: number, change: (block: StreamedBlock) => StreamedBlock): StreamedBlock[] =>
  chain.map((block, index) => (index === at ? change(block) : block))
describe('a block import', () => {
  it('reaches the height and state root of the network, and creates no vote log', async () => {
    const place = await emptyPlace()
    const report = await bring(place, inOrder(chain))
    expect(report).toMatchObject({ from: 1, height, imported: height - 1, known: 1 })
    expect(Buffer.from(report.blockHash)).toEqual(Buffer.from(chain.at(-1)!.hash))
    expect(await headOf(place)).toEqual({ height, root: stateRoot })
    expect(await readdir(place.folder)).not.toContain(VOTE_LOG_FILE)
  })

  it('resumes after an interruption, and changes nothing when repeated', async () => {
    const place = await emptyPlace()
    async function* brokenOff(): AsyncGenerator<StreamedBlock, void> {
      yield* chain.slice(0, 3)
      throw new LedgerError('truncated', 'the file ends')
    }
    const error = (await bring(place, brokenOff()).catch((thrown: unknown) => thrown)) as LedgerError
    expect(error).toMatchObject({ code: 'truncated', details: { height: 3, imported: 2 } })
    expect(error.hint).toContain('valid up to height 3')
    expect((await headOf(place)).height).toBe(3)
    expect(await bring(place, inOrder(chain.slice(2)))).toMatchObject({
      from: 3,
      height,
      imported: height - 3,
      known: 1,
    })
    const blocks = join(place.folder, 'blocks', 'headers.log')
    const digest = async () =>
      createHash('sha256')
        .update(await readFile(blocks))
        .digest('hex')
    const before = await digest()
    expect(await bring(place, inOrder(chain))).toMatchObject({ from: height, imported: 0, known: height })
    expect(await digest()).toBe(before)
  })

  it.each<[string, () => StreamedBlock[], string, RegExp, number]>([
    ['a gap', () => [...chain.slice(0, 2), ...chain.slice(3)], 'blocks_invalid', /block 4 follows a gap.*is 3/, 2],
    ['another network from genesis on', () => foreignBlocks, 'genesis_mismatch', /but this node belongs to/, 1],
    [
      'blocks of another network after genesis',
      () => foreignBlocks.slice(1),
      'blocks_invalid',
      /block 2 has another parent/,
      1,
    ],
    [
      'a certificate with another signature',
      () =>
        changed(3, (block) => ({
          ...block,
          certificate: { ...block.certificate!, aggregate: chain[2]!.certificate!.aggregate },
        })),
      'blocks_invalid',
      /block 4: its certificate is invalid/,
      3,
    ],
    [
      'a certificate of too few signers',
      () =>
        changed(2, (block) => ({
          ...block,
          certificate: { ...block.certificate!, bitmap: Buffer.from([1]) },
        })),
      'blocks_invalid',
      /block 3: invalid certificate: 1 signers, quorum is 3/,
      2,
    ],
    [
      'a prepare certificate',
      () => changed(2, (block) => ({ ...block, certificate: { ...block.certificate!, phase: 'prepare' } })),
      'blocks_invalid',
      /block 3 has no commit certificate/,
      2,
    ],
    [
      'a changed header',
      () => changed(4, (block) => ({ ...block, header: { ...block.header, stateRoot: Buffer.alloc(32, 1) } })),
      'blocks_invalid',
      /block 5: invalid certificate: header of another block/,
      4,
    ],
    [
      'the payload of another block',
      () => changed(4, (block) => ({ ...block, body: chain[3]!.body })),
      'blocks_invalid',
      /the payload of block 5 does not match its header/,
      4,
    ],
  ])('fails at %s, and keeps the earlier blocks', async (_name, blocks, code, message, upTo) => {
    const place = await emptyPlace()
    const error = await refused(place, blocks())
    expect(error).toMatchObject({ code, details: { height: upTo, imported: upTo - 1 } })
    expect(error.message).toMatch(message)
    expect((await headOf(place)).height).toBe(upTo)
    expect(await bring(place, inOrder(chain))).toMatchObject({ height })
  })

  it('stops with a report at a certified block that it cannot reproduce, and stores nothing of that block', async () => {
    const place = await emptyPlace()
    await bring(place, inOrder(chain.slice(0, 4)))
    const ledger = await openLedger({ folder: place.folder, genesis: place.pinned.genesis, abi: ABI_1 })
    const context = contextAfter(await ledger.tip(), place.pinned.chainHash)
    await ledger.close()
    const { header } = chain[4] as StreamedBlock
    const wrong = { ...header, stateRoot: Buffer.alloc(32, 1) }
    const certificate = certificateOf(context, cluster.peers, 'commit', wrong)
    const block = { ...(chain[4] as StreamedBlock), header: wrong, hash: hashOfHeader(wrong), certificate }
    const error = await refused(place, [block])
    expect(error).toMatchObject({ code: 'state_divergence', details: { height: 4, imported: 0 } })
    expect(error.message).toMatch(/certified block 5 is invalid here: stateRoot/)
    expect(await readFile(String(error.details?.['report']), 'utf8')).toContain('stateRoot')
    expect((await headOf(place)).height).toBe(4)
  })

  it('rejects a block that differs from the stored block', async () => {
    const place = await emptyPlace()
    await bring(place, inOrder(chain))
    const other = changed(3, (block) => ({ ...block, header: { ...block.header, timeMs: block.header.timeMs + 1 } }))
    const error = await refused(place, other)
    expect(error.message).toMatch(/block 4 has hash [0-9a-f]{64}, but the data directory has [0-9a-f]{64}/)
    expect(await headOf(place)).toEqual({ height, root: stateRoot })
  })

  it('creates a data directory only in an empty folder', async () => {
    const place = await emptyPlace()
    await expect(beginDataDir(place)).rejects.toMatchObject({ code: 'file_exists' })
    expect(await headOf(place)).toMatchObject({ height: 1 })
  })
})
