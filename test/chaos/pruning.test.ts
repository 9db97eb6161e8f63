/** Pruning of processes that run: payments go on, kills lose nothing, and what is gone comes back from exported files. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomOf } from '../../src/simulation/prng.js'
import { causeway } from '../cli/run.js'
import { getJson } from '../e2e/localnet.js'
import { until } from '../support/ports.js'
import { Load } from './load.js'
import { ChaosNet, type ChaosPeer } from './net.js'

const KEPT = 12
const PRUNING = { CAUSEWAY_NODE__STORAGE__RETAIN_BLOCKS: String(KEPT) }

afterAll(() => ChaosNet.closeAll())

describe('in a network of four validators where one keeps all blocks', () => {
  let net: ChaosNet
  let load: Load
  const firstOf = async (peer: ChaosPeer): Promise<number> =>
    (await getJson<{ readonly first_height?: number }>(peer.gateway, '/status')).first_height ?? 1
  const pay = (times: number): Promise<number> => load.payBlocks(net.peer('val-0'), times)
  const verified = async (peer: ChaosPeer) => {
    const run = await causeway(['block', 'verify', '--peer-dir', peer.folder, '--json'])
    return JSON.parse(run.stdout) as { readonly valid: boolean; readonly bodies: number; readonly height: number }
  }

  beforeAll(async () => {
    net = await ChaosNet.create(29, {})
    for (const peer of net.validators) await peer.start(peer.name === 'val-0' ? {} : PRUNING)
    for (const peer of net.validators) await peer.ready()
    load = await Load.open(net, randomOf(29, 'load'))
  })

  it('the others keep only the newest blocks, and report their lowest height', async () => {
    const height = await pay(3 * KEPT)
    for (const name of ['val-1', 'val-2', 'val-3']) {
      const first = await until('pruning', async () => {
        const found = await firstOf(net.peer(name))
        return found > height - 2 * KEPT ? found : undefined
      })
      expect(first).toBeLessThanOrEqual(height - KEPT + 1)
    }
    expect(await firstOf(net.peer('val-0'))).toBe(1)
    const answer = await fetch(`${net.peer('val-1').gateway}/v1/explorer/transactions?block=2`)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'history_pruned' }])
    await net.agreed(net.validators)
  })

  it.each(['230', '231'])(
    'a node killed at fail point %s loses no data, rejoins and continues pruning',
    async (point) => {
      const victim = net.peer('val-1')
      await victim.kill()
      await victim.start({ ...PRUNING, CAUSEWAY_FAIL_POINT: point })
      await until('the kill', async () => {
        if (await victim.ended(50)) return true
        await load.pay(net.peer('val-0'))
        return undefined
      })
      expect(victim.outcome).toBe('SIGKILL')
      const found = await verified(victim)
      expect(found).toMatchObject({ valid: true })
      expect(found.bodies).toBeGreaterThanOrEqual(KEPT)
      await victim.start(PRUNING)
      await victim.ready()
      const first = await firstOf(victim)
      await pay(KEPT)
      await until('it to prune on', async () => ((await firstOf(victim)) > first ? true : undefined))
      await net.agreed(net.validators)
      await load.settle(net.peer('val-0'))
    },
  )

  it('pruned blocks can be imported from an exported file, with the same roots', async () => {
    const file = join(net.peer('val-0').folder, 'blocks.gz')
    const exported = await causeway(['block', 'export', file, '--gateway', net.peer('val-0').gateway, '--json'])
    const { blocks } = JSON.parse(exported.stdout) as { readonly blocks: number }
    const pruned = await causeway([
      'block',
      'export',
      `${file}.part.gz`,
      '--gateway',
      net.peer('val-2').gateway,
      '--json',
    ])
    expect(JSON.parse(pruned.stdout)).toMatchObject({ error: { code: 'history_pruned' } })
    const target = join(net.peer('val-2').folder, 'archive')
    const config = join(net.peer('val-2').folder, 'node.toml')
    const imported = await causeway(['block', 'import', file, '--config', config, '--data-dir', target, '--json'])
    expect(JSON.parse(imported.stdout), imported.stderr).toMatchObject({ height: blocks, imported: blocks - 1 })
    const { height, state_root: root } = JSON.parse(imported.stdout) as { height: number; state_root: string }
    const header = await getJson<{ readonly state_root: string }>(
      net.peer('val-0').gateway,
      `/v1/explorer/blocks/${height}`,
    )
    expect(root).toBe(header.state_root)
  })

  it('a replay is refused if blocks are missing', async () => {
    const victim = net.peer('val-3')
    await victim.kill()
    const replay = await causeway(['block', 'replay', '--peer-dir', victim.folder, '--json'])
    expect(JSON.parse(replay.stdout)).toMatchObject({ error: { code: 'history_pruned' } })
    expect(await verified(victim)).toMatchObject({ valid: true })
  })
})
