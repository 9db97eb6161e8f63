/** Releases that were: their programs run, their data opens in today's program and goes on from where it stood. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ABIS } from '../../src/features/abi.js'
import { causeway } from '../cli/run.js'
import { freePorts, until } from '../support/ports.js'
import { RELEASES, unpackNetwork, unpackProgram } from '../support/releases.js'
import { getJson } from './localnet.js'

test('the data of the first release is available', () => {
  expect(RELEASES.map(({ version }) => version)).toContain('0.1.0')
})

describe.each(RELEASES)('release $version', (record) => {
  let folder: string
  let net: string
  let gateway: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-release-'))
    net = unpackNetwork(record.version, folder)
    const port = await freePorts(2)
    gateway = `http://127.0.0.1:${port}`
    for (const file of ['localnet.json', join('val-0', 'node.toml')]) {
      const path = join(net, file)
      const text = await readFile(path, 'utf8')
      const { ports } = record
      const moved = text
        .replaceAll(`127.0.0.1:${ports.gateway}`, `127.0.0.1:${port}`)
        .replaceAll(`127.0.0.1:${ports.links}`, `127.0.0.1:${port + 1}`)
      expect(moved).not.toBe(text)
      await writeFile(path, moved)
    }
  })
  afterEach(async () => {
    await causeway(['localnet', 'down', '--dir', net])
    await rm(folder, { recursive: true, force: true })
  })

  const started = async (executable?: string): Promise<void> => {
    const words = ['localnet', 'up', '--dir', net]
    // Releases before 0.2.0 marked no network as that of its user.
    const up =
      executable === undefined
        ? await causeway([...words, '--adopt'], { env: { XDG_CONFIG_HOME: join(folder, '.config') } })
        : await causeway(words, { executable })
    expect(up, up.stdout + up.stderr).toMatchObject({ code: 0 })
  }
  const balances = async (account: string): Promise<Record<string, string>> => {
    type Assets = { readonly items: readonly { readonly definition: string; readonly amount: string }[] }
    const { items } = await getJson<Assets>(gateway, `/v1/accounts/${account}/assets`)
    return Object.fromEntries(items.map(({ definition, amount }) => [definition, amount]))
  }
  type Standing = { readonly height: number; readonly state_root: string }
  const standing = (): Promise<Standing> => getJson<Standing>(gateway, '/v1/consensus/status')
  const pay = async (executable?: string): Promise<void> => {
    const key = ['--key-file', join(net, 'dev-only-keys', 'alice.json')]
    // Transactions of ABI 1 cannot assert an alias, so that the current program needs an address at a gateway without a pin.
    const { id: bob } = await getJson<{ readonly id: string }>(gateway, '/v1/accounts/bob@bank')
    const payment = ['--to', bob, '--asset', 'eur#bank', '--amount', '0.25', '--gateway', gateway]
    // Release 0.1.0 has the transfer of an asset under its former name.
    const words = [...(executable === undefined ? ['asset'] : ['ledger']), 'transfer', ...key, ...payment]
    const paid = await causeway(words, executable === undefined ? {} : { executable })
    expect(paid.stdout).toContain(`approved at height ${record.height + 1}`)
  }

  test('has an unchanged ABI', () => {
    expect([...ABIS.values()].map((abi) => abi.hash.toString('hex'))).toContain(record.abiHash)
  })

  test('has data that opens in the current program with the same state, and payments continue', async () => {
    await started()
    expect(await standing()).toMatchObject({ height: record.height, state_root: record.stateRoot })
    for (const [account, amounts] of Object.entries(record.balances)) expect(await balances(account)).toEqual(amounts)
    await pay()
    const now = await balances('bob@bank')
    expect(Number(now['eur#bank'])).toBeCloseTo(Number(record.balances['bob@bank']?.['eur#bank']) + 0.25)
    // Blocks of the release and later ones replay together.
    await causeway(['localnet', 'down', '--dir', net])
    await started()
    await until('the height', async () => ((await standing()).height === record.height + 1 ? true : undefined))
    expect(await balances('bob@bank')).toEqual(now)
  })

  test('runs on its own data', async () => {
    const executable = await unpackProgram(record.version, folder)
    expect((await causeway(['--version'], { executable })).stdout).toContain(`causeway/${record.version}`)
    await started(executable)
    await pay(executable)
  })
})
