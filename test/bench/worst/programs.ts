import { type AccountId, multisigAccount } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

import {
  ASSET_EVENTS,
  alice,
  bob,
  fullCalendar,
  long,
  named,
  owner,
  payment,
  people,
  populated,
  proposed,
  repeat,
  SELF,
  SOLO,
  text,
  timerName,
  type WorstCase,
} from './inputs.js'

/** Give each account all triggers that may match its transfers. */
function watched(bench: Bench, accounts: readonly AccountId[]): void {
  for (const [place, account] of accounts.entries()) {
    for (const scope of [
      { kind: 'account', value: account } as const,
      { kind: 'asset', value: core.balance(account) } as const,
    ]) {
      const filter = core.onData('asset', scope, ['transferred'])
      bench.genesis(
        account,
        ...repeat(64, (index) =>
          core.registerTrigger(`${place}-${scope.kind}-${index}`, account, filter, [core.log('')]),
        ),
      )
    }
  }
}

export const PROGRAMS: Readonly<Record<string, WorstCase>> = {
  'triggers: registered with a long list': {
    transactions: () =>
      repeat(4, (index) => [
        core.registerTrigger(
          `t${index}`,
          alice,
          core.BY_CALL,
          repeat(64, () => core.log(text(1_000))),
        ),
      ]),
  },
  'triggers: called, long list': {
    prepare: (bench) =>
      bench.genesis(
        alice,
        core.registerTrigger(
          't',
          alice,
          core.BY_CALL,
          repeat(64, () => core.log(text(1_000))),
        ),
      ),
    transactions: () => repeat(10, () => [core.callTrigger('t')]),
  },
  'triggers: called, stored JSON that fails': {
    fails: true,
    prepare: (bench) =>
      bench.genesis(
        alice,
        core.registerTrigger('t', alice, core.BY_CALL, [
          ...repeat(6, (index) => core.setKey(SELF, `k${index}`, named(9_000, index))),
          core.burn(alice, 10_000_000n),
        ]),
      ),
    transactions: () => repeat(5, () => [core.callTrigger('t')]),
  },
  'triggers: 64 followers of one account': {
    prepare: (bench) => {
      repeat(60, (index) =>
        bench.run(
          bob,
          core.registerTrigger(`f${index}`, bob, core.onData('asset', { kind: 'account', value: bob }), [core.log('')]),
        ),
      )
    },
    transactions: () => repeat(30, () => [core.transfer(alice, bob, 1n)]),
  },
  'triggers: all that both sides of a long batch may have': {
    fails: true,
    prepare: (bench) => {
      populated(bench, 2)
      watched(bench, [alice, bob])
    },
    transactions: () =>
      repeat(2, () => [{ kind: 'transferBatch', value: { transfers: repeat(256, () => payment(bob)) } }]),
  },
  'triggers: all that a long batch to four receivers in turns may have': {
    fails: true,
    prepare: (bench) => {
      populated(bench, 5)
      watched(bench, [alice, bob, ...people(3)])
    },
    transactions: () => {
      const receivers = [bob, ...people(3)]
      return repeat(2, () => [
        {
          kind: 'transferBatch',
          value: { transfers: repeat(256, (index) => payment(receivers[index % 4] ?? bob)) },
        },
      ])
    },
  },
  'proposals: long, executed at once': {
    prepare: (bench) => bench.genesis(owner, core.registerMultisig(SOLO)),
    transactions: () =>
      repeat(4, (at) => [core.propose(multisigAccount(SOLO), ...repeat(60, () => core.log(text(900 + at))))]),
  },
  'triggers: registered, changed, removed': {
    isCommon: true,
    transactions: () =>
      repeat(40, (index) => [
        core.registerTrigger(`t${index}`, alice, core.onData('asset', { kind: 'account', value: alice }), [
          core.log(''),
        ]),
        core.changeRepeats(`t${index}`, 3),
        core.unregister('Trigger', `t${index}`),
      ]),
  },
  'triggers: switched in a full list': {
    prepare: (bench) =>
      bench.genesis(
        alice,
        ...repeat(64, (index) =>
          core.registerTrigger(long(index), alice, core.onData('asset', undefined, ASSET_EVENTS), [core.log('')]),
        ),
      ),
    transactions: () => [repeat(40, (index) => core.changeRepeats(long(7), undefined, index % 2 === 1))],
  },
  'triggers: timers switched in a full calendar': {
    prepare: fullCalendar,
    by: accountNamed('timer 0'),
    transactions: () => [repeat(40, (index) => core.changeRepeats(timerName(0, 7), undefined, index % 2 === 1))],
  },
  'multisig: registered with 32 members': {
    by: owner,
    prepare: (bench) => populated(bench, 33),
    transactions: () =>
      repeat(20, (index) => [
        core.registerMultisig(
          core.policyOf(
            people(32).map((id) => [id, 1] as const),
            1 + index,
          ),
        ),
      ]),
  },
  'multisig: proposed, approved': {
    isCommon: true,
    transactions: () => repeat(30, (index) => [core.propose(core.pair, core.log(`${index}`))]),
  },
  'multisig: proposals in a full list, all expired': {
    prepare: (bench) => {
      repeat(64, (index) => bench.run(alice, core.propose(core.pair, core.log(`old ${index}`))))
    },
    timeMs: 20_000,
    transactions: () => repeat(12, (index) => [core.propose(core.pair, core.log(`${index}`))]),
  },
  'multisig: approved and cancelled': {
    by: bob,
    prepare: (bench) => {
      proposed.length = 0
      for (let index = 0; index < 30; index += 1) {
        bench.run(index % 2 === 0 ? alice : bob, core.propose(core.pair, core.log(`${index}`)))
        proposed.push(core.lastProposal(bench.events))
      }
    },
    transactions: () =>
      proposed.map((id, index) => [index % 2 === 0 ? core.approve(core.pair, id) : core.cancel(core.pair, id)]),
  },
}
