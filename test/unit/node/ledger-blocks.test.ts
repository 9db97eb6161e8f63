/** Knowledge of a ledger about its committed blocks: their transactions, evidence and bytes, none of which is lost. */

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { merkleRoot } from '../../../src/crypto/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import {
  chainHashOf,
  committedBlock,
  composeBody,
  type Evidence,
  evidence,
  genesisSeed,
  hashOfHeader,
  keyBytes,
  signedHash,
} from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { openLedger } from '../../../src/node/ledger/open.js'
import { flatHashes } from '../../../src/node/ledger/slices.js'
import { CHAIN, codec, GENESIS_TIME_MS, signedBy, type TestPeer, testPeer, transferOf } from '../../support/chain.js'
import { doubleVoteOf } from '../../support/double-vote.js'
import { templateAfter, uncheckedCertificate } from '../../support/headers.js'
import { commitKept, LedgerBench } from '../../support/ledger-bench.js'

type Signed = ReturnType<typeof signedBy>

let bench: LedgerBench
let peers: readonly TestPeer[]
let chainHash: Buffer
beforeAll(async () => {
  bench = await LedgerBench.create()
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  chainHash = chainHashOf(CHAIN, genesisSeed(bench.genesis.payload.bytes))
})
afterAll(() => bench.close())

const pay = (ttlMs?: number): Signed =>
  signedBy(bench.alice, [transferOf(bench.alice.id, bench.bob.id, 1n)], GENESIS_TIME_MS, ttlMs)

/** Tries the next block, so many ms after the one before. */
async function build(
  ledger: Ledger,
  records: readonly Signed[],
  { proofs = [] as readonly Evidence[], afterMs = 10 } = {},
) {
  const tip = await ledger.tip()
  const entries = records.map((record) => ({ lane: 0, dataspace: 0n, bytes: record.bytes }))
  const body = composeBody(tip.certificate, proofs, entries)
  const header = { ...templateAfter(tip, bench.genesis), timeMs: tip.header.timeMs + afterMs }
  const hashes = flatHashes(records)
  return { ...(await ledger.build({ header, body, hashes })), body, hashes }
}

async function commit(ledger: Ledger, records: readonly Signed[], more = {}) {
  const { header, invalid, ...built } = await build(ledger, records, more)
  if (header === undefined) throw new Error(JSON.stringify(invalid))
  await commitKept(ledger, { header, certificate: uncheckedCertificate(header) })
  return { ...built, header }
}

const codes = async (ledger: Ledger, ...records: readonly Signed[]) =>
  (await build(ledger, records)).invalid.map(({ code }) => code)

/** Result of admission for an id. */
async function admitted(ledger: Ledger, { id }: Signed): Promise<string | undefined> {
  const item = {
    authority: keyBytes(bench.alice.id),
    facts: undefined,
    duty: undefined,
    teu: undefined,
    teuLimit: undefined,
  }
  const request = {
    timeMs: GENESIS_TIME_MS,
    items: [{ ...item, id, sponsor: undefined, policy: undefined, proving: undefined }],
  }
  return (await ledger.admit(request)).results[0]?.code
}

describe('a committed transaction', () => {
  it('cannot be included in a later block, even after a restart, and is refused by admission', async () => {
    const name = 'repeats'
    let ledger = await bench.open(name)
    const [first, second, third] = [pay(), pay(), pay()]
    await commit(ledger, [first])
    await commit(ledger, [second, third])
    for (let count = 0; count < 3; count++) await commit(ledger, [pay()])
    for (const again of [first, second, third]) {
      expect(await codes(ledger, again)).toEqual(['already_committed'])
      expect(await admitted(ledger, again)).toBe('already_committed')
    }
    await bench.stop(name)
    ledger = await bench.open(name)
    expect(await codes(ledger, second, pay())).toEqual(['already_committed'])
    expect(await admitted(ledger, pay())).toBe('')
  })

  it('can be found by its id and position, and its signed bytes are covered by the header', async () => {
    const ledger = await bench.open('places')
    const records = [pay(), pay(), pay()]
    const { header } = await commit(ledger, records)
    const leaves = records.map(({ bytes }) => signedHash(bytes))
    expect(Buffer.from(header.transactionsRoot)).toEqual(merkleRoot(leaves))
    for (const [index, { id }] of records.entries()) {
      const input = explorerQueries.transaction.input.encode({ hash: id }, codec)
      const { output } = await ledger.query({ kind: explorerQueries.transaction.kind, input })
      const found = explorerQueries.transaction.output.decode(output ?? new Uint8Array(0), codec)
      expect(found.ok && [found.value.height, found.value.index]).toEqual([2, index])
    }
  })

  it('is removed from the replay check only after it has expired', async () => {
    const ledger = await bench.open('expired')
    const [short, long] = [pay(1_000), pay(50_000)]
    await commit(ledger, [short])
    await commit(ledger, [long])
    await commit(ledger, [], { afterMs: 500 })
    expect(await admitted(ledger, short)).toBe('already_committed')
    // It cannot be sent again, because it has expired.
    await commit(ledger, [], { afterMs: 1_000 })
    // A block is committed when the rows and indexes of the one before are on the disk.
    await commit(ledger, [])
    expect([await admitted(ledger, short), await codes(ledger, short)]).toEqual(['', ['transaction_expired']])
    expect(await admitted(ledger, long)).toBe('already_committed')
  })
})

describe('evidence in a block', () => {
  const doubleVote = async (ledger: Ledger, height: number) =>
    doubleVoteOf({ tip: await ledger.tip(), peers, context: { chainHash } }, height)

  it('is executed by the proposer and by voters with the same result, and cannot be included again', async () => {
    const [proposer, voter] = [await bench.open('proposer'), await bench.open('voter')]
    const empty = await commit(proposer, [pay()])
    const request = ({ header, body, hashes }: typeof empty) => ({
      blockHash: hashOfHeader(header),
      header,
      body,
      hashes,
      certified: false,
    })
    expect(await voter.execute(request(empty))).toMatchObject({ ok: true })
    await commitKept(voter, { header: empty.header, certificate: uncheckedCertificate(empty.header) })
    const proof = await doubleVote(proposer, 2)
    const block = await commit(proposer, [pay()], { proofs: [proof] })
    expect(await voter.execute(request(block))).toMatchObject({ ok: true, mismatch: false })
    await commitKept(voter, { header: block.header, certificate: uncheckedCertificate(block.header) })
    expect((await voter.tip()).stateRoot).toEqual((await proposer.tip()).stateRoot)
    expect((await build(proposer, [], { proofs: [proof] })).header).toBeUndefined()
    const [result] = (await proposer.evidence({ records: [proof] })).results
    expect(result).toMatchObject({ kind: 'refused', value: { known: true } })
  })

  it('is rejected by voters if it has a future height', async () => {
    const ledger = await bench.open('early')
    const { header, body, hashes } = await commit(await bench.open('early-proposer'), [pay()])
    const early = { ...(await doubleVote(ledger, 2)), height: 9 }
    const forged = composeBody((await ledger.tip()).certificate, [early], [])
    expect(evidence.decode(evidence.encode(early)).ok).toBe(true)
    const refused = await ledger.execute({
      blockHash: hashOfHeader(header),
      header,
      body: forged,
      hashes: hashes.subarray(0, 0),
      certified: false,
    })
    expect(refused).toMatchObject({ ok: false, mismatch: false })
    expect(
      await ledger.execute({ blockHash: hashOfHeader(header), header, body, hashes, certified: false }),
    ).toMatchObject({
      ok: true,
    })
  })
})

describe('blocks served to peers', () => {
  it('begin at the requested height, and are as many as fit, but at least one', async () => {
    const ledger = await bench.open('served')
    for (let count = 0; count < 4; count++) await commit(ledger, [pay()])
    const heights = async (from: number, count: number, maxBytes: number) =>
      (await ledger.blocks({ from, count, maxBytes })).blocks.map((bytes) => {
        const block = committedBlock.decode(bytes)
        return block.ok && block.value.header.height
      })
    expect(await heights(2, 10, 1_000_000)).toEqual([2, 3, 4, 5])
    expect(await heights(3, 2, 1_000_000)).toEqual([3, 4])
    expect(await heights(2, 10, 1)).toEqual([2])
    const { blocks } = await ledger.blocks({ from: 2, count: 2, maxBytes: 1_000_000 })
    const two = blocks.reduce((sum, bytes) => sum + bytes.length, 0)
    expect(await heights(2, 10, two)).toEqual([2, 3])
    expect(await heights(6, 10, 1_000_000)).toEqual([])
  })
})

describe('a ledger folder', () => {
  it('is rejected with a hint if its last blocks are missing', async () => {
    const [name, old] = ['lost', bench.folder('lost-before')]
    await commit(await bench.open(name), [pay()])
    await bench.stop(name)
    await cp(bench.folder(name), old, { recursive: true })
    await commit(await bench.open(name), [pay()])
    await bench.stop(name)
    // A state that a newer backup has, over the blocks of an older one.
    await rm(join(old, 'state'), { recursive: true })
    await cp(join(bench.folder(name), 'state'), join(old, 'state'), { recursive: true })
    const opened = openLedger({ folder: old, genesis: bench.genesis, abi: ABI_1 })
    await expect(opened).rejects.toMatchObject({
      code: 'storage_corrupt',
      message: 'the state is at height 3 but the block store ends at 2',
      hint: expect.stringContaining('restore the data directory'),
    })
  })
})
