/**
 * Every parameter of the chain at its worst values, set by vote on four processes: each value is refused with a code, or the
 * chain goes on, payments settle by every node, and a vote sets it back. `GOVERNANCE_PARAMETERS=each` votes on each value of
 * its own, instead of on one value of every parameter at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../src/client/index.js'
import type { Json } from '../../src/codec/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { formatAddress } from '../../src/model/index.js'
import { type Extreme, extremesOf, fallbackOf } from '../support/parameter-extremes.js'
import { TEST_MS } from '../support/ports.js'
import { getJson, TestNet, until } from './localnet.js'

const IS_EACH = process.env.GOVERNANCE_PARAMETERS === 'each'
const MEMBERS = ['alice', 'bob', 'carol'] as const
type Member = (typeof MEMBERS)[number]
/** Far more than the slowest machine needs for some 150 votes. */
const TIMEOUT_MS = IS_EACH ? 30 * TEST_MS : 4 * TEST_MS

/** Life that every chain above the floor allows. */
const TTL_MS = 30_000

let net: TestNet
let gateway: string
const clients = new Map<Member, CausewayClient>()
const addresses = new Map<Member, string>()
/** Number of the last proposal. */
let last = 0

async function act(by: Member, ...instructions: readonly Json[]): Promise<string | undefined> {
  const client = clients.get(by)
  if (client === undefined) throw new Error(`${by} has no client`)
  const { state, rejection } = await client.transactAndWait(instructions, { ttlMs: TTL_MS })
  return state === 'approved' ? undefined : (rejection?.code ?? state)
}
const setting = ({ name, value }: Extreme): Json => ({ SetParameter: { name, value } })
const proposal = (list: readonly Extreme[]) => ({
  track: 1,
  title: 'Extremes',
  summary: '',
  link: null,
  peer: null,
  instructions: list.map(setting),
})

/** Code with which a list would fail, and its place. */
async function fault(
  list: readonly Extreme[],
): Promise<{ readonly code: string; readonly position?: number } | undefined> {
  const answer = await fetch(`${gateway}/v1/gov/proposals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(proposal(list)),
  })
  if (!answer.ok) throw new Error(`the simulation answers ${answer.status}: ${await answer.text()}`)
  const { simulation } = (await answer.json()) as { simulation: { error?: string; position?: number } }
  const { error, position } = simulation
  return error === undefined ? undefined : { code: error, ...(position === undefined ? {} : { position }) }
}

const statusOf = async (proposal: number): Promise<string> =>
  (await getJson<{ status: string }>(gateway, `/v1/gov/referenda/${proposal}`)).status

/** Have the board decide a list. The code of a failed enactment, or undefined. */
async function decide(list: readonly Extreme[]): Promise<string | undefined> {
  last += 1
  expect(await act('alice', { SubmitProposal: proposal(list) }), JSON.stringify(list)).toBeUndefined()
  const { digest } = await getJson<{ digest: string }>(gateway, `/v1/gov/referenda/${last}`)
  const ballot = { proposal: last, digest, choice: 'Aye', amount: null, conviction: 0, peer: null }
  for (const member of MEMBERS) expect(await act(member, { CastBallot: ballot })).toBeUndefined()
  // At a full minute a run of the chain may make either step.
  expect([undefined, 'not_due']).toContain(await act('alice', { FinalizeProposal: { proposal: last } }))
  const enacted = await until(`the enactment of ${JSON.stringify(list)}`, async () => {
    const code = await act('bob', { EnactProposal: { proposal: last } })
    if (code === 'not_due' && (await statusOf(last)) === 'Enacted') return { code: undefined }
    return code === 'not_due' ? undefined : { code }
  })
  return enacted.code
}

/** A payment by every gateway, so that blocks go on and every node serves. */
async function expectAlive(what: string): Promise<void> {
  const signer = await readKeyFile(net.keyFile('alice'))
  for (const at of net.gateways) {
    const client = new CausewayClient({ gateway: at, signer })
    const asset = { definition: 'eur#bank', account: addresses.get('alice') ?? '' }
    const { state, rejection } = await client.transactAndWait(
      [{ Transfer: { asset, to: addresses.get('bob') ?? '', amount: '0.01' } }],
      { ttlMs: TTL_MS },
    )
    expect([state, rejection?.code], `${what} by ${at}`).toEqual(['approved', undefined])
  }
}
async function expectDefaults(): Promise<void> {
  const { items } = await getJson<{ items: { name: string; value: Json }[] }>(gateway, '/v1/parameters')
  const values = Object.fromEntries(items.map(({ name, value }) => [name, value]))
  for (const { name, value } of ABI_2.parameters.map(fallbackOf)) expect(values[name], name).toEqual(value)
}

/** Lists of values that are accepted together, each parameter at most once in a list. */
async function batchesOf(values: readonly Extreme[]): Promise<Extreme[][]> {
  const batches: Extreme[][] = []
  let left = [...values]
  while (left.length > 0) {
    const batch: Extreme[] = []
    for (const one of left) {
      if (batch.length === 64 || batch.some(({ name }) => name === one.name)) continue
      if ((await fault([...batch, one])) === undefined) batch.push(one)
    }
    if (batch.length === 0) throw new Error(`no list can contain ${JSON.stringify(left[0])}`)
    batches.push(batch)
    left = left.filter((one) => !batch.includes(one))
  }
  return batches
}

beforeAll(async () => {
  net = await TestNet.start('governance-4')
  gateway = net.gateways[0] ?? ''
  for (const [index, name] of MEMBERS.entries()) {
    const client = new CausewayClient({
      gateway: net.gateways[index] ?? gateway,
      signer: await readKeyFile(net.keyFile(name)),
    })
    clients.set(name, client)
    const { addressPrefix } = await client.chain()
    addresses.set(name, formatAddress((await client.account(`${name}@bank`)).id, addressPrefix))
  }
})
afterAll(() => TestNet.closeAll())

describe('a parameter at its worst value, set by vote', () => {
  it(
    'is rejected with a code or has no harmful effect on four processes',
    async () => {
      const account = addresses.get('carol') ?? ''
      const samples: Json[] = [
        'eur#bank',
        'vote#bank',
        'none#bank',
        { backend: 'none', name: 'none' },
        { Account: account },
      ]
      const accepted: Extreme[] = []
      const refused: Extreme[] = []
      for (const def of ABI_2.parameters) {
        const values = extremesOf(def, samples)
        expect(values, def.name).not.toHaveLength(0)
        for (const one of values) {
          const found = await fault([one])
          if (found === undefined) accepted.push(one)
          else {
            expect(['below_floor', 'lots_only', 'bad_parameter'], JSON.stringify(one)).toContain(found.code)
            refused.push(one)
          }
        }
      }
      expect(refused.length).toBeGreaterThan(0)
      const lists = IS_EACH ? accepted.map((one) => [one]) : await batchesOf(accepted)
      for (const list of lists) {
        expect(await decide(list), JSON.stringify(list)).toBeUndefined()
        await expectAlive(JSON.stringify(list))
        const back = list
          .map(({ name }) => ABI_2.parameters.find((def) => def.name === name))
          .flatMap((def) => (def ? [fallbackOf(def)] : []))
        expect(await decide(back), JSON.stringify(back)).toBeUndefined()
        await expectAlive('the defaults')
        await expectDefaults()
      }
      const { peers } = await net.agreed()
      expect(new Set(peers.map(({ state_root }) => state_root)).size).toBe(1)
    },
    TIMEOUT_MS,
  )
})
