/** Random lists that governance enacts one after another: after each, a proposal can be made, decided and enacted. */
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { lastSigned, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { stateOf } from '../../../src/features/gov/ledger/account.js'
import { electorateFault, electorOfPeer, reachFault } from '../../../src/features/gov/ledger/electorates.js'
import { contents, locks, seals, tracks } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import type { Electorate, Track } from '../../../src/features/gov/schema/records.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, type ValidatorKey } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import { entry } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import {
  accountOfPeer,
  alice,
  bob,
  COIN,
  cancelProposal,
  GOV,
  GovChain,
  HELD,
  lock,
  MINUTE_MS,
  outsider,
  owner,
  PEERS,
  ROLE,
  setParameter,
  submit,
  track,
  unlock,
  VOTE,
  VOTERS,
} from '../../support/gov.js'
import { Nodes, rowsOf } from '../../support/nodes.js'
import { extremesOf } from '../../support/parameter-extremes.js'

/** `GOV_HISTORIES` and `GOV_SEED` choose others. */
const RUNS = Number(process.env.GOV_HISTORIES ?? slice(2, 30))
const SEED = Number(process.env.GOV_SEED ?? 100)
/** Random lists of one history. */
const LISTS = 8
/** Numbers of instructions: of long lists most are refused as a whole. */
const SIZES = [1, 1, 1, 2, 3]
/** Histories in which every kind of instruction is enacted. */
const COVERING_RUNS = 30
/** Histories that several nodes execute. */
const WITH_NODES = 1
const VOID = 'void#bank'
const ASSETS = [COIN, VOTE, VOID] as const
const context = ABI_2.codec('cw')

const PERMISSIONS = [
  'CanManageGovernance',
  'CanSetParameters',
  'CanManagePeers',
  'CanManageConsensusKeys',
  'CanManageRoles',
  'CanRegisterDomain',
  'CanManageRuntimeUpgrades',
]
const PEOPLE = [...VOTERS, outsider, owner, GOV]
const EXTREMES = ABI_2.parameters.flatMap((def) =>
  extremesOf(def, [...ASSETS, { backend: 'none', name: 'none' }] as readonly Json[]),
)

class Lists {
  constructor(
    private readonly random: Random,
    private readonly chain: GovChain,
  ) {}

  private some<T>(chance: number, usual: T, others: readonly T[]): T {
    return this.random.chance(chance) ? usual : this.random.pick(others)
  }

  list(depth = 0): Instruction[] {
    return Array.from({ length: this.random.pick(SIZES) }, () => this.one(depth))
  }

  private one(depth: number): Instruction {
    const { pick } = this.random
    const draw = pick([
      ...['track', 'track', 'parameter', 'parameter', 'parameter', 'trigger', 'trigger', 'trigger'],
      ...['permission', 'permission', 'role', 'role', 'role', 'peer', 'asset', 'asset', 'asset', 'gov'],
    ])
    switch (draw) {
      case 'track':
        return this.track()
      case 'parameter':
        return this.parameter()
      case 'trigger':
        return this.trigger(depth)
      case 'permission':
        return core.permission(pick(['grant', 'revoke']), pick(PERMISSIONS), undefined, pick(PEOPLE))
      case 'role':
        return this.role()
      case 'peer':
        return this.peer()
      case 'asset':
        return this.asset()
      default:
        return this.act()
    }
  }

  private electorate(): Electorate {
    const { pick } = this.random
    return pick<Electorate>([
      { kind: 'role', value: { role: ROLE } },
      { kind: 'role', value: { role: 'other' } },
      { kind: 'asset', value: { definition: pick(ASSETS) } },
      { kind: 'asset', value: { definition: VOTE } },
      { kind: 'validators', value: undefined },
    ])
  }

  private track(): Instruction {
    const { pick, chance } = this.random
    const id = this.some(0.5, 0, [1, 2, 3])
    if (id > 0 && chance(0.2)) return instruction(gov.removeTrack, { id })
    const electorate = this.electorate()
    const scope = id === 0 ? pick([['*'], ['gov'], ['log'], ['gov::set_track', 'log']]) : [pick(['parameter', 'asset'])]
    const value: Track = track({
      scope,
      electorate,
      early: chance(0.5),
      quorumBps: pick([1, 2_500, 5_000, electorate.kind === 'asset' ? 5_000 : 6_700]),
      approvalBps: pick([5_000, 6_600, 9_000]),
      deposit: chance(0.4) ? { definition: pick(ASSETS), amount: core.units(pick([1n, 10n, 40n])) } : undefined,
      minLock: electorate.kind === 'asset' && chance(0.4) ? core.units(pick([1n, 1_000n])) : undefined,
      leadMs: pick([0, 5_000]),
      votingMs: pick([10_000, 20_000]),
      lateMs: pick([0, 5_000]),
      timelockMs: pick([1_000, 5_000]),
      graceMs: 10_000,
      places: pick([1, 16]),
    })
    return instruction(gov.setTrack, { id, track: value })
  }

  private parameter(): Instruction {
    const { pick, chance } = this.random
    if (chance(0.3)) return setParameter('fee_asset', pick([COIN, VOTE, VOID, null]))
    if (chance(0.3)) return setParameter('fee_per_teu', pick(['0', '0.001', '0.0066', '1']))
    const { name, value } = pick(EXTREMES)
    return setParameter(name, value as string)
  }

  private trigger(depth: number): Instruction {
    const { pick, chance } = this.random
    const id = `t${this.random.below(3)}`
    if (depth > 1 || chance(0.15)) return core.unregister('Trigger', id)
    if (chance(0.2)) return core.callTrigger(id)
    const filter = pick([
      core.BY_CALL,
      core.every(this.chain.nowMs + 1, MINUTE_MS),
      core.onData('permission', { kind: 'account', value: GOV }),
      core.onData(pick(['gov', 'asset', 'account'])),
      { kind: 'preCommit', value: undefined } as const,
    ])
    return core.registerTrigger(id, this.some(0.9, GOV, [alice]), filter, this.list(depth + 1))
  }

  private role(): Instruction {
    const { pick, chance } = this.random
    const role = this.some(0.6, ROLE, ['other'])
    if (chance(0.1)) return core.unregister('Role', role)
    if (chance(0.2)) {
      const members = PEOPLE.filter((one) => this.chain.state.get(seals, role)?.includes(one) ?? one === alice)
      return instruction(gov.sealRole, { role, members })
    }
    return core.roleOf(pick(['grant', 'revoke', 'revoke']), role, pick(PEOPLE))
  }

  private peer(): Instruction {
    const { pick, chance } = this.random
    const { key } = pick(PEERS)
    const force = chance(0.3)
    return chance(0.5)
      ? instruction(peerInstructions.unregisterPeer, { peer: key, force })
      : instruction(peerInstructions.disableConsensusKey, { key, force })
  }

  private asset(): Instruction {
    const { pick, below } = this.random
    const definition = pick(ASSETS)
    const amount = BigInt(1 + below(1_000)) * pick([1n, 1_000n])
    switch (pick(['mint', 'mint', 'burn', 'transfer', 'own', 'unregister', 'lock'])) {
      case 'mint':
        return core.mint(pick(PEOPLE), amount, definition)
      case 'burn':
        return core.burn(GOV, amount, definition)
      case 'transfer':
        return core.transfer(GOV, pick(PEOPLE), amount, definition)
      case 'own':
        return core.passOn('definition', definition, pick(PEOPLE))
      case 'lock':
        return pick([lock(amount, definition), unlock(undefined, definition)])
      default:
        return core.unregister('AssetDefinition', definition)
    }
  }

  private act(): Instruction {
    const { pick } = this.random
    return pick([
      cancelProposal(1),
      core.log('x'),
      instruction(gov.setProtectedNamespaces, { add: ['bank'], remove: [] }),
      instruction(gov.appointCouncil, {
        members: [alice, bob, outsider].map((account) => ({ account, weight: 1 })),
        untilMs: this.chain.nowMs + MINUTE_MS,
      }),
    ])
  }
}

/** Elector with the means of its ballot. */
interface Voter {
  readonly account: AccountId
  readonly peer?: ValidatorKey
}

/** A chain whose blocks are also executed by nodes. */
class Deciding {
  constructor(
    readonly chain: GovChain,
    private readonly nodes: Nodes | undefined,
  ) {}

  /** Run a block after a number of ms; returns the rejection of its first transaction. */
  async block(ms: number, ...parts: readonly (readonly [AccountId, Instruction])[]): Promise<string | undefined> {
    const { chain } = this
    chain.nowMs += ms
    const entries = parts.map(([by, one]) => entry(by, [one], { context }))
    const run = chain.blocks.run(chain.nowMs, ...entries)
    await this.nodes?.execute(chain.blocks.last, run, 1)
    const rejection = run.rejections.get(0)
    return rejection && `${rejection.code}: ${rejection.message}`
  }

  private track(): Track {
    const found = this.chain.state.get(tracks, 0)
    if (found === undefined) throw new Error('track 0 always exists')
    return found
  }

  /** Electors of track 0. */
  private voters(): readonly Voter[] {
    const { state, blocks } = this.chain
    const { kind, value } = this.track().electorate
    if (kind === 'role')
      return (state.get(seals, value.role) ?? []).filter((one) => one !== GOV).map((account) => ({ account }))
    if (kind === 'validators')
      return PEERS.flatMap(({ key }) => {
        const account = electorOfPeer({ ...state, get: state.get.bind(state), has: state.has.bind(state) }, key)
        return account === undefined || blocks.height < 0 ? [] : [{ account, peer: key }]
      })
    return PEOPLE.filter((one) => one !== GOV).map((account) => ({ account }))
  }

  /** Lock all votes of the holders of the asset of track 0. */
  private async lockAll(): Promise<void> {
    const { electorate } = this.track()
    if (electorate.kind !== 'asset') return
    const { definition } = electorate.value
    for (const { account } of this.voters()) {
      const held = this.chain.state.get(balances, { definition, account })
      // The rest pays fees and deposits.
      const amount = (held?.mantissa ?? 0n) / 10n ** BigInt(held?.scale ?? 0) - 10_000n
      if (amount > 0n) await this.block(1, [account, lock(amount, definition)])
    }
  }

  /** Propose a list on track 0, and vote for it; its steps run by themselves. Returns its final status. */
  async decide(list: readonly Instruction[]): Promise<{ status: string; why: string | undefined; number: number }> {
    await this.lockAll()
    const number = stateOf(this.chain.state)?.next ?? 0
    let why: string | undefined
    for (const { account, peer } of this.voters()) {
      why = await this.block(1, [account, submit(0, list, peer)])
      if (why === undefined) break
    }
    if (!this.chain.state.has(contents, number)) return { status: 'refused', why, number }
    await this.block(5_000)
    const { electorate } = this.track()
    const ballots = this.voters()
      .filter(
        ({ account }) =>
          electorate.kind !== 'asset' ||
          this.chain.state.has(locks, { definition: electorate.value.definition, account }),
      )
      .map(({ account, peer }) => {
        const more = peer === undefined ? {} : { peer }
        return [account, this.chain.vote(number, 'aye', more)] as const
      })
    why = await this.block(1, ...ballots)
    for (let at = 0; at < 20 && this.chain.row(number).closedMs === undefined; at += 1) {
      await this.block(MINUTE_MS - (this.chain.nowMs % MINUTE_MS))
      // A step that exceeds its share waits for an even height.
      await this.block(1)
    }
    return { status: this.chain.status(number), why, number }
  }

  /** List that makes the rules of track 0 simple again, with an electorate that still exists. */
  restoring(): Instruction {
    const { state } = this.chain
    const byRole = { kind: 'role', value: { role: ROLE } } as const
    const isSound =
      electorateFault(state, byRole) === undefined &&
      reachFault(state, { electorate: byRole, quorumBps: 5_000 }) === undefined
    const electorate = isSound ? byRole : this.track().electorate
    const quorumBps = isSound ? 5_000 : this.track().quorumBps
    return instruction(gov.setTrack, { id: 0, track: track({ electorate, quorumBps, graceMs: 10_000 }) })
  }
}

function worldOf(): GovChain {
  const chain = new GovChain([[0, track({ graceMs: 10_000 })]])
  chain.bench.genesis(
    owner,
    core.registerDefinition(VOID),
    core.registerRole('other'),
    ...[...VOTERS, ...PEERS.map(accountOfPeer), owner, outsider].flatMap((id) => [
      core.mint(id, HELD, COIN),
      core.mint(id, HELD, VOTE),
    ]),
    ...['CanManageRuntimeUpgrades', 'CanWatchEvents'].map((name) => core.permission('grant', name, undefined, GOV)),
  )
  // Validators count as seen in every block, so that peers can be removed.
  chain.state.set(lastSigned, SINGLETON_KEY, new Map(PEERS.map(({ key }) => [key, 1_000_000])))
  return chain
}

describe('governance', () => {
  it(`decides after any enacted list, in ${RUNS} histories of ${LISTS} random lists`, async () => {
    const enacted = new Map<string, number>()
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomOf(SEED + run, 'gov-lists')
      const chain = worldOf()
      for (const definition of ASSETS) chain.bench.genesis(owner, core.passOn('definition', definition, GOV))
      const nodes = run < WITH_NODES ? await Nodes.at(rowsOf(chain.state)) : undefined
      const deciding = new Deciding(chain, nodes)
      const lists = new Lists(random, chain)
      for (let at = 0; at < LISTS; at += 1) {
        const list = lists.list()
        const what = `history ${SEED + run}, list ${at}: ${JSON.stringify(list, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`
        const made = await deciding.decide(list)
        if (made.status === 'enacted') for (const { kind } of list) enacted.set(kind, (enacted.get(kind) ?? 0) + 1)
        const after = await deciding.decide([deciding.restoring()])
        expect([after.status, after.why], `${what}, ${made.status}`).toEqual(['enacted', undefined])
      }
    }
    // Each kind must be enacted in enough histories, or its outcome is not examined.
    if (RUNS < COVERING_RUNS) return
    const wanted = ['setTrack', 'setParameter', 'registerTrigger', 'grant', 'revoke', 'mint', 'transferOwnership']
    expect(wanted.filter((kind) => !enacted.has(kind))).toEqual([])
  })
})
