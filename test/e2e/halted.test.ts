/** One balance changes in the database of a stopped node: it halts at the next payment, and everybody who asks is told. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLOSE_CODES } from '../../src/api/index.js'
import { CausewayClient } from '../../src/client/index.js'
import { balances } from '../../src/ledger/tables.js'
import { rowKey } from '../../src/state/index.js'
import { flipState } from '../support/flip-state.js'
import { SocketReader, SseReader } from '../unit/gateway/stream-readers.js'
import { getJson, TestNet, until } from './localnet.js'

const VICTIM = 3
let net: TestNet
let gateway: string

const pay = (peer: number) =>
  net.cli(
    ...['asset', 'transfer', '--key-file', net.keyFile('alice'), '--to', 'bob@bank'],
    ...['--asset', 'eur#bank', '--amount', '0.01', '--json', '--gateway', net.gateways[peer] ?? ''],
  )

beforeAll(async () => {
  net = await TestNet.start('permissioned-4')
  gateway = net.gateways[VICTIM] ?? ''
  const paid = await pay(0)
  expect(paid.code, paid.stdout + paid.stderr).toBe(0)
  const { height, peers } = await net.agreed()
  const client = new CausewayClient({ gateway: net.gateways[0] ?? '' })
  const { id } = await client.account('bob@bank')
  await client.close()
  const { name = '' } = peers[VICTIM] ?? {}
  await net.kill(name)
  await flipState(join(net.folder, name, 'data'), rowKey(balances, { definition: 'eur#bank', account: id }))
  const up = await net.up()
  expect(up.code, up.stdout + up.stderr).toBe(0)
  await net.agreed(4, height ?? 1)
})
afterAll(() => TestNet.closeAll())

const ask = (path: string) => fetch(`${gateway}${path}`, { headers: { accept: 'application/json' } })
const codeOf = async (path: string) => {
  const answer = await ask(path)
  return [answer.status, answer.headers.get('x-ledger-reject-code'), answer.headers.get('retry-after')]
}
const REFUSED = [503, 'node_halted', null]

describe('a node with a balance that differs from the chain', () => {
  it('ends its streams with the reason when it halts', async () => {
    const events = await SocketReader.open(`${gateway}/events`, '{"filters":[]}')
    const page = await SseReader.open(`${gateway}/v1/events/sse`)
    expect((await pay(0)).code).toBe(0)
    await events.until(() => events.closed !== undefined)
    await page.until(() => page.ended)
    expect(events.closed).toEqual({ code: CLOSE_CODES.halted, reason: expect.stringContaining('halted') })
    expect(page.events.at(-1)).toMatchObject({ event: 'end', data: { code: 'node_halted' } })
    expect(await codeOf('/v1/events/sse')).toEqual(REFUSED)
  })

  it('is not healthy', async () => {
    expect(await codeOf('/health')).toEqual(REFUSED)
    expect(await codeOf('/v1/health')).toEqual(REFUSED)
  })

  it('reports the differing row in its status, and that it is neither synced nor in a quorum', async () => {
    const status = await getJson<Record<string, unknown>>(gateway, '/status')
    expect(status).toMatchObject({ synced: false, in_quorum: false, halted: expect.stringContaining('table balances') })
    const consensus = await getJson<Record<string, unknown>>(gateway, '/v1/consensus/status')
    expect(consensus).toMatchObject({ halted: status['halted'], stall: { reason: 'halted' } })
    expect(await (await fetch(`${gateway}/metrics`)).text()).toContain('\nnode_halted 1\n')
  })

  it('serves no balance, with or without a proof', async () => {
    for (const path of ['/v1/accounts/bob@bank', '/v1/accounts/bob@bank/assets', '/v1/assets', '/v1/parameters'])
      expect([path, ...(await codeOf(path))]).toEqual([path, ...REFUSED])
    const key = encodeURIComponent(JSON.stringify({ definition: 'eur#bank', account: 'bob@bank' }))
    expect(await codeOf(`/v1/ledger/state-proof?table=balances&key=${key}`)).toEqual(REFUSED)
  })

  it('still serves its blocks, which are proven by their certificates', async () => {
    for (const path of ['/v1/explorer/blocks', '/v1/ledger/headers', '/v1/bridge/finality/2'])
      expect([path, (await ask(path)).status]).toEqual([path, 200])
  })

  it('accepts no transaction, and the others continue without it', async () => {
    const refused = await pay(VICTIM)
    expect([refused.code, refused.json()]).toMatchObject([5, { error: { code: 'node_halted' } }])
    const paid = await pay(1)
    expect(paid.code, paid.stdout + paid.stderr).toBe(0)
  })

  it('is reported by status, localnet status and the dashboard', async () => {
    const status = await net.cli('status', '--check', '--gateway', gateway)
    expect([status.code, status.stdout]).toEqual([10, expect.stringMatching(/health +halted: .*table balances/)])
    const local = await net.cli('localnet', 'status', '--json')
    expect((await net.status()).peers[VICTIM]?.note).toContain('table balances')
    expect(local.stdout).toContain('table balances')
    const watch = await net.cli('watch', '--once', '--gateway', gateway)
    expect(watch.stdout).toContain('HALTED')
  })

  it('halts again after a restart, since its data did not change', async () => {
    const { peers } = await net.status()
    await net.kill(peers[VICTIM]?.name ?? '')
    expect((await net.up()).code).toBe(0)
    await until('the halt', async () => ((await ask('/health')).status === 503 ? true : undefined))
    await until('the reason', async () => {
      const { halted } = await getJson<{ halted?: string }>(gateway, '/status').catch(() => ({ halted: undefined }))
      return halted
    })
  })
})
