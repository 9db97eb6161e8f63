/** Multisig accounts: who speaks for them, proposals and what becomes of them (docs/design/lanes.md 3). */

import { beforeEach, describe, expect, it } from 'vitest'
import { transactionFault } from '../../../src/executor/admission.js'
import { accountUse, transactionLimitsOf } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { multisigs, proposalLists, proposals } from '../../../src/ledger/multisig-tables.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  type AccountId,
  instruction,
  keyOfAccount,
  type MultisigPolicy,
  multisigAccount,
} from '../../../src/model/index.js'
import { Blocks, entry } from '../../support/blocks.js'
import { CHAIN } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, outsider, pair, PAIR } = core

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
  bench.genesis(owner, core.mint(pair, 50n))
})

const held = (account: AccountId) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
const spend = core.transfer(pair, agent, 10n)
function proposed(...list: Parameters<typeof core.propose>[1][]): Uint8Array {
  expect(bench.run(alice, core.propose(pair, ...list))).toBeUndefined()
  return core.lastProposal(bench.events)
}
const status = (proposal: Uint8Array) => bench.state.get(proposals, { account: pair, proposal })?.status

describe('a multisig proposal', () => {
  it('runs as the multisig account in the approval that reaches the quorum', () => {
    const proposal = proposed(spend)
    expect(held(agent)).toBe(0n)
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect([held(agent), held(pair)]).toEqual([10n, 40n])
    expect(bench.last?.contentTeu).toBeGreaterThan(100)
    expect(status(proposal)).toBe('executed')
    expect(bench.run(bob, core.approve(pair, proposal))).toBe('absent')
    expect(bench.state.get(accountUse, pair)).toEqual({ balances: 1, objects: 0, timers: 0 })
  })

  it('runs at once if the proposer alone has the quorum', () => {
    const policy = core.policyOf(
      [
        [alice, 2],
        [bob, 1],
      ],
      2,
    )
    bench.genesis(owner, core.registerMultisig(policy))
    const account = multisigAccount(policy)
    bench.genesis(owner, core.mint(account, 5n))
    expect(bench.run(alice, core.propose(account, core.transfer(account, agent, 5n)))).toBeUndefined()
    expect(held(agent)).toBe(5n)
  })

  it('has no effect, stays open, and can be retried if it fails at its quorum', () => {
    const proposal = proposed(spend, core.transfer(pair, agent, 1_000n))
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect([held(agent), status(proposal)]).toEqual([0n, 'open'])
    expect(bench.events.at(-1)).toMatchObject({ kind: 'proposalFailed', value: { error: 'not_enough' } })
    bench.genesis(owner, core.mint(pair, 2_000n))
    const words = () => bench.eventKinds.filter((kind) => kind === 'proposalApproved').length
    const signed = words()
    expect(bench.run(alice, core.approve(pair, proposal))).toBeUndefined()
    expect([held(agent), status(proposal)]).toEqual([1_010n, 'executed'])
    // Another try is no other word.
    expect(words()).toBe(signed)
  })

  it('counts the approvals of members by the current policy', () => {
    const proposal = proposed(spend)
    const next = core.policyOf(
      [
        [bob, 1],
        [agent, 1],
      ],
      2,
    )
    const change = proposed(core.replacePolicy(pair, next))
    expect(bench.run(bob, core.approve(pair, change))).toBeUndefined()
    expect(bench.state.get(multisigs, pair)).toEqual(next)
    expect(bench.run(alice, core.approve(pair, proposal))).toBe('not_a_member')
    // Alice's word weighs nothing any more: Bob and the agent are needed.
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect(held(agent)).toBe(0n)
    expect(bench.run(agent, core.approve(pair, proposal))).toBeUndefined()
    expect(held(agent)).toBe(10n)
  })

  it('keeps the approvals of former members until the list is full', () => {
    const people = Array.from({ length: 80 }, (_, index) => accountNamed(`member ${index}`))
    bench.genesis(owner, ...people.map((id) => core.registerAccount(id)))
    bench.genesis(owner, core.registerMultisig(core.policyOf([[alice, 1]], 1), 'bank', 'many'))
    const account = multisigAccount(core.policyOf([[alice, 1]], 1))
    // The proposer stays, never alone enough; the others change after each word.
    const members = (from: number) =>
      core.policyOf([[alice, 1], ...people.slice(from, from + 31).map((id) => [id, 1] as const)], 32)
    bench.genesis(account, core.replacePolicy(account, members(0)))
    expect(bench.run(alice, core.propose(account, core.log('x')))).toBeUndefined()
    const proposal = core.lastProposal(bench.events)
    const words = () => bench.state.get(proposals, { account, proposal })?.approvals ?? []
    for (const [index, id] of people.slice(0, 49).entries()) {
      bench.genesis(account, core.replacePolicy(account, members(index)))
      expect(bench.run(id, core.approve(account, proposal))).toBeUndefined()
    }
    expect(words()).toHaveLength(50)
    for (const id of people.slice(49, 63)) expect(bench.run(id, core.approve(account, proposal))).toBeUndefined()
    expect(words()).toHaveLength(64)
    expect(bench.run(people[63] ?? '', core.approve(account, proposal))).toBeUndefined()
    expect(words()).toEqual([alice, ...people.slice(48, 64)])
  })

  it('expires by header time, and is closed by the next proposal', () => {
    const proposal = proposed(spend)
    bench.timeMs += 10_000
    expect(bench.run(bob, core.approve(pair, proposal))).toBe('proposal_expired')
    expect(status(proposal)).toBe('open')
    proposed(core.log('next'))
    expect(status(proposal)).toBe('expired')
    expect(bench.eventKinds).toContain('proposalExpired')
  })

  it('closes only the four oldest expired proposals, to limit the cost to its proposer', () => {
    const old = Array.from({ length: 6 }, (_, index) => proposed(core.log(`${index}`)))
    bench.timeMs += 10_000
    proposed(core.log('next'))
    const [closed, open] = [old.slice(0, 4), old.slice(4)]
    expect(old.map(status)).toEqual([...closed.map(() => 'expired'), ...open.map(() => 'open')])
    expect(bench.run(alice, core.approve(pair, open[0] as Uint8Array))).toBe('proposal_expired')
    proposed(core.log('and another'))
    expect(old.map(status)).toEqual(old.map(() => 'expired'))
  })

  it('is kept after it closes until 64 later proposals have closed', () => {
    const all: Uint8Array[] = []
    for (let count = 0; count < 70; count++) {
      const proposal = proposed(core.log('x'))
      all.push(proposal)
      expect(bench.run(alice, core.cancel(pair, proposal))).toBeUndefined()
    }
    expect(bench.state.get(proposalLists, pair)).toEqual({ open: [], closed: all.slice(6) })
    expect(all.map((one) => status(one)).filter((one) => one === undefined)).toHaveLength(6)
  })

  it('removes no closed proposal from a full list if it fails', () => {
    const closed = Array.from({ length: 64 }, () => {
      const proposal = proposed(core.log('x'))
      expect(bench.run(alice, core.cancel(pair, proposal))).toBeUndefined()
      return proposal
    })
    const failing = proposed(core.transfer(pair, agent, 1_000n))
    expect(bench.run(bob, core.approve(pair, failing))).toBeUndefined()
    expect(bench.state.get(proposalLists, pair)?.closed).toEqual(closed)
    expect(closed.every((one) => status(one) === 'cancelled')).toBe(true)
  })

  it('can approve for a member that is itself a multisig account, up to three levels and without a cycle', () => {
    const policies: MultisigPolicy[] = [PAIR]
    const accounts = [pair]
    for (const _ of [1, 2]) {
      const policy = core.policyOf(
        [
          [accounts.at(-1) as AccountId, 1],
          [outsider, 1],
        ],
        2,
      )
      bench.genesis(owner, core.registerMultisig(policy))
      policies.push(policy)
      accounts.push(multisigAccount(policy))
    }
    const [, second, third] = accounts as [AccountId, AccountId, AccountId]
    const fourth = core.policyOf([[third, 1]], 1)
    expect(bench.run(owner, core.registerMultisig(fourth))).toBe('multisig_nesting')
    expect(bench.run(pair, core.replacePolicy(pair, core.policyOf([[third, 1]], 1)))).toBe('multisig_nesting')

    bench.genesis(owner, core.mint(third, 7n))
    expect(bench.run(outsider, core.propose(third, core.transfer(third, agent, 7n)))).toBeUndefined()
    const top = core.lastProposal(bench.events)
    expect(bench.run(outsider, core.propose(second, core.approve(third, top)))).toBeUndefined()
    const middle = core.lastProposal(bench.events)
    const bottom = proposed(core.approve(second, middle))
    expect(held(agent)).toBe(0n)
    expect(bench.run(bob, core.approve(pair, bottom))).toBeUndefined()
    expect(held(agent)).toBe(7n)
  })

  it('can have at most 32 multisig accounts below its account, across all levels', () => {
    const single = (at: number) => core.policyOf([[alice, 1]], 1, 1_000 + at)
    const accounts = Array.from({ length: 33 }, (_, at) => single(at))
    bench.genesis(owner, ...accounts.map((policy) => core.registerMultisig(policy)))
    const ids = accounts.map(multisigAccount)
    const over = (...members: readonly AccountId[]) =>
      core.policyOf(
        members.map((id) => [id, 1] as const),
        1,
      )
    const half = over(...ids.slice(0, 16))
    const rest = over(...ids.slice(16, 31))
    const wide = over(...ids.slice(16, 32))
    for (const policy of [half, rest, wide]) expect(bench.run(owner, core.registerMultisig(policy))).toBeUndefined()
    const both = [multisigAccount(half), multisigAccount(rest)] as const
    // 31 singles and the two that hold them are one too many; without one of them there is room.
    expect(bench.run(owner, core.registerMultisig(over(...both)))).toBe('multisig_nesting')
    expect(bench.run(owner, core.registerMultisig(over(both[0], ids[0] as AccountId, agent)))).toBeUndefined()
    expect(bench.run(owner, core.registerMultisig(over(...ids.slice(0, 32))))).toBeUndefined()
    expect(bench.run(owner, core.registerMultisig(over(multisigAccount(half), ids[32] as AccountId)))).toBeUndefined()
  })

  it('is subject to the controls of the account, and its permissions', () => {
    bench.genesis(owner, instruction(assets.setFreeze, { asset: core.balance(pair), frozen: true, reason: undefined }))
    const frozen = proposed(core.batch([pair, agent, 1n]))
    expect(bench.run(bob, core.approve(pair, frozen))).toBeUndefined()
    expect(bench.events.at(-1)).toMatchObject({ kind: 'proposalFailed', value: { error: 'asset_frozen' } })
    const foreign = proposed(core.transfer(alice, agent, 1n))
    expect(bench.run(bob, core.approve(pair, foreign))).toBeUndefined()
    expect(bench.events.at(-1)).toMatchObject({ kind: 'proposalFailed', value: { error: 'not_permitted' } })
  })

  it('can remove the account itself', () => {
    bench.genesis(owner, core.burn(pair, 50n))
    const proposal = proposed(core.unregister('Account', pair))
    expect(bench.run(bob, core.approve(pair, proposal))).toBeUndefined()
    expect(bench.last?.rejection).toBeUndefined()
    expect(bench.state.has(multisigs, pair)).toBe(false)
    expect(bench.state.get(accountUse, pair)).toBeUndefined()
  })
})

describe('a transaction signed by members', () => {
  const context = () => ({ abi: ABI_1, chain: CHAIN, limits: transactionLimitsOf(bench.state), timeMs: 2 })
  const signedBy = (policy: MultisigPolicy | undefined, signers: readonly AccountId[], authority = pair) => {
    const made = entry(authority, [spend], policy === undefined ? {} : { policy })
    const signatures = signers.map((one) => ({ publicKey: keyOfAccount(one) ?? '', signature: Buffer.alloc(64) }))
    return { ...made, signed: { ...made.signed, signatures } }
  }
  const fault = (...of: Parameters<typeof signedBy>) => transactionFault(context(), 200, signedBy(...of).signed)?.code

  it('is admitted at the quorum of its policy, if only members signed and each signed once', () => {
    expect(fault(PAIR, [alice, bob])).toBeUndefined()
    expect(fault(PAIR, [alice])).toBe('signature_insufficient')
    expect(fault(PAIR, [])).toBe('signature_missing')
    expect(fault(undefined, [alice, bob])).toBe('signature_missing')
    expect(fault(PAIR, [alice, alice])).toBe('transaction_limit')
    expect(fault(PAIR, [alice, bob, agent])).toBe('signature_unknown_signer')
    expect(fault({ ...PAIR, quorum: 0 }, [alice])).toBe('signature_unknown_signer')
    expect(fault(PAIR, [alice], alice)).toBe('signature_unknown_signer')
  })

  it('runs as the account', () => {
    const blocks = new Blocks(bench)
    const run = blocks.run(10, signedBy(PAIR, [alice, bob]))
    expect(run.invalidTransactions).toEqual([])
    expect(run.results[0]).toMatchObject({ outcome: { kind: 'approved' }, teu: 282 })
    expect(held(agent)).toBe(10n)
  })

  it('is excluded from a block if its policy differs from the policy of the account', () => {
    const blocks = new Blocks(bench)
    const forged = core.policyOf([[outsider, 1]], 1)
    expect(blocks.run(10, signedBy(forged, [outsider])).invalidTransactions).toMatchObject([
      { index: 0, code: 'bad_policy' },
    ])
    expect(held(agent)).toBe(0n)
    // A change of rules earlier in the same block counts.
    const proposal = proposed(core.replacePolicy(pair, forged))
    const run = blocks.run(11, entry(bob, [core.approve(pair, proposal)]), signedBy(PAIR, [alice, bob]))
    expect(run.invalidTransactions.map((one) => one.index)).toEqual([1])
    expect(blocks.run(12, signedBy(forged, [outsider])).invalidTransactions).toEqual([])
    expect(held(agent)).toBe(10n)
  })

  it('can follow a registration that adds the policy to an existing account', () => {
    const policy = core.policyOf([[alice, 1]], 1, 500)
    const id = multisigAccount(policy)
    bench.genesis(owner, core.registerAccount(id, 'vault'))
    expect(bench.run(outsider, core.registerMultisig(policy, 'nowhere'))).toBeUndefined()
    expect(bench.state.get(multisigs, id)).toEqual(policy)
    expect(bench.run(accountNamed('nobody'), core.registerMultisig(policy))).toBe('exists')
  })
})

describe('a removed multisig account', () => {
  const FIRST = core.policyOf([[outsider, 1]], 1)
  const inner = multisigAccount(FIRST)
  const takesMoney = core.propose(inner, core.propose(outer(), core.transfer(outer(), outsider, 5n)))
  function outer(): AccountId {
    return multisigAccount(outerPolicy())
  }
  function outerPolicy(): MultisigPolicy {
    return core.policyOf(
      [
        [multisigAccount(FIRST), 1],
        [bob, 1],
      ],
      1,
    )
  }
  const domainOf = (account: AccountId, id: string): void => bench.genesis(account, core.registerDomain(id))

  beforeEach(() => {
    bench.genesis(owner, core.registerMultisig(FIRST))
    expect(bench.run(outsider, core.propose(inner, core.replacePolicy(inner, core.policyOf([[alice, 1]], 1))))).toBe(
      undefined,
    )
    bench.genesis(owner, core.registerMultisig(outerPolicy()), core.mint(outer(), 50n))
    expect(bench.run(outsider, takesMoney)).toBe('not_a_member')
    expect(bench.run(owner, core.unregister('Account', inner))).toBeUndefined()
  })

  it('cannot be restored with its first members after a change of policy', () => {
    domainOf(outsider, 'elsewhere')
    expect(bench.run(outsider, core.registerMultisig(FIRST, 'elsewhere'))).toBe('exists')
    expect(bench.run(outsider, takesMoney)).toBe('absent')
    expect(bench.run(outsider, core.registerAccount(inner, undefined, 'elsewhere'))).toBeUndefined()
    expect(bench.run(outsider, core.registerMultisig(FIRST, 'elsewhere'))).toBe('exists')
    expect(bench.run(outsider, takesMoney)).toBe('not_a_member')
    expect(held(outer())).toBe(50n)
  })

  it('is restored with its last policy, whichever account registers it again', () => {
    expect(bench.run(alice, core.propose(inner, core.log('gone')))).toBe('absent')
    expect(bench.run(owner, core.registerAccount(inner))).toBeUndefined()
    expect(
      bench.run(alice, core.propose(inner, core.propose(outer(), core.transfer(outer(), alice, 5n)))),
    ).toBeUndefined()
    expect(held(outer())).toBe(45n)
  })

  it('has no usable policy while it is removed, neither for signatures nor for a replacement', () => {
    const last = core.policyOf([[alice, 1]], 1)
    expect(ABI_1.policies.multisigWeights?.(bench.state, inner, last)?.code).toBe('bad_policy')
    expect(bench.run(inner, core.replacePolicy(inner, FIRST))).toBe('absent')
    expect(bench.run(owner, core.registerAccount(inner))).toBeUndefined()
    expect(ABI_1.policies.multisigWeights?.(bench.state, inner, last)).toBeUndefined()
  })

  it('cannot become part of a cycle, even if policies change after its removal', () => {
    const through = core.policyOf([[agent, 1]], 1)
    const middle = multisigAccount(through)
    bench.genesis(owner, core.registerAccount(inner), core.registerMultisig(through))
    expect(bench.run(inner, core.replacePolicy(inner, core.policyOf([[middle, 1]], 1)))).toBeUndefined()
    expect(bench.run(owner, core.unregister('Account', inner))).toBeUndefined()
    expect(bench.run(middle, core.replacePolicy(middle, core.policyOf([[outer(), 1]], 1)))).toBe('multisig_nesting')
  })

  it('can be restored with its first policy if that is also its last policy', () => {
    bench.genesis(owner, core.registerAccount(inner))
    expect(bench.run(inner, core.replacePolicy(inner, FIRST), core.unregister('Account', inner))).toBeUndefined()
    expect(bench.state.has(multisigs, inner)).toBe(false)
    expect(bench.run(owner, core.registerMultisig(FIRST))).toBeUndefined()
  })
})
