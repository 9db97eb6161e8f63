/** Contracts on a network of processes: calls go on through kills, and every node comes to the same roots and the same gas. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { getJson, TestNet } from './localnet.js'

vi.setConfig({ testTimeout: 180_000 })

let net: TestNet
let bob: string
beforeAll(async () => {
  net = await TestNet.start()
  bob = (await getJson<{ id: string }>(net.gateways[0] ?? '', '/v1/accounts/bob@bank')).id
}, 120_000)
afterAll(() => TestNet.closeAll(), 60_000)

const as = (name: string): string[] => ['--key-file', net.keyFile(name), '--yes', '--json']
const transfer = (amount: string): string[] => [
  ...['token@bank', 'transfer', '--args', JSON.stringify({ to: bob, amount })],
]
/** What a call used, as one node tries it on its last committed state. */
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
    expect((await net.cli('contract', 'new', 'my-token', '--template', 'token')).code).toBe(0)
    const deployed = await net.cli(
      'contract',
      'deploy',
      'my-token',
      '--alias',
      'token@bank',
      '--args',
      '{"initial":"1000"}',
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
      await vi.waitUntil(() => made >= before + 2, { timeout: 60_000, interval: 100 })
      expect((await net.up('--only', name)).code).toBe(0)
    }
    killing = false
    await calling
    const { peers } = await net.agreed()
    expect(new Set(peers.map((one) => one.state_root)).size).toBe(1)
    const balances = await Promise.all(net.gateways.map(balance))
    expect(balances).toEqual(net.gateways.map(() => String(made / 100)))
  })

  it('uses the same gas on a node that ran all along, on one that was restarted, and in a block', async () => {
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
})
