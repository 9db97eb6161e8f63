/** Names on processes: two accounts race for one, a client dies between commitment and registration, a validator dies meanwhile. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCauseway } from '../cli/run.js'
import { getJson, TestNet, until } from './localnet.js'

const PRICE = 5
let net: TestNet
const gateway = (): string => net.gateways[0] ?? ''
const register = (account: string, name: string, ...more: readonly string[]) => [
  ...['name', 'register', name, ...more, '--yes', '--json', '--gateway', gateway()],
  ...['--key-file', net.keyFile(account)],
]
async function eurosOf(account: string): Promise<number> {
  const { balances } = await getJson<{ balances: { definition: string; amount: string }[] }>(
    gateway(),
    `/v1/accounts/${account}@bank`,
  )
  return Number(balances.find(({ definition }) => definition === 'eur#bank')?.amount ?? 0)
}
const ownerOf = async (name: string): Promise<string> =>
  (await getJson<{ owner: string }>(gateway(), `/v1/names/${name}@bank`)).owner
const addressOf = async (account: string): Promise<string> =>
  (await getJson<{ id: string }>(gateway(), `/v1/accounts/${account}@bank`)).id

beforeAll(async () => {
  net = await TestNet.start()
  const words = [
    'name',
    'policy',
    'set',
    'bank',
    '--mode',
    'leased',
    '--asset',
    'eur#bank',
    '--price',
    `20,10,${PRICE}`,
  ]
  const set = await net.cli(...words, '--yes', '--json', '--key-file', net.keyFile('admin'))
  expect(set.code, set.stdout + set.stderr).toBe(0)
})
afterAll(() => TestNet.closeAll())

it('if two accounts register one name at once, one of them gets it and the other pays nothing', async () => {
  const before = await Promise.all(['alice', 'bob'].map(eurosOf))
  const runs = await Promise.all(['alice', 'bob'].map((account) => net.program(...register(account, 'race-desk@bank'))))
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 6])
  const lost = runs.find(({ code }) => code === 6)
  expect(lost?.json()).toMatchObject({ error: { code: 'name_taken' } })
  const winner = runs.findIndex(({ code }) => code === 0)
  expect(await ownerOf('race-desk')).toBe(await addressOf(winner === 0 ? 'alice' : 'bob'))
  const after = await Promise.all(['alice', 'bob'].map(eurosOf))
  expect(after).toEqual(before.map((euros, at) => (at === winner ? euros - PRICE : euros)))
})

it('a registration continues with --resume if its client died after the commitment, and is paid once', async () => {
  const before = await eurosOf('alice')
  const client = startCauseway(register('alice', 'long-desk@bank'), net.surroundings)
  let notes = ''
  client.stderr?.on('data', (part: Buffer) => {
    notes += part.toString()
  })
  await until('the commitment', async () => (notes.includes('committed') ? true : undefined))
  client.kill('SIGKILL')
  const folder = join(net.root, '.config', 'causeway', 'names')
  const [kept = ''] = await readdir(folder)
  expect((await stat(join(folder, kept))).mode & 0o777).toBe(0o600)
  const again = await net.cli(...register('alice', 'long-desk@bank'))
  expect(again.json()).toMatchObject({ error: { code: 'usage' } })
  // A validator that may be the proposer of the registration is gone, too.
  await net.kill('val-3')
  const resumed = await net.cli(...register('alice', 'long-desk@bank', '--resume'))
  expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0)
  expect(await ownerOf('long-desk')).toBe(await addressOf('alice'))
  expect(await eurosOf('alice')).toBe(before - PRICE)
  expect(await readdir(folder)).toEqual([])
  const done = await net.cli(...register('alice', 'long-desk@bank', '--resume'))
  expect(done.json()).toMatchObject({ error: { code: 'usage' } })
})
