/** Lanes from the command line on a network of processes: catalogue, routes, settlement, envelopes, a crash while files move. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json } from '../../src/codec/index.js'
import { causeway } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'

vi.setConfig({ testTimeout: 120_000 })

let net: TestNet
const addresses = new Map<string, string>()
beforeAll(async () => {
  net = await TestNet.start('lanes-3')
  for (const alias of ['alice@bank', 'bob@bank', 'carol@depot']) {
    const { id } = await getJson<{ id: string }>(net.gateways[0] ?? '', `/v1/accounts/${alias}`)
    addresses.set(alias, id)
  }
}, 120_000)
afterAll(() => TestNet.closeAll(), 60_000)

const as = (name: string): string[] => ['--key-file', net.keyFile(name), '--json']
const leg = (definition: string, from: string, to: string, amount: string): Json => ({
  asset: { definition, account: addresses.get(from) ?? '' },
  to: addresses.get(to) ?? '',
  amount,
})
async function file(name: string, content: Json): Promise<string> {
  const path = join(net.root, name)
  await writeFile(path, JSON.stringify(content))
  return path
}
const laneFolders = async (peer: string): Promise<string[]> =>
  (await readdir(join(net.folder, peer, 'data', 'blocks'))).filter((name) => name.startsWith('lane_')).sort()

describe('lanes on the command line', () => {
  it('are listed, shown and explained', async () => {
    const listed = await net.cli('lane', 'list', '--policy', '--json')
    expect(listed.json()).toMatchObject({
      enabled: true,
      lanes: [{ id: 0 }, { id: 1, alias: 'securities' }, { id: 2 }],
    })
    expect((await net.cli('lane', 'list', '--policy')).stdout).toContain('dataspace 7 -> lane 1')
    expect((await net.cli('lane', 'show', '2', '--json')).json()).toMatchObject({ lane: { settlement: ['eur#bank'] } })
    const bond = await file('bond.json', { Transfer: leg('bond#depot', 'carol@depot', 'alice@bank', '5') })
    const own = await net.cli('lane', 'route', 'explain', bond, '--account', 'carol@depot', '--json')
    expect([own.code, own.json()]).toMatchObject([0, { lane_id: 1, dataspace_id: '7', stage: 'scope', rule: 0 }])
    const foreign = await net.cli('lane', 'route', 'explain', bond, '--account', 'alice@bank', '--json')
    expect([foreign.code, foreign.json()]).toMatchObject([6, { lane_id: null, reason: 'dataspace_not_permitted' }])
    const sent = await net.cli('tx', 'send', bond, ...as('alice'))
    expect(sent.json()).toMatchObject({
      error: { code: 'queue_unresolved_route', details: { reason: 'dataspace_not_permitted', stage: 'scope' } },
    })
    expect((await net.cli('tx', 'send', bond, ...as('carol'))).json()).toMatchObject({ state: 'approved' })
  })

  it('settle, and prove it to somebody who has nothing but the genesis', async () => {
    const settlement = {
      SettleDvp: {
        id: 'd1',
        delivery: leg('bond#depot', 'carol@depot', 'alice@bank', '3'),
        payment: leg('eur#bank', 'alice@bank', 'carol@depot', '270.5'),
      },
    }
    const path = await file('dvp.json', settlement)
    const alone = await net.cli('tx', 'send', path, ...as('alice'))
    expect(alone.json()).toMatchObject({ error: { code: 'not_permitted' } })
    const stranger = await net.cli('lane', 'settlement', 'agree', path, '--to', 'alice@bank', ...as('bob'))
    expect(stranger.json()).toMatchObject({ error: { code: 'bad_value' } })
    expect((await net.cli('lane', 'settlement', 'agree', path, '--to', 'alice@bank', ...as('carol'))).code).toBe(0)
    const done = await net.cli('tx', 'send', path, ...as('alice'))
    const { height } = done.json() as unknown as { height: number }
    const frame = join(net.root, 'd1.envelope')
    expect((await net.cli('lane', 'envelope', 'get', String(height), '2', '--out', frame)).code).toBe(0)
    const genesis = join(net.folder, 'genesis.signed')
    const verified = await net.cli('lane', 'envelope', 'verify', frame, '--genesis', genesis, '--json')
    expect([verified.code, verified.json()]).toMatchObject([0, { valid: true, height, lane: 2, receipts: 2 }])
    const bytes = await readFile(frame)
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1
    await writeFile(frame, bytes)
    expect((await net.cli('lane', 'envelope', 'verify', frame, '--genesis', genesis)).code).not.toBe(0)
    const none = await net.cli('lane', 'envelope', 'get', String(height), '1', '--json')
    expect(none.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  it('come, move and go; a node that dies while its files move comes back with them in place', async () => {
    const dying = 'val-3'
    await net.kill(dying)
    // The first passage makes the folder of lane 3, the next one renames the blocks of lane 0; its merge log stays behind.
    const env = { CAUSEWAY_FAIL_POINT: '221@2' }
    const started = await causeway(['localnet', 'up', '--dir', net.folder, '--only', dying, '--json'], {
      cwd: net.root,
      env,
    })
    expect(started.code).toBe(0)
    expect((await net.cli('lane', 'add', '3', '--alias', 'bulk', '--capacity', '20000', ...as('admin'))).code).toBe(0)
    expect((await net.cli('lane', 'relabel', '0', 'main', ...as('admin'))).code).toBe(0)
    const refused = await net.cli('lane', 'retire', '1', ...as('admin'))
    expect([refused.code, refused.json()]).toMatchObject([6, { error: { code: 'lane_in_use' } }])
    const pay = ['ledger', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', ...as('alice')]
    for (let paid = 0; paid < 3; paid += 1) expect((await net.cli(...pay)).code).toBe(0)
    const wanted = ['lane_000_main', 'lane_001_securities', 'lane_002_settlement', 'lane_003_bulk']
    expect(await laneFolders('val-0')).toEqual(wanted)
    await until('the death', async () => {
      const peer = (await net.status()).peers.find((one) => one.name === dying)
      return peer?.running === false ? true : undefined
    })
    expect(await readdir(join(net.folder, dying, 'data', 'merge_ledger'))).toContain('lane_000_default_merge.log')
    expect(await laneFolders(dying)).toContain('lane_000_main')
    expect((await net.up()).code).toBe(0)
    await until('the files of the node that died', async () => {
      const names = await laneFolders(dying)
      return names.join() === wanted.join() ? true : undefined
    })
    expect((await net.cli('lane', 'retire', '3', ...as('admin'))).code).toBe(0)
    for (let paid = 0; paid < 3; paid += 1) expect((await net.cli(...pay)).code).toBe(0)
    expect(await laneFolders('val-0')).toEqual(wanted.slice(0, 3))
  })

  it('a node whose configuration says otherwise stops and says so', async () => {
    await net.kill('val-2')
    const path = join(net.folder, 'val-2', 'node.toml')
    const toml = await readFile(path, 'utf8')
    await writeFile(path, toml.replace(/^#enabled = true$/m, 'enabled = false'))
    const run = await net.cli('node', 'start', '--config', path, '--json')
    expect(run.code).toBe(3)
    expect(run.stdout + run.stderr).toContain('lanes_mismatch')
  })
})
