// Checks lanes on a network of four: routes, blocks, files, a new policy over a full queue, catalogues that change.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { signEd25519 } from '../../../src/crypto/index.js'
import { orderFault } from '../../../src/lanes/index.js'
import { accountKeyOf, blockBody, committedBlock, NO_METADATA, sealTransaction } from '../../../src/model/index.js'
import { codec, signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'
import { LANES_ON, laneSpecOf, setPolicy, threeLanes, updateLanes } from '../../support/lanes.js'

const admin = await testAccount('genesis')
const alice = await testAccount('alice')
const bob = await testAccount('bob')
const carol = await testAccount('carol')
const ACCOUNTS = [alice, bob, carol]

let cluster: Cluster | undefined
afterEach(async () => {
  await cluster?.close()
  cluster = undefined
})

const start = async () => {
  cluster = await Cluster.start(4, ACCOUNTS, threeLanes(alice.id, bob.id, admin.id), undefined, LANES_ON)
  return cluster
}
const first = (running: Cluster) => running.list[0] as Cluster['list'][number]
const pay = (from: TestAccount) => signedBy(from, [transferOf(from.id, admin.id, 1n)], Date.now())

/** Lanes of the entries of all blocks above genesis. */
async function lanesOfBlocks(running: Cluster): Promise<number[][]> {
  const { ledger, core } = first(running)
  const found: number[][] = []
  for (let height = 2; height <= core.height; height += 1) {
    const { output } = await ledger
      .query({ kind: 'none', input: new Uint8Array() })
      .catch(() => ({ output: undefined }))
    expect(output).toBeUndefined()
    const { blocks } = await ledger.blocks({ from: height, count: 1, maxBytes: 10_000_000 })
    const block = committedBlock.decode(blocks[0] as Uint8Array)
    if (!block.ok) throw new Error(block.fault.message)
    const body = blockBody.decode(block.value.body, codec)
    if (!body.ok) throw new Error(body.fault.message)
    found.push(body.value.entries.map((entry) => entry.lane))
  }
  return found
}

const committed = (running: Cluster, count: number) =>
  running.until(`${count} transactions`, () =>
    running.list.every((member) => member.core.services.status(true).txsApproved >= count),
  )

describe('a network of four validators with three lanes', () => {
  it('routes and reports the lane of each account, and serves the lanes in turn', async () => {
    const running = await start()
    const submitted = await Promise.all(
      [alice, alice, alice, bob, bob, carol].map((account) => first(running).core.services.submit(pay(account).bytes)),
    )
    expect(submitted.map((one) => (one.ok ? [one.lane, one.dataspace] : one.error.message))).toEqual([
      [1, 0n],
      [1, 0n],
      [1, 0n],
      [2, 0n],
      [2, 0n],
      [0, 0n],
    ])
    await committed(running, 6)
    const lanes = await lanesOfBlocks(running)
    expect(lanes.flat().sort()).toEqual([0, 1, 1, 1, 2, 2])
    const turns = [0, 1, 2].map((lane) => ({ lane, teuCapacity: 0 }))
    expect(
      orderFault(
        turns,
        (lanes[0] ?? []).map((lane) => ({ lane, teu: 240 })),
      ),
    ).toBeUndefined()
    const roots = running.list.map((member) => Buffer.from(member.core.tip.stateRoot).toString('hex'))
    expect(new Set(roots).size).toBe(1)
    const { lanes: view } = first(running).core.tip
    expect(view?.commitments.map((one) => one.lane)).toEqual([...new Set(lanes.at(-1))].sort())
    const { services } = first(running).core
    const { laneCommitments, dataspaceCommitments } = services.consensus(true)
    expect(laneCommitments?.map((one) => [one.laneId, one.txRoot])).toEqual(
      view?.commitments.map((one) => [one.lane, one.txRoot]),
    )
    expect(dataspaceCommitments).toEqual([
      expect.objectContaining({ dataspaceId: 0n, txCount: first(running).core.tip.header.transactionCount }),
    ])
    const metrics = await services.metrics.metrics()
    for (const [lane, transactions] of [
      [0, 1],
      [1, 3],
      [2, 2],
    ]) {
      expect(metrics).toContain(`\nconsensus_lane_tx_total{lane_id="${lane}"} ${transactions}\n`)
      expect(metrics).toContain(`\nconsensus_lane_queue_depth{lane_id="${lane}"} 0\n`)
    }
    expect(services.status(true).teuDataspaceBacklog?.map((one) => [one.laneId, one.backlog, one.ageBlocks])).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ])
    const names = await readdir(join(first(running).dataDir, 'blocks'))
    expect(names).toEqual(expect.arrayContaining(['lane_000_default', 'lane_001_lane_1', 'lane_002_lane_2']))
  })

  it('reroutes queued transactions under a new policy, and runs on while lanes are added, moved and retired', async () => {
    const running = await start()
    const { services } = first(running).core
    const change = async (...instructions: Parameters<typeof signedBy>[1]) => {
      const answer = await services.submit(signedBy(admin, instructions, Date.now()).bytes)
      if (!answer.ok) throw answer.error
    }
    const waiting = Array.from({ length: 60 }, (_, at) => pay([alice, bob, carol][at % 3] as TestAccount))
    await change(setPolicy(2, [], 0), updateLanes({ add: [laneSpecOf(3)], relabel: [{ lane: 0, alias: 'Main!' }] }))
    for (const one of waiting) expect((await services.submit(one.bytes)).ok).toBe(true)
    await committed(running, 61)
    await change(updateLanes({ retire: [1, 2] }), setPolicy(3, [{ lane: 3, instruction: 'transfer' }]))
    await committed(running, 62)
    // Both changes act once two more blocks are there.
    for (const account of ACCOUNTS) {
      await services.submit(pay(account).bytes)
      const height = first(running).core.height
      await running.until('a block', () => first(running).core.height > height)
    }
    await committed(running, 65)
    const answer = await services.submit(pay(alice).bytes)
    expect(answer.ok && answer.lane).toBe(3)
    await committed(running, 66)
    const roots = running.list.map((member) => Buffer.from(member.core.tip.stateRoot).toString('hex'))
    expect(new Set(roots).size).toBe(1)
    const folder = first(running).dataDir
    await running.until('moved files', async () => (await readdir(join(folder, 'retired', 'blocks'))).length === 2)
    expect((await readdir(join(folder, 'blocks'))).filter((name) => name.startsWith('lane_')).sort()).toEqual([
      'lane_000_main',
      'lane_003_lane_3',
    ])
    expect((await lanesOfBlocks(running)).flat()).toHaveLength(66)
  })

  it('resumes the lanes on a restarted validator', async () => {
    const running = await start()
    const member = running.list[3] as Cluster['list'][number]
    const peer = running.peers[3] as Cluster['peers'][number]
    for (const account of ACCOUNTS) await first(running).core.services.submit(pay(account).bytes)
    await committed(running, 3)
    await member.stop()
    for (const account of ACCOUNTS) await first(running).core.services.submit(pay(account).bytes)
    await running.until('blocks without it', () =>
      running.list.every((one) => one.core.services.status(true).txsApproved >= 6),
    )
    const back = await running.startMember(peer)
    await running.until('the same height', () => back.core.services.status(true).txsApproved >= 6)
    expect(back.core.tip.lanes?.slots.map((turn) => turn.lane)).toEqual(
      first(running).core.tip.lanes?.slots.map((turn) => turn.lane),
    )
    // Also what the last block carried, which it did not see being made.
    expect(back.core.services.consensus(true).laneCommitments).toEqual(
      first(running).core.services.consensus(true).laneCommitments,
    )
  })
})

it('a dataspace hint without a matching rule, or of an unknown dataspace, is refused before the queue', async () => {
  const running = await start()
  const hinted = (dataspace: bigint) =>
    sealTransaction(
      {
        chain: 'test-chain',
        authority: alice.id,
        createdAtMs: Date.now(),
        ttlMs: 100_000,
        nonce: 77,
        executable: { kind: 'instructions', value: [transferOf(alice.id, bob.id, 1n)] },
        metadata: NO_METADATA,
        dataspace,
      },
      codec,
      accountKeyOf('ed25519', alice.pair.publicKey.bytes),
      (message) => signEd25519(alice.pair.secret, message),
    ).bytes
  for (const [dataspace, reason] of [
    [0n, 'no_scoped_rule'],
    [9n, 'unknown_dataspace'],
  ] as const) {
    const answer = await first(running).core.services.submit(hinted(dataspace))
    if (answer.ok) throw new Error('it has a route')
    expect([answer.error.code, answer.error.details]).toEqual(['queue_unresolved_route', { reason, stage: 'scope' }])
  }
  expect(first(running).core.services.status(true).queueSize).toBe(0)
})
