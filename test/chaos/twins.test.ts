/** Two of seven elected validators are twins: what they sign twice is proven, and costs them stake, while the others go on. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slashBps } from '../../src/consensus/npos/index.js'
import { templatePath } from '../../src/node/genesis/index.js'
import { randomOf } from '../../src/simulation/prng.js'
import { getJson } from '../e2e/localnet.js'
import { LINUX_MISSING, needs } from '../support/needs.js'
import { until } from '../support/ports.js'
import { Load } from './load.js'
import { ChaosNet } from './net.js'

const VALIDATORS = 7
const TWINS = ['val-5', 'val-6'] as const
const BOND = 10_000
/** Heights at which each of them votes twice. */
const DOUBLE_VOTES = 6
/** Time of an appeal: short, and seen not to be cut shorter. */
const APPEAL_MS = 8_000
const APPEAL_BLOCKS = 8

interface Manifest {
  parameters: Record<string, unknown>
  instructions: unknown[]
  staking: { validators: unknown[]; nominators: unknown[] }
}

/** The manifest of four elected validators, for seven and with a short appeal. */
async function manifestOfSeven(): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(templatePath(process.cwd(), 'npos-4'), 'utf8')) as Manifest
  const as = (one: unknown, name: string): unknown => JSON.parse(JSON.stringify(one).replaceAll('val-0', name))
  const own = manifest.instructions.filter((one) => JSON.stringify(one).includes('val-0'))
  manifest.instructions.push(...own.map((one) => as(one, 'val-6')))
  const [first] = manifest.staking.validators
  manifest.staking.validators = Array.from({ length: VALIDATORS }, (_, index) => as(first, `val-${index}`))
  manifest.staking.nominators = []
  Object.assign(manifest.parameters, { slashing_delay_ms: APPEAL_MS, slashing_delay_blocks: APPEAL_BLOCKS })
  return manifest
}

interface Slash {
  readonly id: number
  readonly validator: string
  readonly kind: string
  readonly status: unknown
  readonly bps: number
  readonly taken: string
  readonly due_height: number
}
interface Seats {
  readonly epoch: number
  readonly height: number
  readonly record: { readonly seats: readonly { readonly validator: string }[] }
}

afterAll(() => ChaosNet.closeAll())

describe('seven elected validators, two of which equivocate through a second node', needs(LINUX_MISSING), () => {
  let net: ChaosNet
  let load: Load
  let gateway: string
  const accounts = new Map<string, string>()
  const slashes = async (): Promise<readonly Slash[]> =>
    (await getJson<{ items: Slash[] }>(gateway, '/v1/lanes/public-lanes/0/slashes')).items
  const seats = () => getJson<Seats>(gateway, '/v1/lanes/public-lanes/0/epoch')
  const statusOf = ({ status }: Slash): string => JSON.stringify(status).toLowerCase()
  const totalStake = async (): Promise<number> =>
    Number((await getJson<{ total: string }>(gateway, '/v1/assets/definitions/stake%23bank')).total)

  beforeAll(async () => {
    net = await ChaosNet.create(5, { validators: VALIDATORS, manifest: { ...(await manifestOfSeven()) } })
    gateway = net.peer('val-0').gateway
    for (const peer of net.peers) {
      const isTwin = TWINS.some((name) => name === peer.name)
      await peer.start(isTwin ? { CHAOS_DOUBLE_VOTES: String(DOUBLE_VOTES) } : {})
    }
    await Promise.all(net.peers.map((peer) => peer.ready()))
    load = await Load.open(net, randomOf(5, 'load'))
    for (const name of TWINS) {
      accounts.set(name, (await getJson<{ id: string }>(gateway, `/v1/accounts/${name}@bank`)).id)
    }
  })

  it('all win a seat in the election', async () => {
    expect((await seats()).record.seats).toHaveLength(VALIDATORS)
  })

  it('prove both equivocations in blocks, and do not slash before the appeal window ends', async () => {
    const before = await totalStake()
    load.start()
    const open = await until('slashes of both twins', async () => {
      const found = await slashes()
      return TWINS.every((name) => found.some(({ validator }) => validator === accounts.get(name))) ? found : undefined
    })
    expect(new Set(open.map(({ validator }) => validator))).toEqual(new Set(accounts.values()))
    for (const one of open) {
      expect(one.kind).toBe('double_prepare')
      expect([statusOf(one), Number(one.taken)]).toEqual([expect.stringContaining('open'), 0])
    }
    expect(await totalStake()).toBe(before)
  })

  it('slash both equivocating validators after the appeal window, and no others', async () => {
    const executed = await until('slashes that are executed', async () => {
      const found = await slashes()
      return found.length > 0 && found.every((one) => statusOf(one).includes('executed')) ? found : undefined
    })
    const share = slashBps(200, TWINS.length, VALIDATORS, 10_000)
    expect(share).toBeGreaterThan(1_800)
    for (const name of TWINS) {
      const own = executed.filter(({ validator }) => validator === accounts.get(name))
      expect(own.length).toBeGreaterThan(0)
      // Of several faults in one term the highest counts.
      expect(own.reduce((sum, { bps }) => sum + bps, 0)).toBe(share)
      const { stake } = await getJson<{ stake: { bonded: string } }>(gateway, `/v1/accounts/${name}@bank/stake`)
      expect(Number(stake.bonded)).toBe(BOND - (BOND * share) / 10_000)
      const { height } = await seats()
      expect(height).toBeGreaterThanOrEqual(Math.max(...own.map((one) => one.due_height)))
    }
    const { stake } = await getJson<{ stake: { bonded: string } }>(gateway, '/v1/accounts/val-0@bank/stake')
    expect(Number(stake.bonded)).toBe(BOND)
    const taken = executed.reduce((sum, one) => sum + Number(one.taken), 0)
    expect(taken).toBe((2 * BOND * share) / 10_000)
  })

  it('remove the seats of the slashed validators, and continue with one state and each acknowledged payment', async () => {
    const without = await until('an epoch without the twins', async () => {
      const now = await seats()
      return now.record.seats.some(({ validator }) => [...accounts.values()].includes(validator)) ? undefined : now
    })
    expect(without.record.seats.length).toBeGreaterThanOrEqual(4)
    await until('more blocks', async () => ((await seats()).height > without.height + 20 ? true : undefined))
    await load.stop()
    await net.agreed(net.peers, without.height + 20)
    expect(load.count).toBeGreaterThan(20)
    const accountsOf = await load.settle(net.peer('val-0'))
    expect(accountsOf.acknowledged).toBe(load.count)
  })
})
