/** One thing after another goes wrong with real processes; the others go on, and what was wrong is told and comes back. */
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../src/client/index.js'
import { balances } from '../../src/ledger/tables.js'
import { randomOf } from '../../src/simulation/prng.js'
import { rowKey } from '../../src/state/index.js'
import { VoteLog } from '../../src/storage/index.js'
import { causeway, type Run } from '../cli/run.js'
import { flipState } from '../support/flip-state.js'
import { LINUX_MISSING, needs } from '../support/needs.js'
import { freePorts, pause, until } from '../support/ports.js'
import { Load } from './load.js'
import { ChaosNet, type ChaosPeer } from './net.js'
import { runChaos } from './run.js'

/** The owner of the proxies is read from the tables of the kernel. */

afterAll(() => ChaosNet.closeAll())

describe('a network of processes under seeded chaos', needs(LINUX_MISSING), () => {
  it('reaches one state root, with each acknowledged payment applied once and the supply conserved', async () => {
    const report = await runChaos({ seed: 7, kills: 5 })
    expect(report.kills).toBeGreaterThanOrEqual(5)
    expect(report.accounts.acknowledged).toBeGreaterThan(20)
  })

  it('reaches the same result if payloads are proposed by hash or broadcast in chunks', async () => {
    const report = await runChaos({ seed: 8, kills: 3, largePayloads: true })
    expect(report.accounts.acknowledged).toBeGreaterThan(20)
    expect(report.payloads.rebuilt).toBeGreaterThan(0)
    expect(report.payloads.delivered).toBeGreaterThan(0)
  })
})

describe('in a network of four validators and an observer', needs(LINUX_MISSING), () => {
  let net: ChaosNet
  let load: Load
  const [V0, V1, V2, V3, OBSERVER] = ['val-0', 'val-1', 'val-2', 'val-3', 'obs-0'] as const

  beforeAll(async () => {
    net = await ChaosNet.create(11, { observers: 1 })
    await net.startAll()
    load = await Load.open(net, randomOf(11, 'load'))
  })

  /** Payments through a peer, each in a block before the next; the height afterwards. */
  async function pay(through: ChaosPeer, times: number): Promise<number> {
    for (let count = 0; count < times; count += 1) {
      const before = (await through.standing())?.height ?? 0
      expect(await load.pay(through)).toBe(true)
      await until('a block', async () => (((await through.standing())?.height ?? 0) > before ? true : undefined))
    }
    return (await through.standing())?.height ?? 0
  }

  const command = (...words: string[]): Promise<Run> => causeway([...words, '--json'], { cwd: net.root })
  const others = (...away: string[]): ChaosPeer[] => net.peers.filter((peer) => !away.includes(peer.name))

  it('the observer follows, signs nothing, and catches up after a kill', async () => {
    const observer = net.peer(OBSERVER)
    await pay(observer, 3)
    await net.agreed()
    expect((await observer.standing())?.role).toBe('observer')
    await observer.kill()
    const height = await pay(net.peer(V0), 3)
    await observer.start()
    await net.agreed(net.peers, height)
    await observer.kill()
    const log = await VoteLog.open(observer.dataDir)
    const signed = log.records.filter((one) => ['proposed', 'prepared', 'locked', 'timedOut'].includes(one.kind))
    await log.close()
    expect(signed).toEqual([])
    await observer.start()
    await observer.ready()
  })

  it('the observer has no vote: two validators and the observer commit nothing, three validators commit', async () => {
    await Promise.all([net.peer(V2).kill(), net.peer(V3).kill()])
    const before = (await net.peer(V0).standing())?.height ?? 0
    expect(await load.pay(net.peer(V0))).toBe(true)
    await pause(2_000)
    expect((await net.peer(V0).standing())?.height).toBe(before)
    await net.peer(V2).start()
    await net.agreed(others(V3), before + 1)
    await net.peer(V3).start()
    await net.agreed(net.peers, before + 1)
  })

  it('a suspended proposer costs one view, and catches up when it resumes', async () => {
    const proposer = (await net.proposer()) as ChaosPeer
    proposer.signal('SIGSTOP')
    const through = net.validators.find((peer) => peer !== proposer) as ChaosPeer
    const height = await pay(through, 2)
    proposer.signal('SIGCONT')
    await net.agreed(net.peers, height)
  })

  it('a validator with a full disk stops and reports why, the others continue, and it recovers once space is free', async () => {
    const victim = net.peer(V1)
    await victim.kill()
    await victim.start({ CAUSEWAY_FAIL_POINT: '201@2:enospc' })
    await victim.ready()
    const height = await pay(net.peer(V0), 3)
    expect(await victim.ended(30_000)).toBe(true)
    expect(victim.outcome).toBe(1)
    expect(await victim.log()).toContain('ENOSPC')
    await victim.start()
    await net.agreed(net.peers, height)
  })

  it('a validator that reaches its file size limit stops before it loses data', async () => {
    const victim = net.peer(V2)
    await victim.kill()
    // The limit of the system, in KiB: just above what its largest log needs now.
    const script = 'trap "" XFSZ; ulimit -f 24; exec "$@"'
    await victim.start({ CAUSEWAY_NODE__LOG__FILE: '/dev/null' }, ['/bin/bash', '-c', script, 'limited'])
    let height = 0
    for (let count = 0; count < 40 && victim.isRunning; count += 1) height = await pay(net.peer(V0), 1)
    expect(await victim.ended(30_000)).toBe(true)
    expect(victim.outcome).not.toBe(0)
    await victim.start()
    await net.agreed(net.peers, height)
  })

  it('a validator with a wrong clock does not stall or fork the chain', async () => {
    for (const shiftMs of [20_000, -20_000]) {
      const victim = net.peer(V3)
      await victim.kill()
      await victim.start({ CHAOS_CLOCK_SHIFT_MS: String(shiftMs) })
      await victim.ready()
      await pay(net.peer(V0), 4)
      await net.agreed(others(V3))
      await victim.kill()
      await victim.start()
      await victim.ready()
    }
    await net.agreed()
  })

  it('a second node with the keys of a validator does not fork the chain', async () => {
    const victim = net.peer(V0)
    await victim.kill()
    const twin = join(net.root, 'twin')
    await cp(victim.folder, twin, { recursive: true })
    await victim.start()
    await victim.ready()
    const port = await freePorts(2)
    const double = net.adopt('twin', twin, `http://127.0.0.1:${port}`, port + 1)
    await double.start({ CAUSEWAY_NODE__GATEWAY__LISTEN: `127.0.0.1:${port}` })
    const height = await pay(net.peer(V1), 5)
    await net.agreed(others(V0, 'twin'), height)
    await double.kill()
    net.dismiss(double)
    await net.agreed(net.peers, height)
    await pay(net.peer(V1), 1)
  })

  it('a flipped byte in the state of a validator is reported with table, key and instruction; the others continue', async () => {
    const victim = net.peer(V3)
    await victim.kill()
    const client = new CausewayClient({ gateway: net.peer(V0).gateway })
    const { id } = await client.account('bob@bank')
    await client.close()
    await flipState(victim.dataDir, rowKey(balances, { definition: 'eur#bank', account: id }))
    await victim.start()
    await victim.ready()
    const height = await pay(net.peer(V0), 2)
    await net.agreed(others(V3), height)
    const standing = await until('the divergence', async () => {
      const found = await victim.standing()
      return found?.halted === undefined ? undefined : found
    })
    expect(standing.halted).toContain('table balances')
    const report = JSON.parse(await readFile(standing.divergence?.report ?? '', 'utf8'))
    expect(report.first_difference).toMatchObject({
      table: 'balances',
      key: { definition: 'eur#bank' },
      instruction: { instruction: 'asset::transfer' },
    })
    expect(await victim.log()).toContain('block not reproduced')
    await victim.kill()
    const replay = await command('block', 'replay', '--config', victim.config, '--explain')
    expect(replay.code, replay.stdout + replay.stderr).toBe(10)
    expect(replay.json()).toMatchObject({
      sound: false,
      differing_rows: [{ table: 'balances', last_write: { instruction: 'asset::transfer' } }],
    })
  })

  it('the validator recovers from the snapshot of a peer, and abstains until its earlier votes no longer matter', async () => {
    const victim = net.peer(V3)
    const donor = net.peer(OBSERVER)
    await donor.kill()
    const file = join(net.root, 'state.snapshot')
    const made = await command('snapshot', 'create', file, '--config', donor.config)
    expect(made.code, made.stdout + made.stderr).toBe(0)
    await donor.start()
    const checked = await command('snapshot', 'verify', file, '--config', victim.config)
    expect(checked.code, checked.stdout + checked.stderr).toBe(0)
    await rename(victim.dataDir, `${victim.dataDir}.damaged`)
    const restored = await command('snapshot', 'restore', file, '--config', victim.config)
    expect(restored.code, restored.stdout + restored.stderr).toBe(0)
    await victim.start()
    await victim.ready()
    await expectAbstention(victim)
  })

  it('a validator restored from a backup abstains, then votes again', async () => {
    const victim = net.peer(V2)
    await victim.kill()
    const backup = join(net.root, 'backup')
    const made = await command('node', 'backup', '--config', victim.config, '--out', backup)
    expect(made.code, made.stdout + made.stderr).toBe(0)
    expect(await readdir(backup)).not.toContain('votes.log')
    await victim.start()
    await pay(net.peer(V0), 3)
    await victim.kill()
    await rm(victim.dataDir, { recursive: true })
    const restored = await command('node', 'restore', '--config', victim.config, '--backup', backup)
    expect(restored.code, restored.stdout + restored.stderr).toBe(0)
    await victim.start()
    await victim.ready()
    await expectAbstention(victim)
  })

  it('at the end all nodes have the same state root, all acknowledged payments and the full supply', async () => {
    const { height } = await net.agreed()
    await load.settle(net.peer(V0))
    await net.agreed(net.peers, height)
  })

  /** It says that it abstains, and is a member again once the network is some heights further. */
  async function expectAbstention(victim: ChaosPeer): Promise<void> {
    expect(await victim.log()).toContain('abstaining: the vote log cannot be trusted')
    const height = await pay(net.peer(V0), 8)
    await net.agreed(net.peers, height)
    await until(`${victim.name} to vote again`, async () => {
      const role = (await victim.standing())?.role
      if (role === 'member') return true
      await pay(net.peer(V0), 1)
      return undefined
    })
  }
})
