/**
 * Snapshots of running processes: payments continue meanwhile, an empty node starts from one, and malicious sources are
 * abandoned.
 */
import { readdir, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotStatus } from '../../src/api/index.js'
import { randomOf } from '../../src/simulation/prng.js'
import { getJson } from '../e2e/localnet.js'
import { until } from '../support/ports.js'
import { Load } from './load.js'
import { ChaosNet, type ChaosPeer } from './net.js'

const FROM_SNAPSHOT = { CAUSEWAY_NODE__SYNC: 'snapshot' }
const everyBlocks = (count: number) => ({ CAUSEWAY_NODE__SNAPSHOTS__EVERY_BLOCKS: String(count) })
const RESTORED = 'state restored from the snapshot of a peer'

afterAll(() => ChaosNet.closeAll())

describe('in a network of four validators', () => {
  let net: ChaosNet
  let load: Load
  const others = (...away: string[]): ChaosPeer[] =>
    net.peers.filter((peer) => peer.isRunning && !away.includes(peer.name))
  const newest = async (peer: ChaosPeer): Promise<number> => {
    const { items } = await getJson<SnapshotStatus>(peer.gateway, '/v1/node/snapshots')
    return items[0]?.height ?? 0
  }
  const pay = (times: number): Promise<number> => load.payBlocks(net.peer('val-0'), times)

  beforeAll(async () => {
    net = await ChaosNet.create(23, { observers: 1 })
    // The liar makes one after every block: its newest is newer than those of the others, unless they are of this height.
    const faulty = { ...everyBlocks(1), CHAOS_WRONG_CHUNKS: '1' }
    for (const peer of net.validators) await peer.start(peer.name === 'val-1' ? faulty : everyBlocks(8))
    for (const peer of net.validators) await peer.ready()
    load = await Load.open(net, randomOf(23, 'load'))
  })

  it('payments continue while nodes make snapshots, and every node keeps the newest ones', async () => {
    load.start(2)
    await until('snapshots', async () => ((await newest(net.peer('val-0'))) >= 8 ? true : undefined))
    await until('a second one', async () => ((await newest(net.peer('val-2'))) >= 16 ? true : undefined))
    await load.stop()
    const log = await net.peer('val-0').log()
    expect(log).toContain('snapshot created')
    expect(log).not.toContain('cannot create a snapshot')
    await net.agreed(net.validators)
  })

  it('an empty fifth node bans a peer with false data, survives kill -9 in a download, and syncs from the next peer', async () => {
    const height = await pay(3)
    if (height % 8 === 0) await pay(1)
    const observer = net.peer('obs-0')
    await observer.start({ ...FROM_SNAPSHOT, CAUSEWAY_FAIL_POINT: '410' })
    expect(await observer.ended(60_000)).toBe(true)
    expect(observer.outcome).toBe('SIGKILL')
    expect(await readdir(`${observer.dataDir}.joining`)).toContain('state.snapshot')
    expect(await observer.log()).toMatch(/a peer cannot be used as the source of a snapshot/)
    await expect(readdir(observer.dataDir)).rejects.toThrow(/ENOENT/)

    await observer.start({ ...FROM_SNAPSHOT, CAUSEWAY_FAIL_POINT: '411' })
    expect(await observer.ended(60_000)).toBe(true)
    // Chunks downloaded before the kill are not requested again: all of them are there at once.
    expect(await observer.log()).toMatch(/"done":(\d+),"total":\1,"msg":"snapshot download progress"/)
    await expect(readdir(observer.dataDir)).rejects.toThrow(/ENOENT/)

    await observer.start(FROM_SNAPSHOT)
    await observer.ready()
    const log = await observer.log()
    expect(log).toContain(RESTORED)
    expect(log).toMatch(/"why":"chunk \d+ does not match the manifest"/)
    await net.agreed(others(), await pay(2))
    expect(await readdir(observer.folder)).not.toContain('data.joining')
  })

  it('a validator that lost its data recovers from a snapshot, abstains, and votes again', async () => {
    const victim = net.peer('val-3')
    await victim.kill()
    await rm(victim.dataDir, { recursive: true })
    await victim.start(FROM_SNAPSHOT)
    await victim.ready()
    const log = await victim.log()
    expect(log).toContain(RESTORED)
    expect(log).toContain('abstaining: the vote log cannot be trusted')
    await until('val-3 to vote again', async () => {
      if ((await victim.standing())?.role === 'member') return true
      await pay(1)
      return undefined
    })
    await net.agreed(others())
    await load.settle(net.peer('val-0'))
  })
})
