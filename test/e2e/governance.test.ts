/** Decisions of a board on four processes: validators that are killed when a list is enacted, and restarts in each status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getJson, TestNet, until } from './localnet.js'

/** Kills; `npm run soak -- --governance N` raises them. */
const KILLS = Number(process.env.GOVERNANCE_KILLS ?? 3)
const MEMBERS = ['alice', 'bob', 'carol']
/** Block times that decisions alternate between. */
const BLOCK_TIMES = [50, 60]

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
async function approve(proposal: number): Promise<void> {
  for (const member of MEMBERS) await as(member, 'gov', 'vote', String(proposal), 'aye')
  await as('alice', 'gov', 'finalize', String(proposal))
  expect(await statusAt(gateway, proposal)).toBe('Approved')
}
/** Asks for the enactment until the proposal is enacted: it is not due before the delay of its track is over. */
const enact = (proposal: number) =>
  until(`the enactment of ${proposal}`, async () => {
    if ((await statusAt(gateway, proposal)) === 'Enacted') return true
    await net.cli('gov', 'enact', String(proposal), '--json', '--key-file', net.keyFile('alice'))
    return undefined
  })
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
  it('is enacted once on all nodes although a validator is killed at its enactment', async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const value = BLOCK_TIMES[kill % BLOCK_TIMES.length] ?? 50
      const proposal = await propose(value)
      await approve(proposal)
      const victim = `val-${1 + (kill % 3)}`
      await Promise.all([enact(proposal), net.kill(victim)])
      const up = await net.up('--only', victim)
      expect(up.code, up.stdout + up.stderr).toBe(0)
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
    expect(await statusAt(gateway, proposal)).toBe('Approved')
    await enact(proposal)
    await restart()
    await everywhere(proposal, 'Enacted')
    expect(await blockTimeMs()).toBe(70)
  })

  it('is refused with below_floor if it would halt the chain, and the chain goes on', async () => {
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
