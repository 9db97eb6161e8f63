/** Governance against a naive one, in random histories of blocks on several executors. */
import { expect, it } from 'vitest'
import { accountUse } from '../../../src/executor/accounts.js'
import { scheduledRun } from '../../../src/executor/due-runs/index.js'
import { stepRun } from '../../../src/features/gov/ledger/steps.js'
import { locks, referenda, seals } from '../../../src/features/gov/ledger/tables.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, isEvent, triggerEvents } from '../../../src/model/index.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { slice } from '../../suites.mjs'
import * as core from '../../support/core.js'
import {
  act,
  alice,
  assetTrack,
  bob,
  COIN,
  cancelProposal,
  carol,
  dave,
  GOV,
  GovChain,
  HELD,
  lock,
  outsider,
  owner,
  ROLE,
  SUPPLY,
  setParameter,
  submit,
  track,
  unlock,
  VOTE,
} from '../../support/gov.js'
import {
  GOVERNANCE,
  MINUTE_MS,
  type NaiveChoice,
  NaiveGov,
  type NaiveList,
  type NaiveTrack,
} from '../../support/naive-gov.js'
import { Nodes, rowsOf } from '../../support/nodes.js'
import { Supply } from '../../support/supply.js'

/** `GOV_HISTORIES` and `GOV_SEED` choose others. */
const RUNS = Number(process.env.GOV_HISTORIES ?? slice(3, 40))
const SEED = Number(process.env.GOV_SEED ?? 100)
const STEPS = 120
/** Time between two blocks: mostly several blocks a vote, seldom longer than it. */
const DELAYS_MS = [1, 1, 1, 1, 500, 1_000, 1_000, 2_000, 5_000, 5_000, 19_999, 30_000, MINUTE_MS, 5 * MINUTE_MS]
/** Histories that several nodes execute. */
const WITH_NODES = slice(1, 3)
/** Histories in which every kind of step occurs. */
const COVERING_RUNS = 40

const PEOPLE: Readonly<Record<string, AccountId>> = {
  alice,
  bob,
  carol,
  dave,
  stranger: outsider,
  [GOVERNANCE]: GOV,
  owner,
}
const NAMES = ['alice', 'bob', 'carol', 'dave'] as const
const accountOf = (name: string): AccountId => PEOPLE[name] ?? outsider

const TRACKS = [
  [0, track({ graceMs: 240_000 })],
  [1, track({ scope: ['parameter', 'asset'], early: false, leadMs: 30_000, approvalBps: 6_600, graceMs: 10_000 })],
  [2, assetTrack({ scope: ['parameter', 'asset'], graceMs: 3_600_000 })],
  [3, assetTrack({ scope: ['parameter', 'asset'], early: true, quorumBps: 10, minLock: undefined })],
] as const

const naiveTracks = (): ReadonlyMap<number, NaiveTrack> =>
  new Map(
    TRACKS.map(([id, one]) => {
      const { leadMs, votingMs, lateMs, timelockMs, graceMs, stepMs, places, early } = one
      return [
        id,
        {
          leadMs,
          votingMs,
          lateMs,
          timelockMs,
          graceMs,
          stepMs,
          places,
          early,
          isAsset: one.electorate.kind === 'asset',
          quorum: BigInt(one.quorumBps),
          approval: BigInt(one.approvalBps),
          deposit: one.deposit?.amount.mantissa ?? 0n,
          minLock: one.minLock?.mantissa ?? 0n,
        },
      ]
    }),
  )

/** Instruction with its result in the model. */
interface Step {
  readonly what: string
  readonly by: string
  readonly made: Instruction
  readonly expected: () => string | undefined
}

class History {
  readonly naive = new NaiveGov(naiveTracks(), VOTE, COIN, SUPPLY)

  constructor(
    private readonly random: Random,
    private readonly chain: GovChain,
  ) {
    for (const name of NAMES) {
      this.naive.members.add(name)
      for (const of of [VOTE, COIN]) this.naive.balances.set(`${of} ${name}`, HELD)
    }
  }

  private some<T>(chance: number, usual: T, others: readonly T[]): T {
    return this.random.chance(chance) ? usual : this.random.pick(others)
  }

  step(): Step {
    const { chance, pick } = this.random
    const unlocked = NAMES.find((name) => this.naive.locked(VOTE, name) === 0n)
    if (unlocked !== undefined && chance(0.4)) return this.lock(unlocked)
    const open = [...this.naive.proposals.values()].filter(({ dueMs }) => dueMs !== undefined)
    if (open.length < 2 && chance(0.5)) return this.submit()
    const draw = pick([
      ...Array<string>(10).fill('cast'),
      'submit',
      'submit',
      'lock',
      'unlock',
      'unlock',
      'end',
      'end',
      'end',
      'other',
    ])
    if (draw === 'submit' || open.length === 0) return this.submit()
    if (draw === 'lock') return this.lock()
    if (draw === 'unlock') return this.unlock()
    if (draw === 'other') return this.other()
    const last = open.at(-1)?.number ?? 1
    const number = this.some(0.95, chance(0.5) ? last : pick(open).number, [this.naive.proposals.size + 1, 1])
    return draw === 'cast' ? this.cast(number) : this.end(number)
  }

  private lock(by: string = this.random.pick(NAMES)): Step {
    const amount = this.some(0.95, BigInt(1 + this.random.below(300_000)), [HELD * 2n, 0n])
    return { what: 'lock', by, made: lock(amount), expected: () => this.naive.lock(by, amount) }
  }

  private unlock(): Step {
    const by = this.random.pick(NAMES)
    const definition = this.some(0.8, VOTE, [COIN])
    const locked = this.naive.locked(definition, by)
    const amount = this.random.chance(0.5)
      ? undefined
      : this.some(0.9, BigInt(1 + this.random.below(Number(locked) + 1)), [0n])
    return {
      what: 'unlock',
      by,
      made: unlock(amount, definition),
      expected: () => this.naive.unlock(by, definition, amount),
    }
  }

  private submit(): Step {
    const by = this.some(0.97, this.random.pick(NAMES), ['stranger'])
    const trackId = this.some(0.97, this.random.pick([0, 1, 2, 2, 2, 2, 3]), [5])
    const list: NaiveList = this.some<NaiveList>(0.7, 'good', ['bad', 'bad', `enrol ${this.random.pick(NAMES)}`])
    return {
      what: `submit ${trackId}`,
      by,
      made: submit(trackId, listOf(list)),
      expected: () => this.naive.submit(by, trackId, list),
    }
  }

  private cast(number: number): Step {
    const { chance, pick, below } = this.random
    const by = this.some(0.97, pick(NAMES), ['stranger'])
    const choice = pick<NaiveChoice>(['aye', 'aye', 'aye', 'aye', 'aye', 'nay', 'nay', 'abstain'])
    const isAsset = this.naive.proposals.get(number)?.rules.isAsset === true
    const isPlain = chance(isAsset ? 0.2 : 0.97)
    const locked = this.naive.locked(VOTE, by)
    const amount =
      isPlain || chance(0.4) ? undefined : this.some(0.95, BigInt(1 + below(Number(locked) + 1)), [locked + 1n])
    const conviction = isPlain ? 0 : below(7)
    const isWrong = chance(0.03)
    const more = { ...(amount === undefined ? {} : { amount }), conviction }
    const digest = isWrong ? { digest: Buffer.alloc(32, 5) } : {}
    return {
      what: `cast ${isAsset ? 'asset' : 'role'}`,
      by,
      made: this.chain.vote(number, choice, { ...more, ...digest }),
      expected: () => this.naive.cast(by, number, choice, { ...more, isWrong }),
    }
  }

  private end(number: number): Step {
    const { naive, random } = this
    const p = naive.proposals.get(number)
    const by = random.pick([...NAMES, 'stranger'])
    if (p?.status === 'lead' && random.chance(0.5)) {
      const proposer = this.some(0.8, p.proposer, [by])
      const made = act('withdrawProposal', number)
      return { what: 'withdraw', by: proposer, made, expected: () => naive.withdraw(proposer, number) }
    }
    if (random.chance(0.12)) {
      const isGovernor = random.chance(0.9)
      const forfeit = random.chance(0.5)
      const made = cancelProposal(number, forfeit)
      return {
        what: 'cancel',
        by: isGovernor ? 'owner' : by,
        made,
        expected: () => naive.cancel(isGovernor, number, forfeit),
      }
    }
    return this.some(0.8, p?.status === 'approved', [p?.status !== 'approved'])
      ? { what: 'enact', by, made: act('enactProposal', number), expected: () => naive.enact(number) }
      : { what: 'finalize', by, made: act('finalizeProposal', number), expected: () => naive.finalize(number) }
  }

  private other(): Step {
    const { naive, random } = this
    const by = random.pick(NAMES)
    const draw = random.pick(['transfer', 'transfer', 'lay', 'blacklist', 'blacklist', 'grant'])
    if (draw === 'lay')
      return { what: 'lay', by, made: core.roleOf('revoke', ROLE, accountOf(by)), expected: () => naive.layDown(by) }
    if (draw === 'grant')
      return {
        what: 'grant',
        by: 'owner',
        made: core.roleOf('grant', ROLE, outsider),
        expected: () => 'sealed_role',
      }
    if (draw === 'transfer') {
      const to = random.pick(NAMES.filter((one) => one !== by))
      const amount = this.some(0.9, BigInt(1 + random.below(1_000)), [HELD * 3n])
      const made = core.transfer(accountOf(by), accountOf(to), amount, COIN)
      return { what: 'transfer', by, made, expected: () => naive.transfer(by, to, amount) }
    }
    const lifted = random.chance(0.7) ? [...naive.blacklisted][0] : undefined
    const name = lifted ?? by
    const blacklisted = lifted === undefined
    const value = { asset: core.balance(accountOf(name), COIN), blacklisted }
    return {
      what: 'blacklist',
      by: 'owner',
      made: { kind: 'setBlacklist', value },
      expected: () => {
        if (blacklisted) naive.blacklisted.add(name)
        else naive.blacklisted.delete(name)
        return undefined
      },
    }
  }
}

function listOf(list: NaiveList): readonly Instruction[] {
  if (list === 'good') return [setParameter('block_time_ms', 50)]
  if (list === 'bad') return [setParameter('block_time_ms', 60), core.transfer(GOV, bob, 100n * HELD, COIN)]
  return [core.roleOf('grant', ROLE, accountOf(list.slice(6)))]
}

/** Compare balances, locks, members, statuses and due runs. */
function compare({ naive }: History, { state, nowMs }: GovChain, place: string): void {
  for (const name of [...NAMES, GOVERNANCE])
    for (const definition of [VOTE, COIN]) {
      const account = accountOf(name)
      const what = `${place}: ${definition} of ${name}`
      expect(state.get(balances, { definition, account })?.mantissa ?? 0n, what).toBe(naive.balance(definition, name))
      expect(state.get(locks, { definition, account })?.amount.mantissa ?? 0n, what).toBe(
        naive.locked(definition, name),
      )
    }
  const members = new Set(state.get(seals, ROLE))
  expect(members, place).toEqual(new Set([...naive.members].map(accountOf)))
  for (const p of naive.proposals.values()) {
    const row = state.get(referenda, p.number)
    const status = row?.status === 'lead' && nowMs >= row.votingFromMs ? 'voting' : row?.status
    const expected = p.status === 'lead' && nowMs >= p.votingFromMs ? 'voting' : p.status
    expect([status, row?.endMs, row?.attempts], `${place}: proposal ${p.number}`).toEqual([
      expected,
      p.endMs,
      p.attempts,
    ])
    const due = scheduledRun(state, stepRun, p.number)
    expect(due !== undefined, `${place}: run of ${p.number}`).toBe(p.dueMs !== undefined)
    if (due !== undefined) expect(due.dueMs, `${place}: run of ${p.number}`).toBeGreaterThan(nowMs)
  }
  for (const name of NAMES) {
    const open = [...naive.proposals.values()].filter((p) => p.proposer === name && p.dueMs !== undefined).length
    const lockCount = [VOTE, COIN].filter((one) => naive.locked(one, name) > 0n).length
    expect(state.get(accountUse, accountOf(name))?.objects ?? 0, `${place}: objects of ${name}`).toBe(open + lockCount)
  }
}

it(`governance matches a naive model in ${RUNS} histories, with equal roots on several nodes`, async () => {
  const seen = new Map<string, number>()
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let run = 0; run < RUNS; run += 1) {
    const random = randomOf(SEED + run, 'gov')
    const chain = new GovChain(TRACKS)
    chain.bench.genesis(owner, core.permission('grant', 'CanManageGovernance', undefined, owner))
    const nodes = run < WITH_NODES ? await Nodes.at(rowsOf(chain.state)) : undefined
    const supply = new Supply(chain.state)
    const history = new History(random, chain)
    const { naive } = history
    for (let at = 0; at < STEPS; at += 1) {
      const delay = random.pick(DELAYS_MS)
      chain.nowMs += delay
      naive.nowMs = chain.nowMs
      const { what, by, made, expected } = history.step()
      const place = `history ${SEED + run}, step ${at}: ${what} by ${by} at ${naive.nowMs}`
      const block = chain.execute(accountOf(by), made)
      const code = expected()
      const rejection = block.rejections.get(0)
      expect(rejection?.code, `${place}: ${rejection?.message}`).toBe(code)
      note(`${what} ${code}`)
      for (const { event } of block.events) {
        if (!isEvent(event, triggerEvents.dueRunRan)) continue
        expect(event.value.error, place).toBeUndefined()
        const key = stepRun.key.decode(event.value.key)
        const number = key.ok ? key.value : 0
        naive.run(number)
        note(`run ${naive.proposals.get(number)?.status}`)
      }
      await nodes?.execute(chain.blocks.last, block, 1, place)
      supply.look(block, place)
      compare(history, chain, place)
    }
    await nodes?.expectIndexes()
  }
  // Each kind of step must occur in enough histories, or it is not compared.
  if (RUNS < COVERING_RUNS) return
  const wanted = [
    ...['submit 0 undefined', 'submit 2 undefined', 'cast role undefined'],
    ...['cast asset undefined', 'cast asset lock_too_small', 'cast role not_voting'],
    ...['unlock undefined', 'unlock lock_held', 'withdraw undefined', 'cancel undefined', 'cancel not_permitted'],
    ...['finalize undefined', 'finalize not_due', 'enact undefined', 'enact not_enough', 'lay undefined'],
    ...['run approved', 'run rejected', 'run enacted', 'run expired', 'run voting', 'grant sealed_role'],
  ]
  expect(wanted.filter((what) => !seen.has(what))).toEqual([])
})
