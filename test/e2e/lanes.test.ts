/** Lanes from the command line on a network of processes: catalogue, routes, settlement, envelopes, a crash while files move. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/codec/index.js'
import { causeway } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'

let net: TestNet
const addresses = new Map<string, string>()
beforeAll(async () => {
  net = await TestNet.start('lanes-3')
  for (const alias of ['alice@bank', 'bob@bank', 'carol@depot']) {
    const { id } = await getJson<{ id: string }>(net.gateways[0] ?? '', `/v1/accounts/${alias}`)
    addresses.set(alias, id)
  }
})
afterAll(() => TestNet.closeAll())

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

  it('settle, with a proof that can be verified from the genesis alone', async () => {
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
    const rejected = await net.cli('lane', 'settlement', 'agree', path, '--to', 'alice@bank', ...as('bob'))
    expect(rejected.json()).toMatchObject({ error: { code: 'bad_value' } })
    expect((await net.cli('lane', 'settlement', 'agree', path, '--to', 'alice@bank', ...as('carol'))).code).toBe(0)
    const done = await net.cli('tx', 'send', path, ...as('alice'))
    const { height } = done.json() as unknown as { height: number }
    const frame = join(net.root, 'd1.envelope')
    expect((await net.cli('lane', 'envelope', 'show', String(height), '2', '--out', frame)).code).toBe(0)
    const genesis = join(net.folder, 'genesis.signed')
    const verified = await net.cli('lane', 'envelope', 'verify', frame, '--genesis', genesis, '--json')
    expect([verified.code, verified.json()]).toMatchObject([0, { valid: true, height, lane: 2, receipts: 2 }])
    // A chain that trusts the committee of that height records the settlement once; here it is the same one.
    const anchor = ['lane', 'anchor', 'set', String(height)]
    expect((await net.cli('lane', 'envelope', 'accept', frame, ...as('bob'))).json()).toMatchObject({
      error: { code: 'relay_envelope_invalid' },
    })
    expect((await net.cli(...anchor, ...as('admin'))).json()).toMatchObject({ error: { code: 'usage' } })
    const refused = await net.cli(...anchor, '--genesis', genesis, ...as('bob'))
    expect(refused.json()).toMatchObject({ error: { code: 'not_permitted' } })
    expect((await net.cli(...anchor, '--genesis', genesis, ...as('admin'))).code).toBe(0)
    const tried = await net.cli('lane', 'envelope', 'accept', frame, '--dry-run', ...as('bob'))
    expect(tried.json()).toMatchObject({ dry_run: true, outcome: 'Approved' })
    expect((await net.cli('lane', 'envelope', 'accept', frame, ...as('bob'))).json()).toMatchObject({
      state: 'approved',
    })
    expect((await net.cli('lane', 'envelope', 'accept', frame, ...as('bob'))).json()).toMatchObject({
      error: { code: 'exists' },
    })
    const bytes = await readFile(frame)
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1
    await writeFile(frame, bytes)
    expect((await net.cli('lane', 'envelope', 'verify', frame, '--genesis', genesis)).code).not.toBe(0)
    const none = await net.cli('lane', 'envelope', 'show', String(height), '1', '--json')
    expect(none.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  it('settle with one file that both parties sign and either party submits', async () => {
    const terms = [
      '--from',
      'carol@depot',
      '--deliver',
      '2 bond#depot',
      '--to',
      'alice@bank',
      '--against',
      '180 eur#bank',
    ]
    const built = await net.cli('lane', 'settlement', 'build', 'd2', ...terms, '--json')
    expect(built.json()).toMatchObject({
      instructions: [{ AssertAliases: {} }, { SettleDvp: { id: 'd2' } }],
      agreements: [],
    })
    const bare = await file('d2.json', built.json())
    const submit = (path: string) => net.cli('lane', 'settlement', 'submit', path, ...as('alice'))
    expect((await submit(bare)).json()).toMatchObject({
      error: { code: 'not_permitted', details: { settlement: 'd2' } },
    })
    const rejected = await net.cli('lane', 'settlement', 'sign', bare, '--to', 'alice@bank', ...as('bob'))
    expect(rejected.json()).toMatchObject({ error: { code: 'bad_value' } })
    const signed = await net.cli('lane', 'settlement', 'sign', bare, '--to', 'alice@bank', ...as('carol'))
    expect((signed.json() as unknown as { agreements: Json[] }).agreements).toHaveLength(1)
    // Other terms than those that were signed are refused before anything is sent.
    const bent = JSON.stringify(signed.json()).replace('"amount":"180"', '"amount":"18"')
    const refused = await submit(await file('d2-bent.json', JSON.parse(bent) as Json))
    expect(refused.json()).toMatchObject({ error: { code: 'not_permitted' } })
    const path = await file('d2-signed.json', signed.json())
    const dry = ['lane', 'settlement', 'submit', path, '--dry-run', ...as('alice')]
    expect((await net.cli(...dry)).json()).toMatchObject({ dry_run: true, agreements: [{ outcome: 'Approved' }] })
    expect((await submit(path)).json()).toMatchObject({ state: 'approved' })
    expect((await net.cli(...dry)).json()).toMatchObject({ error: { code: 'exists' } })
    const again = await submit(path)
    expect([again.code, again.json()]).toMatchObject([6, { error: { code: 'exists' } }])
    const swap = [
      '--pvp',
      '--from',
      'bob@bank',
      '--deliver',
      '1 eur#bank',
      '--to',
      'alice@bank',
      '--against',
      '1 eur#bank',
    ]
    const pvp = await net.cli('lane', 'settlement', 'build', 'p1', ...swap, '--json')
    expect(pvp.json()).toMatchObject({ instructions: [{ AssertAliases: {} }, { SettlePvp: { id: 'p1' } }] })
    const nonsense = await net.cli('lane', 'settlement', 'build', 'p2', ...swap.with(4, 'eur#bank'), '--json')
    expect([nonsense.code, nonsense.json()]).toMatchObject([2, { error: { code: 'usage' } }])
  })

  it('record external settlements if permitted', async () => {
    const figures = ['--local', '3 bond#depot', '--due', '270.5 eur#bank', '--after', '270']
    const record = ['lane', 'settlement', 'record', '2', ...figures]
    expect((await net.cli(...record, ...as('alice'))).json()).toMatchObject({ error: { code: 'not_permitted' } })
    const grant = ['permission', 'grant', 'CanRecordSettlement:2', '--to', 'alice@bank']
    expect((await net.cli(...grant, ...as('admin'))).code).toBe(0)
    const tried = await net.cli(...record, '--dry-run', ...as('alice'))
    expect(tried.json()).toMatchObject({ dry_run: true, lane: 2, outcome: 'Approved' })
    expect((await net.cli(...record, ...as('alice'))).json()).toMatchObject({ state: 'approved' })
    const more = await net.cli(...record.with(-1, '271'), ...as('alice'))
    expect([more.code, more.json()]).toMatchObject([2, { error: { code: 'usage' } }])
  })

  it('have a policy and dataspaces that commands can change', async () => {
    type Policy = { readonly default_lane: number; readonly rules: Json[] }
    const policy = async () => (await net.cli('lane', 'policy', 'show', '--json')).json() as unknown as Policy
    const before = await policy()
    const admin = as('admin')
    const rule = ['--lane', '2', '--account', '*@depot', '--instruction', 'metadata']
    expect((await net.cli('lane', 'policy', 'add', ...rule, ...admin)).code).toBe(0)
    expect(
      (await net.cli('lane', 'policy', 'add', '--lane', '2', '--account', 'bob@bank', '--at', '0', ...admin)).code,
    ).toBe(0)
    const { rules } = await policy()
    expect(rules).toHaveLength(before.rules.length + 2)
    expect([rules[0], rules.at(-1)]).toMatchObject([
      { lane: 2, account: { Account: addresses.get('bob@bank') } },
      { lane: 2, account: { Domain: 'depot' }, instruction: 'metadata', scope: null },
    ])
    expect((await net.cli('lane', 'policy', 'show')).stdout).toContain(
      'account *@depot, instruction metadata -> lane 2',
    )
    expect((await net.cli('lane', 'policy', 'remove', '0', ...admin)).code).toBe(0)
    const beyond = await net.cli('lane', 'policy', 'remove', '99', ...admin)
    expect([beyond.code, beyond.json()]).toMatchObject([2, { error: { code: 'usage' } }])
    const unknown = await net.cli('lane', 'policy', 'set-default', '77', ...admin)
    expect([unknown.code, unknown.json()]).toMatchObject([6, { error: { code: 'bad_routing_policy' } }])
    const path = await file('policy.json', before as unknown as Json)
    expect((await net.cli('lane', 'policy', 'set', path, ...admin)).code).toBe(0)
    expect(await policy()).toEqual(before)

    const dataspaces = async () => (await net.cli('lane', 'dataspace', 'list', '--json')).json() as unknown as Json[]
    const all = await dataspaces()
    const added = ['lane', 'dataspace', 'create', '9', '--alias', 'custody', '--restricted', ...admin]
    expect((await net.cli(...added)).code).toBe(0)
    expect((await net.cli(...added)).json()).toMatchObject({ error: { code: 'exists' } })
    expect(
      (await net.cli('lane', 'dataspace', 'set', '9', '--no-restricted', '--fault-tolerance', '2', ...admin)).code,
    ).toBe(0)
    expect((await dataspaces()).at(-1)).toMatchObject({
      id: '9',
      alias: 'custody',
      restricted: false,
      fault_tolerance: 2,
    })
    const used = await net.cli('lane', 'dataspace', 'remove', '7', ...admin)
    expect([used.code, used.json()]).toMatchObject([6, { error: { code: 'dataspace_in_use' } }])
    expect((await net.cli('lane', 'dataspace', 'remove', '9', ...admin)).code).toBe(0)
    expect(await dataspaces()).toEqual(all)
    expect((await net.cli('lane', 'dataspace', 'set', '9', '--alias', 'x', ...admin)).json()).toMatchObject({
      error: { code: 'usage' },
    })
  })

  it('are added, renamed and retired, and a node killed while it moves files recovers', async () => {
    const dying = 'val-3'
    await net.kill(dying)
    // The first passage makes the folder of lane 3, the next one renames the blocks of lane 0; its merge log stays behind.
    const env = { CAUSEWAY_FAIL_POINT: '221@2' }
    const started = await causeway(['localnet', 'up', '--dir', net.folder, '--only', dying, '--json'], {
      ...net.surroundings,
      env: { ...net.surroundings.env, ...env },
    })
    expect(started.code).toBe(0)
    expect((await net.cli('lane', 'create', '3', '--alias', 'bulk', '--capacity', '20000', ...as('admin'))).code).toBe(
      0,
    )
    expect((await net.cli('lane', 'relabel', '0', 'main', ...as('admin'))).code).toBe(0)
    const refused = await net.cli('lane', 'retire', '1', ...as('admin'))
    expect([refused.code, refused.json()]).toMatchObject([6, { error: { code: 'lane_in_use' } }])
    const pay = ['asset', 'transfer', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '1', ...as('alice')]
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

  it('a node with a different lane configuration stops with the reason', async () => {
    await net.kill('val-2')
    const path = join(net.folder, 'val-2', 'node.toml')
    const toml = await readFile(path, 'utf8')
    await writeFile(path, toml.replace(/^#enabled = true$/m, 'enabled = false'))
    const run = await net.cli('node', 'start', '--config', path, '--json')
    expect(run.code).toBe(3)
    expect(run.stdout + run.stderr).toContain('lanes_mismatch')
  })
})
