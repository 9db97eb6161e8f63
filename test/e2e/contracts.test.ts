/**
 * Contracts on a network of processes: calls go on through kills, every node comes to the same roots and the same gas, what stopped
 * a call is seen where people look, and what runs is what its sources build.
 */
import { appendFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILER_MISSING, COMPILER_PACKAGES } from '../support/compiler.js'
import { needs } from '../support/needs.js'
import { getJson, TestNet, until } from './localnet.js'

let net: TestNet
let bob: string
beforeAll(async () => {
  net = await TestNet.start()
  bob = (await getJson<{ id: string }>(net.gateways[0] ?? '', '/v1/accounts/bob@bank')).id
})
afterAll(() => TestNet.closeAll())

const as = (name: string): string[] => ['--key-file', net.keyFile(name), '--yes', '--json']
const transfer = (amount: string): string[] => [
  ...['token@bank', 'transfer', '--args', JSON.stringify({ to: bob, amount })],
]
/** Gas used by a call, according to a dry run of one node on its last committed state. */
async function simulatedGas(gateway: string): Promise<unknown> {
  const caller = (await getJson<{ id: string }>(gateway, '/v1/accounts/admin@bank')).id
  const run = await net.cli(
    'contract',
    'simulate',
    ...transfer('0.01'),
    '--caller',
    caller,
    '--json',
    '--gateway',
    gateway,
  )
  const { outcome, gas_used: gas } = run.json() as { readonly outcome?: string; readonly gas_used?: unknown }
  expect([run.code, outcome], run.stdout).toEqual([0, 'ok'])
  return gas
}
const balance = async (gateway: string): Promise<unknown> => {
  const view = await net.cli(
    'contract',
    'view',
    'token@bank',
    'balanceOf',
    '--args',
    JSON.stringify({ account: bob }),
    '--json',
    '--gateway',
    gateway,
  )
  return (view.json() as { readonly result?: unknown }).result
}

describe('a contract on four processes', () => {
  it('is deployed, and called while validators are killed in turn', async () => {
    expect((await net.cli('contract', 'create', 'my-token', '--template', 'token')).code).toBe(0)
    const deployed = await net.cli(
      'contract',
      'deploy',
      'my-token',
      '--alias',
      'token@bank',
      '--args',
      '{"digits":2,"initial":"1000"}',
      ...as('admin'),
    )
    expect(deployed.json(), deployed.stdout).toMatchObject({ state: 'approved' })
    let made = 0
    let killing = true
    const calling = (async () => {
      while (killing) {
        const gateway = net.gateways[2] ?? ''
        const run = await net.cli('contract', 'call', ...transfer('0.01'), ...as('admin'), '--gateway', gateway)
        expect(run.json(), run.stdout).toMatchObject({ state: 'approved' })
        made += 1
      }
    })()
    for (const name of ['val-0', 'val-1']) {
      await net.kill(name)
      const before = made
      await until('two more calls', async () => (made >= before + 2 ? true : undefined))
      expect((await net.up('--only', name)).code).toBe(0)
    }
    killing = false
    await calling
    const { peers } = await net.agreed()
    expect(new Set(peers.map((one) => one.state_root)).size).toBe(1)
    const balances = await Promise.all(net.gateways.map(balance))
    expect(balances).toEqual(net.gateways.map(() => String(made / 100)))
  })

  it('uses the same gas on a long-running node, on a restarted node and in a block', async () => {
    await net.kill()
    expect((await net.up()).code).toBe(0)
    await net.agreed()
    // Nodes that just began: their modules are in no cache. The second time they are.
    const cold = await Promise.all(net.gateways.map(simulatedGas))
    const warm = await Promise.all(net.gateways.map(simulatedGas))
    expect(new Set([...cold, ...warm]).size).toBe(1)
    const run = await net.cli('contract', 'call', ...transfer('0.01'), ...as('admin'))
    expect(run.json(), run.stdout).toMatchObject({ state: 'approved' })
    const activity = await net.cli('contract', 'activity', 'token@bank', '--json')
    const [last] = (activity.json() as unknown as { readonly items: readonly { readonly gas_used: unknown }[] }).items
    expect(last?.gas_used).toBe(cold[0])
    const { peers } = await net.agreed()
    expect(new Set(peers.map((one) => one.state_root)).size).toBe(1)
  })

  it('is reported by the explorer and by watch with its trap and its gas if it traps', async () => {
    const run = await net.cli('contract', 'call', ...transfer('1000000'), ...as('admin'))
    expect(run.json(), run.stdout).toMatchObject({ error: { code: 'contract_trap' } })
    interface Listed {
      readonly items: readonly { readonly rejection: string | null; readonly trap: string | null }[]
    }
    const shown = await until('the transaction in the explorer', async () => {
      const { items } = await getJson<Listed>(net.gateways[1] ?? '', '/v1/explorer/transactions?limit=1')
      return items[0]?.trap ? items[0] : undefined
    })
    expect(shown).toMatchObject({ rejection: 'contract_trap', trap: 'aborted' })
    let text: string | undefined
    const watching = net.cli('watch', '--lines', '--limit', '8').then(({ stdout }) => {
      text = stdout
    })
    while (text === undefined) await net.cli('contract', 'call', ...transfer('1000000'), ...as('admin'))
    await watching
    expect(text).toMatch(/rejected \[contract_trap\].* trap aborted \d+ gas \d+/)
  })

  it('is proven by a file that requires trust in the genesis hash only', async () => {
    const gateway = net.gateways[1] ?? ''
    const shown = await net.cli('contract', 'show', 'token@bank', '--json')
    const { address } = shown.json() as unknown as { readonly address: string }
    const file = join(net.root, 'bundle.json')
    const bundle = await getJson<object>(gateway, `/v1/contracts/bundle/${address}`)
    await writeFile(file, JSON.stringify(bundle))
    const { genesis_hash: genesis } = (await net.cli('localnet', 'status', '--json')).json() as unknown as {
      readonly genesis_hash: string
    }
    const proven = await net.cli('contract', 'verify', file, '--genesis-hash', genesis, '--json')
    expect(proven.json(), proven.stdout).toMatchObject({ contract: address, name: 'token', valid: true })
    const foreign = await net.cli('contract', 'verify', file, '--genesis-hash', '0'.repeat(64), '--json')
    expect([foreign.code, foreign.json()]).toMatchObject([10, { error: { code: 'proof_invalid' } }])
  })

  it('matches the build of its own sources, and no other build', needs(COMPILER_MISSING), async () => {
    const folder = join(net.root, 'my-token')
    const compiler = ['--compiler', join(COMPILER_PACKAGES, 'assemblyscript')]
    const verified = (...more: string[]) =>
      net.cli('contract', 'verify', folder, '--deployed', 'token@bank', ...more, '--json')
    await symlink(COMPILER_PACKAGES, join(folder, 'node_modules'))
    const without = await verified()
    expect(without.json()).toMatchObject({ error: { code: 'usage', message: expect.stringContaining('--compiler') } })
    const same = await verified(...compiler)
    expect(same.json(), same.stdout).toMatchObject({ valid: true })
    await appendFile(join(folder, 'contract.ts'), '\n/** @view */\nexport function seven(): u32 {\n  return 7\n}\n')
    const other = await verified(...compiler)
    expect([other.code, other.json()]).toMatchObject([4, { error: { code: 'validation_failed' } }])
    expect(other.stdout).toContain('builds a different module than token@bank runs')
  })
})
