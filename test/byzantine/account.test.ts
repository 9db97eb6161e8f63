/**
 * Transactions of accounts without any permission, and of one that owns a domain, generated from the declarations of all
 * instructions: no node ends, the chain goes on with one state, others are served, no instruction fails by a fault of
 * this program, and the blocks lead to the same state again. `BYZANTINE_INSTRUCTIONS` counts them.
 */
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { NEWEST_ABI } from '../../src/features/abi.js'
import { FEE_ASSET, FEE_PER_TEU, FEE_SPONSORSHIP } from '../../src/features/fees/schema.js'
import { instructions as governance } from '../../src/features/gov/schema/instructions.js'
import { instructions as names } from '../../src/features/names/schema/instructions.js'
import { DEFAULT_POLICY } from '../../src/features/names/schema/records.js'
import {
  ACCOUNT_ADMISSION,
  instruction,
  LedgerError,
  type ParameterDef,
  type QueryDef,
  rejectionOf,
} from '../../src/model/index.js'
import { askHistory } from '../../src/node/ledger/history.js'
import { replayBlocks } from '../../src/node/ledger/replay.js'
import { randomOf } from '../../src/simulation/prng.js'
import { DEFINITION, signedBy, type TestAccount, testAccount, transferOf } from '../support/chain.js'
import { Cluster, type Member } from '../support/cluster.js'
import * as core from '../support/core.js'
import * as gov from '../support/gov.js'
import { TEST_MS } from '../support/ports.js'
import * as rwa from '../support/rwas.js'
import * as sub from '../support/subscriptions.js'
import { HostileAccount } from './hostile-account.js'

const INSTRUCTIONS = Number(process.env.BYZANTINE_INSTRUCTIONS ?? 2_500)
const SEED = Number(process.env.BYZANTINE_SEED ?? 1)
/** Far more than the slowest machine needs. */
const TIMEOUT_MS = TEST_MS + 60 * INSTRUCTIONS
/** Instructions between two looks at the network. */
const ROUND = 250
const BLOCKS_ASKED = 64
const TTL_MS = 100_000
const GOLD_HOLDERS = { kind: 'asset', value: { definition: 'gold#shop' } } as const

const [mallory, alice, bob] = (await Promise.all(['mallory', 'alice', 'bob'].map(testAccount))) as [
  TestAccount,
  TestAccount,
  TestAccount,
]
const codec = NEWEST_ABI.codec('cw')
const VOTERS = [mallory.id, alice.id]
let cluster: Cluster

afterEach(() => cluster.close())

const encodedValue = <T>(def: ParameterDef<T>, value: T): [string, Uint8Array] => [
  def.name,
  def.schema.encode(value, codec),
]
const FEES = new Map([
  encodedValue(FEE_ASSET, DEFINITION),
  encodedValue(FEE_PER_TEU, { mantissa: 1n, scale: 2 }),
  encodedValue(FEE_SPONSORSHIP, true),
  encodedValue(ACCOUNT_ADMISSION, { mode: 'implicit' as const, maxPerTx: 16, maxPerBlock: 256 }),
])

it.each([
  ['where nothing costs anything', 0.6, new Map<string, Uint8Array>()],
  ['where units are paid for', 0.4, FEES],
] as const)(
  `the network tolerates ${INSTRUCTIONS} random instructions of accounts %s, seed ${SEED}`,
  async (place, share, parameters) => {
    const count = Math.ceil(INSTRUCTIONS * share)
    const shop = [
      core.registerDomain('shop'),
      core.registerDefinition('gold#shop'),
      core.registerNft('art$shop'),
      core.registerRole('clerk', [], [alice.id]),
      ...['CanRegisterDomain', 'CanManageRoles', 'CanWatchEvents'].map((name) =>
        core.permission('grant', name, undefined, alice.id),
      ),
      core.registerMultisig(core.policyOf([[mallory.id, 1]], 1), 'shop'),
      ...[mallory, alice, bob].map(({ id }) => core.mint(id, 2n ** 60n)),
      rwa.registerClass('ore#shop'),
      ...[mallory, alice].map(({ id }) => rwa.issue(id, 1_000n, { id: 'ore#shop' })),
      instruction(names.setNamePolicy, { domain: 'shop', policy: { ...DEFAULT_POLICY, mode: 'leased' }, version: 1 }),
      sub.createPlan('p', sub.monthly({ cadence: sub.every(sub.MINUTE) })),
      core.mint(alice.id, 1_000_000n, 'gold#shop'),
      core.registerRole(gov.ROLE),
      ...VOTERS.map((id) => core.roleOf('grant', gov.ROLE, id)),
      instruction(governance.sealRole, { role: gov.ROLE, members: VOTERS }),
      gov.found([
        [0, gov.track({ scope: ['log', 'asset', 'gov::set_track'] })],
        [2, gov.assetTrack({ scope: ['log', 'asset'], electorate: GOLD_HOLDERS, deposit: undefined })],
      ]),
      core.passOn('definition', 'gold#shop', alice.id),
      core.passOn('nft', 'art$shop', alice.id),
      core.passOn('domain', 'shop', alice.id),
    ]
    cluster = await Cluster.start(4, [mallory, alice, bob], shop, undefined, parameters, NEWEST_ABI)
    const { list, admin } = cluster
    const [first] = list as [Member]
    const random = randomOf(SEED, place)
    const cast = { mallory: mallory.id, alice: alice.id, bob: bob.id, admin: admin.id }
    const hostile = new HostileAccount(random, cast)
    const commit = async (by: TestAccount, ...instructions: Parameters<typeof signedBy>[1]): Promise<void> => {
      const before = first.core.tip.approved
      const submitted = await first.core.services.submit(signedBy(by, instructions, Date.now(), TTL_MS, codec).bytes)
      expect(submitted.ok).toBe(true)
      await cluster.until('a commit', () => list.every((member) => member.core.tip.approved > before))
    }
    await commit(bob, transferOf(bob.id, alice.id, 1n))

    let seen = 1
    let made = 0
    const outcomes = new Map<string, number>()
    const look = async (): Promise<void> => {
      await cluster.until('an empty queue', () => list.every(isIdle))
      expect(cluster.failures).toEqual([])
      await commit(bob, transferOf(bob.id, alice.id, 1n))
      while (seen < first.core.height) {
        for (const { block, outcome } of await askHistory(first.ledger, codec, seen + 1, BLOCKS_ASKED)) {
          seen = block.header.height
          for (const { event } of outcome.events) hostile.record(event)
          for (const { outcome: one } of outcome.results) {
            const rejected = rejectionOf(one)
            const name = rejected === undefined ? 'approved' : (NEWEST_ABI.errorNames.get(rejected.code) ?? 'unknown')
            outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
          }
        }
      }
      expect(outcomes.get('executor_fault')).toBeUndefined()
      for (const query of NEWEST_ABI.queries.values())
        await ask(first, hostile, query as unknown as QueryDef<unknown, unknown>)
    }
    while (made < count) {
      const sent: Promise<unknown>[] = []
      for (let inRound = 0; inRound < ROUND; ) {
        const signer = random.pick([mallory, mallory, alice])
        const instructions = hostile.next(signer.id)
        inRound += instructions.length
        const record = encodedOr(
          () => signedBy(signer, instructions, Date.now(), TTL_MS, codec, hostile.metadata()).bytes,
        )
        if (record === undefined) continue
        sent.push(random.pick(list).core.services.submit(record))
      }
      made += ROUND
      await Promise.all(sent)
      await look()
    }
    // Every kind was tried.
    expect([...NEWEST_ABI.instructions.keys()].filter((kind) => !hostile.kinds.has(kind))).toEqual([])
    const roots = () =>
      new Set(list.map(({ core: { height, tip } }) => `${height} ${Buffer.from(tip.stateRoot).toString('hex')}`))
    await cluster.until('one state', () => roots().size === 1)
    await first.stop()
    const replayed = await replayBlocks({
      folder: first.dataDir,
      scratch: join(first.dataDir, 'scratch'),
      genesis: cluster.pinned.genesis,
      abi: NEWEST_ABI,
      explain: false,
    })
    expect(replayed.failed).toBeUndefined()
    expect(replayed.wrongRows).toEqual([])
  },
  TIMEOUT_MS,
)

/** Written state can be read: a query succeeds or is refused, without a fault. */
async function ask(
  { core: { services } }: Member,
  hostile: HostileAccount,
  query: QueryDef<unknown, unknown>,
): Promise<void> {
  const { kind, input } = query
  const value = hostile.input(input)
  if (encodedOr(() => input.encode(value, codec)) === undefined) return
  const answer = await services.query(query, value).catch((error: unknown) => error)
  if (answer instanceof Error) expect(answer, kind).toBeInstanceOf(LedgerError)
}

const isIdle = ({ core: { services } }: Member): boolean => services.status(true).queueSize === 0

/** Bytes of a value; undefined for what no client can write. */
function encodedOr(encode: () => Uint8Array): Uint8Array | undefined {
  try {
    return encode()
  } catch {
    return undefined
  }
}
