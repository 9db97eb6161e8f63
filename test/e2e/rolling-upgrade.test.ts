/**
 * Four processes of release 0.1.0 become four of today, one by one and under payments, and their network goes from its ABI to the
 * newest: who lacks it is told in time, nothing is lost, and the old release leaves alone what it cannot run.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatPublicKey } from '../../src/crypto/index.js'
import { ABIS, NEWEST_ABI } from '../../src/features/abi.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { randomOf } from '../../src/simulation/prng.js'
import { Load, type PaidNet } from '../chaos/load.js'
import { causeway } from '../cli/run.js'
import { unpackProgram } from '../support/releases.js'
import { getJson, processesOf, TestNet, until } from './localnet.js'

const OLD = '0.1.0'
const NAMES = ['val-0', 'val-1', 'val-2', 'val-3'] as const
type Name = (typeof NAMES)[number]
/** Replaced last: until the upgrade is proposed. */
const LAST = 'val-3'
/** Heights between a proposal and the first one at which it may be activated. */
const AHEAD = 40

/** Folder of the program of the old release. */
let unpacked: string
/** Program of the old release, run by `node`. */
let program: string
/** The network, with commands of the old release and with those of today. */
let old: TestNet
let net: TestNet
let load: Load
/** Which peers are meant to run: payments go to them alone. */
const running = new Map<Name, boolean>(NAMES.map((name) => [name, true]))
/** Transfers by command, in usd#bank, beside the load. */
let paid = 0

const gatewayOf = (name: Name): string => net.gateways[NAMES.indexOf(name)] ?? ''
const folderOf = (name: Name): string => join(net.folder, name)
const keyOf = async (name: Name): Promise<string> =>
  formatPublicKey((await readKeyFile(join(folderOf(name), 'keys', 'validator.json'))).publicKey)
const as = (name: string): string[] => ['--key-file', net.keyFile(name), '--yes', '--json']

beforeAll(async () => {
  unpacked = await mkdtemp(join(tmpdir(), 'causeway-release-'))
  program = await unpackProgram(OLD, unpacked)
  old = await TestNet.startOf(program, 'iso-demo')
  net = old.by(undefined)
  const payers: PaidNet = {
    peers: NAMES.map((name) => ({
      gateway: gatewayOf(name),
      get isRunning() {
        return running.get(name) === true
      },
    })),
    keyFile: (name) => net.keyFile(name),
  }
  load = await Load.open(payers, randomOf(1, 'rolling-upgrade'))
  load.start(1)
})
afterAll(async () => {
  await load?.stop()
  await TestNet.closeAll()
  await rm(unpacked, { recursive: true, force: true })
})

/** A command that has to succeed; gives its result. */
async function done<T>(run: ReturnType<TestNet['cli']>): Promise<T> {
  const { code, stdout, stderr, json } = await run
  expect(code, stdout + stderr).toBe(0)
  return json() as T
}

/** Stops a peer: with SIGTERM, or at once. */
async function stop(name: Name, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  running.set(name, false)
  if (signal === 'SIGKILL') return net.kill(name)
  const { peers } = await net.status()
  const pid = peers.find((one) => one.name === name)?.pid
  if (pid === undefined || pid === null) throw new Error(`${name} does not run: ${JSON.stringify(peers)}`)
  process.kill(pid, signal)
  await until(`the end of ${name}`, async () => ((await processesOf(folderOf(name))).length === 0 ? true : undefined))
}

/** Starts a peer with one of the programs, and waits until the others commit blocks that it proposes. */
async function start(by: TestNet, name: Name): Promise<void> {
  const { height } = await net.status()
  // The record of a release without marks has none: the release of today is told that the network is this user's own.
  await done(by.up('--only', name, ...(by === old ? [] : ['--adopt'])))
  running.set(name, true)
  const key = await keyOf(name)
  const other = gatewayOf(name === 'val-1' ? 'val-2' : 'val-1')
  type Blocks = { readonly items: readonly { readonly height: number; readonly proposer: string }[] }
  await until(`a block of ${name}`, async () => {
    const { items } = await getJson<Blocks>(other, '/v1/explorer/blocks?limit=50')
    return items.some((block) => block.proposer === key && block.height > (height ?? 0)) ? true : undefined
  })
}

/** A payment by command through a peer: in a block and approved. */
async function pay(name: Name): Promise<void> {
  const payment = ['--to', 'bob@bank', '--asset', 'usd#bank', '--amount', '1', '--gateway', gatewayOf(name)]
  expect(await done(net.cli('asset', 'transfer', ...payment, ...as('alice')))).toMatchObject({ state: 'approved' })
  paid += 1
}

interface Abi {
  readonly abi_version: number
  readonly supported_abis: readonly number[]
}
const abiOf = (name: Name): Promise<Abi> => done(net.cli('runtime', 'abi', '--json', '--gateway', gatewayOf(name)))
const logOf = (name: Name): Promise<string> => readFile(join(folderOf(name), 'node.log'), 'utf8')
const startOld = (name: Name) =>
  causeway(['node', 'start', '--config', join(folderOf(name), 'node.toml')], { executable: program })

describe('a network of release 0.1.0', () => {
  let upgrade: string
  let opens: number

  it('runs with one upgraded node, which can still be downgraded', async () => {
    expect((await abiOf('val-0')).supported_abis).toEqual([1])
    await stop('val-0', 'SIGTERM')
    await pay('val-1')
    await start(net, 'val-0')
    expect(await abiOf('val-0')).toMatchObject({ abi_version: 1, supported_abis: [...ABIS.keys()] })
    await pay('val-0')
    await stop('val-0', 'SIGTERM')
    await start(old, 'val-0')
    expect((await abiOf('val-0')).supported_abis).toEqual([1])
    await pay('val-0')
  })

  it.each([
    ['val-0', 'SIGTERM'],
    ['val-1', 'SIGKILL'],
    ['val-2', 'SIGTERM'],
  ] as const)('replaces %s after %s while payments continue', async (name, signal) => {
    await stop(name, signal)
    await pay(LAST)
    await start(net, name)
    await pay(name)
  })

  it('rejects an instruction of the newest ABI while the old ABI is active', async () => {
    const refused = await net.cli('conference', 'create', 'bank:early', ...as('admin'))
    expect(refused.json(), refused.stdout).toMatchObject({ error: { code: 'unknown_instruction' } })
  })

  it('warns early about the node that lacks the proposed ABI, on that node and its peers', async () => {
    type Abis = { readonly items: readonly { readonly abi_version: number; readonly abi_hash: string }[] }
    const newest = (await done<Abis>(net.cli('runtime', 'abis', '--json'))).items.at(-1)
    expect(newest).toEqual({ abi_version: NEWEST_ABI.number, abi_hash: NEWEST_ABI.hash.toString('hex') })
    opens = ((await net.status()).height ?? 0) + AHEAD
    const manifest = ['--name', 'newest', '--abi', `${newest?.abi_version}`, '--abi-hash', newest?.abi_hash ?? '']
    const window = ['--start', `${opens}`, '--end', `${opens + 100_000}`]
    const slip = manifest.with(-1, newest?.abi_hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) ?? '')
    const refused = await net.cli('runtime', 'upgrade', 'propose', ...slip, ...window, ...as('admin'))
    expect(refused.json(), refused.stdout).toMatchObject({ error: { code: 'abi_missing' } })
    await done(net.cli('runtime', 'upgrade', 'propose', ...manifest, ...window, ...as('admin')))
    const { items } = await done<{ items: { id: string }[] }>(net.cli('runtime', 'upgrade', 'list', '--json'))
    upgrade = items[0]?.id ?? ''

    const missing = { upgrade: 'newest', abi_version: NEWEST_ABI.number, decided: false, from_height: opens }
    type Status = { readonly missing_abi?: unknown }
    const missingAbi = await until(
      'the warning',
      async () => (await getJson<Status>(gatewayOf(LAST), '/status')).missing_abi,
    )
    expect(missingAbi).toMatchObject(missing)
    expect((await getJson<Status>(gatewayOf('val-0'), '/status')).missing_abi ?? undefined).toBeUndefined()
    const status = await net.cli('status', '--gateway', gatewayOf(LAST))
    expect(status.stdout).toContain(`newest: this release does not support ABI ${NEWEST_ABI.number}`)
    const doctor = await old.cli('doctor', '--config', join(folderOf(LAST), 'node.toml'))
    expect(doctor.stdout).toContain(`upgrade newest needs ABI ${NEWEST_ABI.number}`)
    expect(await logOf(LAST)).toContain('this release does not support the ABI of a proposed upgrade')
    const end = (await keyOf(LAST)).slice(-4)
    await until('the word of the peers', async () => {
      const lines = (await logOf('val-0')).split('\n')
      const named = lines.find((line) => line.includes('peer does not support the ABI of a scheduled upgrade'))
      return named?.includes(`${end}"`) === true ? true : undefined
    })
  })

  it('replaces the last node before the switch, so that all nodes support the ABI', async () => {
    await stop(LAST, 'SIGTERM')
    await pay('val-0')
    await start(net, LAST)
    expect(await getJson(gatewayOf(LAST), '/status')).not.toHaveProperty('missing_abi.upgrade')
  })

  it('switches to the newest ABI and uses its features, with the same result on all nodes', async () => {
    await until('the window', async () => (((await net.status()).height ?? 0) + 1 >= opens ? true : undefined))
    await done(net.cli('runtime', 'upgrade', 'activate', upgrade, ...as('admin')))
    for (const name of NAMES)
      await until(`the switch of ${name}`, async () =>
        (await abiOf(name)).abi_version === NEWEST_ABI.number ? true : undefined,
      )
    const permit = ['permission', 'grant', 'CanDeployContract', '--to', 'admin@bank', ...as('admin')]
    await done(net.cli(...permit))
    await net.cli('contract', 'create', 'token', '--template', 'token')
    const initial = ['--alias', 'token@bank', '--args', '{"digits":2,"initial":"1000"}']
    expect(await done(net.cli('contract', 'deploy', 'token', ...initial, ...as('admin')))).toMatchObject({
      state: 'approved',
    })
    for (const name of NAMES) {
      const supply = async (): Promise<unknown> => {
        const view = await net.cli(
          'contract',
          'view',
          'token@bank',
          'totalSupply',
          '--json',
          '--gateway',
          gatewayOf(name),
        )
        return view.code === 0 ? (view.json() as { readonly result?: unknown }).result : undefined
      }
      expect(await until(`the contract on ${name}`, supply)).toBe('1000')
    }
  })

  it('reports storage_corrupt if the old release reads packed header records, and leaves the folder unchanged', async () => {
    await stop(LAST, 'SIGTERM')
    const refused = await startOld(LAST)
    expect(refused.code, refused.stderr).toBe(1)
    expect(refused.stderr).toContain('[storage_corrupt]')
    await done(net.cli('block', 'verify', '--peer-dir', folderOf(LAST), '--json'))
    await start(net, LAST)
    await pay(LAST)
  })

  it('has lost no payment, and has one state on all nodes', async () => {
    await load.stop()
    const { height } = await net.agreed()
    expect(load.count).toBeGreaterThan(100)
    for (const name of NAMES) {
      const accounts = await load.settle({ gateway: gatewayOf(name), isRunning: true })
      expect(accounts.acknowledged).toBe(load.count)
      type Assets = { readonly items: readonly { readonly definition: string; readonly amount: string }[] }
      const { items } = await getJson<Assets>(gatewayOf(name), '/v1/accounts/bob@bank/assets')
      expect(items.find(({ definition }) => definition === 'usd#bank')?.amount).toBe(`${1_000_000 + paid}`)
    }
    const { peers } = await net.agreed(4, height ?? 1)
    expect(new Set(peers.map((peer) => peer.state_root)).size).toBe(1)
  })
})
