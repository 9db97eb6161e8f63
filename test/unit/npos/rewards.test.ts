/** Rewards, duties and the switch of the mode on the ledger. */

import { beforeAll, describe, expect, it } from 'vitest'
import { scheduleOf } from '../../../src/executor/index.js'
import { chainInfo, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as parametersInstructions } from '../../../src/features/parameters/schema.js'
import { calendarOf } from '../../../src/features/staking/ledger/epochs/calendar.js'
import { calendars, epochs, uptimes } from '../../../src/features/staking/ledger/epochs/tables.js'
import { PAYOUT_EPOCHS } from '../../../src/features/staking/ledger/rewards/rewards.js'
import { rewards } from '../../../src/features/staking/ledger/rewards/tables.js'
import { rewardEscrow } from '../../../src/features/staking/ledger/stake/pool.js'
import { pools } from '../../../src/features/staking/ledger/stake/tables.js'
import { ONLY } from '../../../src/features/staking/ledger/table.js'
import { validators } from '../../../src/features/staking/ledger/validators/tables.js'
import { instructions as staking } from '../../../src/features/staking/schema/instructions.js'
import { escrows } from '../../../src/ledger/escrows.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction } from '../../../src/model/index.js'
import { eventsOf } from '../../support/blocks.js'
import {
  accountNamed,
  amount,
  MONEY,
  type Node,
  NposChain,
  nodeNamed,
  rootOf,
  SCALE,
  STAKE,
} from '../../support/npos/chain.js'
import { units } from '../../support/npos/model.js'

let nodes: Node[]
beforeAll(async () => {
  nodes = await Promise.all(Array.from({ length: 5 }, (_, index) => nodeNamed(`v${index}`)))
})
const ADMIN = accountNamed('admin')
const chainOf = (parameters: Record<string, unknown> = {}, mode: 'npos' | 'permissioned' = 'npos') =>
  new NposChain({
    validators: nodes.slice(0, 4).map((node) => ({ node, bond: 10_000n, commissionBps: 1_000 })),
    nominators: [{ name: 'nina', bond: 10_000n, targets: ['v0'] }],
    holders: ['bob'],
    parameters: { reward_per_epoch: amount(4_000n), ...parameters },
    mode,
  })
const fund: Instruction = instruction(staking.fundStakingRewards, { amount: amount(6_000n) })
const payout = (epoch: number, validator: AccountId, page = 0): Instruction =>
  instruction(staking.payoutStakingReward, { epoch, validator, page })
const balance = (chain: NposChain, account: AccountId) =>
  units(chain.state.get(balances, { definition: STAKE, account })) / 100n

describe('the reward of an epoch', () => {
  it('is at most the pot, equal for all seats, and smaller for absent members', () => {
    const chain = chainOf()
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.asleep.add(accountNamed('v3'))
    chain.toEpoch(1)
    expect(chain.state.get(rewards, { epoch: 0, validator: accountNamed('v0') })?.amount).toEqual(amount(1_000n))
    const away = chain.state.get(rewards, { epoch: 0, validator: accountNamed('v3') })
    expect(units(away?.amount)).toBeLessThan(100_000n)
    chain.asleep.clear()
    chain.toEpoch(2)
    const pool = chain.state.get(pools, ONLY)
    if (pool === undefined) throw new Error('no pool')
    const held = [0, 1].map((epoch) => units(chain.state.get(escrows, rewardEscrow(epoch, pool))))
    expect(held.reduce((sum, one) => sum + one, 0n)).toBeLessThanOrEqual(600_000n)
  })

  it('is divided by stake after the commission, and paid once', () => {
    const chain = chainOf()
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.toEpoch(1)
    const v0 = accountNamed('v0')
    expect(chain.run(accountNamed('bob'), payout(0, v0))).toBeUndefined()
    // 1,000: a commission of 100, then half each of 900.
    expect(balance(chain, v0)).toBe(MONEY - 10_000n + 550n)
    expect(balance(chain, accountNamed('nina'))).toBe(MONEY - 10_000n + 450n)
    expect(chain.run(accountNamed('bob'), payout(0, v0))).toBe('stake_paid')
    expect(chain.run(accountNamed('bob'), payout(0, v0, 1))).toBe('stake_paid')
    expect(chain.run(accountNamed('bob'), payout(5, v0))).toBe('stake_paid')
  })

  it('is paid to all stakes or to none if a claim runs out of execution units', () => {
    const chain = chainOf()
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.toEpoch(1)
    const [v0, nina] = [accountNamed('v0'), accountNamed('nina')]
    const codes = new Set<string | undefined>()
    for (let limit = 600; limit <= 6_000; limit += 40) {
      const metadata = new Map([['teu_limit', limit]])
      const run = chain.block([chain.txWith(metadata, accountNamed('bob'), payout(0, v0))])
      const code = run.rejections.get(0)?.code
      codes.add(code)
      if (code === undefined) break
      expect([balance(chain, v0), balance(chain, nina)]).toEqual([MONEY - 10_000n, MONEY - 10_000n])
    }
    expect(codes).toEqual(new Set(['teu_exhausted', undefined]))
    expect([balance(chain, v0), balance(chain, nina)]).toEqual([MONEY - 10_000n + 550n, MONEY - 10_000n + 450n])
  })

  it('can be claimed until its last epoch, and then returns to the pot', () => {
    const chain = chainOf()
    const bob = accountNamed('bob')
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.toEpoch(1)
    /** Lets the epoch that runs be a later one. */
    const leap = (to: number): void => {
      const calendar = calendarOf(chain.state)
      const record = calendar && chain.state.get(epochs, calendar.epoch)
      if (calendar === undefined || record === undefined) throw new Error('no epoch')
      chain.state.set(epochs, to, { ...record, number: to })
      const uptime = chain.state.get(uptimes, ONLY)
      if (uptime !== undefined) chain.state.set(uptimes, ONLY, { ...uptime, epoch: to })
      chain.state.set(calendars, ONLY, { ...calendar, epoch: to })
    }
    leap(PAYOUT_EPOCHS - 1)
    chain.toEpoch(PAYOUT_EPOCHS)
    expect(chain.run(bob, payout(0, accountNamed('v0')))).toBeUndefined()
    expect(balance(chain, accountNamed('v0'))).toBe(MONEY - 10_000n + 550n)
    chain.toEpoch(PAYOUT_EPOCHS + 1)
    expect(chain.run(bob, payout(0, accountNamed('v1')))).toBe('stake_paid')
  })

  it('is paid in its original asset while there is no stake, and is not paid if the stake asset has changed', () => {
    const chain = chainOf()
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.toEpoch(1)
    const [v0, v1] = [accountNamed('v0'), accountNamed('v1')]
    const pool = chain.state.get(pools, ONLY)
    if (pool === undefined) throw new Error('no pool')
    const other = 'other#bank'
    const definition = {
      id: other,
      scale: SCALE,
      mintable: { kind: 'infinitely', value: undefined } as const,
      metadata: new Map(),
    }
    expect(chain.run(ADMIN, instruction(assets.registerAssetDefinition, definition))).toBeUndefined()
    expect(
      chain.run(ADMIN, instruction(parametersInstructions.setParameter, { name: 'stake_asset', value: other })),
    ).toBeUndefined()
    chain.state.set(pools, ONLY, { ...pool, total: amount(0n) })
    expect(chain.run(accountNamed('bob'), payout(0, v0))).toBeUndefined()
    expect(balance(chain, v0)).toBe(MONEY - 10_000n + 550n)
    chain.state.set(pools, ONLY, { ...pool, definition: other })
    expect(chain.run(accountNamed('bob'), payout(0, v1))).toBe('stake_paid')
    expect(chain.state.get(rewards, { epoch: 0, validator: v1 })?.paid).toEqual([])
    chain.state.set(pools, ONLY, pool)
    expect(chain.run(accountNamed('bob'), payout(0, v1))).toBeUndefined()
  })

  it('is zero for a member that withheld its reveal', () => {
    const chain = chainOf()
    expect(chain.run(ADMIN, fund)).toBeUndefined()
    chain.withholding.add(accountNamed('v1'))
    chain.toEpoch(1)
    expect(chain.state.get(rewards, { epoch: 0, validator: accountNamed('v1') })).toBeUndefined()
    expect(chain.state.get(rewards, { epoch: 0, validator: accountNamed('v2') })).toBeDefined()
  })
})

describe('a duty transaction of a node', () => {
  it('is accepted only once, within its window, and from the node of a member', () => {
    const chain = chainOf()
    const operator = chain.operatorOf(accountNamed('v0')) ?? ''
    const commit = instruction(staking.commitRandomness, { epoch: 0, commitment: Buffer.alloc(32, 1) })
    expect(chain.run(operator, commit)).toBe('stake_bad_window')
    expect(chain.run(accountNamed('bob'), commit)).toBe('stake_wrong_role')
    chain.asleep.add(accountNamed('v0'))
    chain.to(20)
    expect(chain.run(operator, commit)).toBeUndefined()
    expect(chain.run(operator, commit)).toBe('stake_bad_window')
    chain.to(30)
    expect(chain.run(operator, instruction(staking.revealRandomness, { epoch: 0, reveal: Buffer.alloc(32, 2) }))).toBe(
      'stake_bad_window',
    )
  })

  it('costs no fee if it succeeds, and is not included in a block if it fails', () => {
    const fees = { fee_asset: STAKE, fee_per_teu: { mantissa: 1n, scale: 2 } }
    const chain = chainOf(fees)
    chain.asleep.add(accountNamed('v0'))
    chain.to(18)
    const operator = chain.operatorOf(accountNamed('v0')) ?? ''
    const attest = (stateRoot: Buffer) =>
      chain.tx(operator, instruction(staking.attestReady, { height: chain.height - 2, stateRoot }))
    const failed = chain.block([attest(rootOf(1))])
    expect(failed.invalidTransactions).toMatchObject([{ index: 0, endsBlock: false, code: 'stake_bad_window' }])
    const done = chain.block([attest(rootOf(chain.height - 2))])
    expect([done.invalidTransactions, done.rejections.size]).toEqual([[], 0])
  })

  it('is rejected with the root of an old or unknown header', () => {
    const chain = chainOf()
    chain.to(18)
    const operator = chain.operatorOf(accountNamed('v0')) ?? ''
    const attest = (height: number, stateRoot: Buffer) => instruction(staking.attestReady, { height, stateRoot })
    expect(chain.run(operator, attest(chain.height - 2, rootOf(1)))).toBe('stake_bad_window')
    expect(chain.run(operator, attest(chain.height - 2, rootOf(chain.height - 2)))).toBeUndefined()
    expect(chain.state.get(validators, accountNamed('v0'))?.readyHeight).toBe(chain.height)
  })
})

describe('the validator mode', () => {
  const stage = (nextMode: 'permissioned' | 'npos', modeActivationHeight: number, force = false): Instruction =>
    instruction(staking.stageMode, { nextMode, modeActivationHeight, force })
  const modeOf = (chain: NposChain) => chain.state.get(chainInfo, SINGLETON_KEY)?.consensusMode

  it('changes only at the staged height, to elected validators or back, and each change begins an epoch', () => {
    const chain = chainOf({}, 'permissioned')
    chain.to(5)
    expect(chain.run(ADMIN, stage('npos', 20))).toBeUndefined()
    expect(chain.run(ADMIN, stage('npos', 30))).toBe('exists')
    chain.to(19)
    expect(modeOf(chain)).toBe('permissioned')
    expect(scheduleOf(chain.state, 19).epoch).toBe(0)
    expect(scheduleOf(chain.state, 20).epoch).toBe(1)
    chain.to(20)
    expect(modeOf(chain)).toBe('npos')
    chain.toEpoch(2)
    const at = chain.height + 12
    expect(chain.run(ADMIN, stage('permissioned', at))).toBeUndefined()
    chain.to(at)
    expect(modeOf(chain)).toBe('permissioned')
    expect(scheduleOf(chain.state, at).epoch).toBe(3)
    expect(calendarOf(chain.state)?.isElected).toBe(false)
  })

  it('remains unchanged if there are too few candidates, with an event', () => {
    const chain = new NposChain({
      validators: nodes.slice(0, 3).map((node) => ({ node, bond: 10_000n })),
      peers: nodes.slice(3),
      mode: 'permissioned',
    })
    chain.to(5)
    expect(chain.run(ADMIN, stage('npos', 20))).toBeUndefined()
    chain.to(25)
    expect(modeOf(chain)).toBe('permissioned')
    const cancelled = chain.runs.flatMap((run) => eventsOf(run, 'stakingModeSwitchCancelled'))
    expect(cancelled).toEqual([{ mode: 'npos', reason: 'tooFewCandidates' }])
    expect(scheduleOf(chain.state, 26).epoch).toBe(0)
    expect(chain.run(ADMIN, stage('npos', 50))).toBeUndefined()
  })

  it('can be staged only with permission and far enough ahead, and can be cancelled before its height', () => {
    const chain = chainOf()
    expect(chain.run(accountNamed('bob'), stage('permissioned', 90))).toBe('not_permitted')
    expect(chain.run(ADMIN, stage('permissioned', chain.height + 3))).toBe('bad_activation')
    expect(chain.run(ADMIN, stage('npos', 90))).toBe('exists')
    expect(chain.run(ADMIN, stage('permissioned', 90))).toBeUndefined()
    expect(chain.run(ADMIN, instruction(staking.cancelMode, {}))).toBeUndefined()
    chain.to(95)
    expect(modeOf(chain)).toBe('npos')
  })
})
