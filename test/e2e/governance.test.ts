/** Decisions of a board on four processes: kills while votes close and lists are enacted, restarts in each status, an idle network, a vote sent twice. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CausewayClient } from '../../src/client/index.js'
import { formatPublicKey } from '../../src/crypto/index.js'
import { readKeyFile } from '../../src/files/key-file.js'
import { formatAddress } from '../../src/model/index.js'
import { getJson, TestNet, until } from './localnet.js'

/** Kills; `npm run soak -- --governance N` raises them. */
const KILLS = Number(process.env.GOVERNANCE_KILLS ?? 3)
const MEMBERS = ['alice', 'bob', 'carol']
/** Block times that decisions alternate between. */
const BLOCK_TIMES = [50, 60]
/** Delay of track 1, and the time between runs of steps. */
const TIMELOCK_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The block of a step, and the two after which a staged parameter acts, with one to spare. */
const BLOCKS_PER_STEP = 4

let net: TestNet
let gateway: string
/** Number of the last proposal. */
let last = 0

async function as(account: string, ...words: readonly string[]): Promise<void> {
  const run = await net.cli(...words, '--json', '--key-file', net.keyFile(account))
  if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.stdout}${run.stderr}`)
}
const statusAt = async (at: string, proposal: number): Promise<string> =>
  (await getJson<{ status: string }>(at, `/v1/gov/referenda/${proposal}`)).status
/** Waits until a proposal has a status at every gateway. */
const everywhere = (proposal: number, status: string) =>
  until(`proposal ${proposal} ${status} everywhere`, async () => {
    const found = await Promise.all(net.gateways.map((at) => statusAt(at, proposal).catch(() => undefined)))
    return found.every((one) => one === status) ? true : undefined
  })
interface ParameterView {
  readonly name: string
  readonly value: unknown
  readonly staged: readonly { readonly value: unknown }[]
}
/** Block time once the staged changes act: there may be no further block. */
async function blockTimeMs(): Promise<unknown> {
  const { items } = await getJson<{ items: ParameterView[] }>(gateway, '/v1/parameters')
  const found = items.find(({ name }) => name === 'block_time_ms')
  return found?.staged.at(-1)?.value ?? found?.value
}
async function propose(value: number): Promise<number> {
  last += 1
  await as('alice', 'gov', 'propose', '--track', '1', '--title', `Round ${last}`, '--set', `block_time_ms=${value}`)
  return last
}
async function vote(proposal: number): Promise<void> {
  for (const member of MEMBERS) await as(member, 'gov', 'vote', String(proposal), 'aye')
}
/** Requests a step at a gateway until the proposal has one of these statuses: a run of the chain may make it, too. */
const stepped = (verb: 'finalize' | 'enact', proposal: number, statuses: readonly string[], at: string) =>
  until(`${verb} of ${proposal}`, async () => {
    if (statuses.includes(await statusAt(at, proposal))) return true
    const key = net.keyFile('alice')
    await net.cli('gov', verb, String(proposal), '--json', '--key-file', key, '--gateway', at)
    return undefined
  })
const close = (proposal: number, at = gateway) => stepped('finalize', proposal, ['Approved', 'Enacted'], at)
const enact = (proposal: number, at = gateway) => stepped('enact', proposal, ['Enacted'], at)
async function approve(proposal: number): Promise<void> {
  await vote(proposal)
  await close(proposal)
}
/** Position of the validator that proposes the block being decided. */
async function proposerNow(): Promise<number> {
  const { proposer } = await getJson<{ proposer: string }>(gateway, '/v1/consensus/status')
  const keys = await Promise.all(net.gateways.map((_at, index) => keyOf(`val-${index}`)))
  return keys.indexOf(proposer)
}
const keyOf = async (name: string): Promise<string> =>
  formatPublicKey((await readKeyFile(join(net.folder, name, 'keys', 'validator.json'))).publicKey)
async function restart(): Promise<void> {
  await net.kill()
  const run = await net.up()
  if (run.code !== 0) throw new Error(run.stdout + run.stderr)
  await net.agreed()
}

beforeAll(async () => {
  net = await TestNet.start('governance-4')
  gateway = net.gateways[0] ?? ''
})
afterAll(() => TestNet.closeAll())

describe('a decision of the board', () => {
  it('is enacted once on all nodes even if a validator is killed while its vote is closed or its list is enacted', async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const value = BLOCK_TIMES[kill % BLOCK_TIMES.length] ?? 50
      const proposal = await propose(value)
      await vote(proposal)
      const isAtClose = kill % 2 === 0
      if (!isAtClose) await close(proposal)
      // Kills 1, 2, 5, 6 and so on hit the proposer of the current block.
      const victim = ((kill + 1) & 2) === 0 ? kill % net.gateways.length : await proposerNow()
      const at = net.gateways[(victim + 1) % net.gateways.length] ?? gateway
      await Promise.all([isAtClose ? close(proposal, at) : enact(proposal, at), net.kill(`val-${victim}`)])
      const up = await net.up('--only', `val-${victim}`)
      expect(up.code, up.stdout + up.stderr).toBe(0)
      await enact(proposal, at)
      await everywhere(proposal, 'Enacted')
      expect(await blockTimeMs()).toBe(value)
      const { peers } = await net.agreed()
      expect(new Set(peers.map(({ state_root }) => state_root)).size).toBe(1)
    }
  })

  it('survives a restart of all nodes in each status', async () => {
    const proposal = await propose(70)
    await restart()
    expect(await statusAt(gateway, proposal)).toBe('Voting')
    await approve(proposal)
    await restart()
    // At a full minute a run of the chain enacts it.
    expect(['Approved', 'Enacted']).toContain(await statusAt(gateway, proposal))
    await enact(proposal)
    await restart()
    await everywhere(proposal, 'Enacted')
    expect(await blockTimeMs()).toBe(70)
    // The steps were made: their commands succeed without an effect.
    for (const verb of ['finalize', 'enact']) await as('alice', 'gov', verb, String(proposal))
    expect(await statusAt(gateway, proposal)).toBe('Enacted')
  })

  it('closes and is enacted at whole minutes on a network without transactions', async () => {
    const proposal = await propose(65)
    await vote(proposal)
    const before = (await net.agreed()).height ?? 0
    await everywhere(proposal, 'Approved')
    await everywhere(proposal, 'Enacted')
    const row = await getJson<Record<'end_ms' | 'enact_from_ms' | 'closed_ms', number>>(
      gateway,
      `/v1/gov/referenda/${proposal}`,
    )
    expect(row.enact_from_ms).toBe(row.end_ms + TIMELOCK_MS)
    expect(row.closed_ms).toBeGreaterThanOrEqual(Math.ceil(row.enact_from_ms / MINUTE_MS) * MINUTE_MS)
    expect(await blockTimeMs()).toBe(65)
    // A block for each step, and those after which a changed parameter acts.
    expect(((await net.agreed()).height ?? 0) - before).toBeLessThanOrEqual(2 * BLOCKS_PER_STEP)
  })

  it('is rejected with below_floor if it would halt the chain, and the chain continues', async () => {
    const words = ['gov', 'propose', '--track', '1', '--title', 'Halt', '--set', 'max_tx_bytes=1024', '--force']
    await as('alice', ...words)
    last += 1
    await approve(last)
    const refused = await until('a refused enactment', async () => {
      const run = await net.cli('gov', 'enact', String(last), '--json', '--key-file', net.keyFile('bob'))
      const { error } = run.json() as unknown as { error: { code: string } }
      return error.code === 'not_due' ? undefined : error.code
    })
    expect(refused).toBe('below_floor')
    expect((await net.agreed()).agreed).toBe(true)
  })
})

describe('a vote of the council', () => {
  it('counts once if it is sent to two nodes at the same time', async () => {
    const clients = await Promise.all(
      net.gateways.slice(0, 2).map(async (at) => {
        return new CausewayClient({ gateway: at, signer: await readKeyFile(net.keyFile('carol')) })
      }),
    )
    const { addressPrefix } = (await clients[0]?.chain()) ?? {}
    const accounts = await Promise.all(MEMBERS.map(async (name) => clients[0]?.account(`${name}@bank`)))
    const members = accounts.map((account) => ({
      account: account === undefined ? '' : formatAddress(account.id, addressPrefix),
      weight: 1,
    }))
    const list = join(net.root, 'council.json')
    await writeFile(list, JSON.stringify([{ AppointCouncil: { members, until_ms: Date.now() + DAY_MS } }]))
    last += 1
    await as('alice', 'gov', 'propose', list, '--track', '0', '--title', 'Council')
    await approve(last)
    await enact(last)

    const proposal = await propose(55)
    const vote = { CouncilVote: { subject: { Veto: { proposal, forfeit: false } } } }
    const outcomes = await Promise.all(clients.map((client) => client.transactAndWait([vote])))
    expect(outcomes.map(({ rejection }) => rejection?.code).sort()).toEqual(['exists', undefined])
    const { items } = await getJson<{ items: { event: Record<string, unknown> }[] }>(gateway, '/v1/gov/council/audit')
    const votes = items.flatMap(({ event }) => ('GovCouncilVoted' in event ? [event['GovCouncilVoted']] : []))
    expect(votes).toMatchObject([{ weight: 1, of: MEMBERS.length, is_decided: false }])
    expect(await statusAt(gateway, proposal)).toBe('Voting')
  })
})
