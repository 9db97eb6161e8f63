/** Triggers inside transactions: what sets them off, in which order, how deep, and what their failure undoes (docs/design/lanes.md 2). */

import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, triggerLists, triggers } from '../../../src/executor/index.js'
import { instructions as accountInstructions } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction } from '../../../src/model/index.js'
import type { RowKey, RowReader, RowTable } from '../../../src/state/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'

/** Units of a transfer beside its rows and events. */
const TRANSFER_TEU = 100
const { owner, alice, bob, agent, outsider, USD } = core

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
})

const held = (account: AccountId) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
const texts = (of: Bench): unknown[] =>
  of.events.filter((event) => event.kind === 'logged').map((event) => (event.value as { text: string }).text)
const register = (id: string, filter: Parameters<typeof core.registerTrigger>[2], ...list: readonly Instruction[]) =>
  expect(bench.run(alice, core.registerTrigger(id, alice, filter, list))).toBeUndefined()

describe('a data trigger', () => {
  it('runs as its own account, inside the transaction that starts it', () => {
    register(
      'tithe',
      core.onData('asset', { kind: 'account', value: bob }, ['transferred']),
      core.transfer(alice, owner, 1n),
    )
    expect(bench.run(alice, core.transfer(alice, bob, 10n))).toBeUndefined()
    expect(held(owner)).toBe(1n)
    // Bob sends: Bob's balance is now the source, and Alice pays the tithe in both cases.
    expect(bench.run(bob, core.transfer(bob, agent, 2n))).toBeUndefined()
    expect([held(alice), held(owner)]).toEqual([88n, 2n])
  })

  it('is started only by events that match its subject, kinds and scope', () => {
    register('any', core.onData('asset'), core.log('any'))
    register('kind', core.onData('asset', undefined, ['burned']), core.log('burned'))
    register('definition', core.onData('asset', { kind: 'object', value: USD }), core.log('usd'))
    register('account', core.onData('asset', { kind: 'account', value: bob }), core.log('bob'))
    register('balance', core.onData('asset', { kind: 'asset', value: core.balance(agent) }), core.log('agent'))
    const sets = (by: AccountId, instruction: Instruction): unknown[] => {
      bench.events.length = 0
      expect(bench.run(by, instruction)).toBeUndefined()
      return texts(bench)
    }
    // In the byte order of their ids: account, any, balance, definition, kind.
    expect(sets(alice, core.transfer(alice, bob, 3n))).toEqual(['bob', 'any', 'usd'])
    expect(sets(bob, core.transfer(bob, agent, 1n))).toEqual(['bob', 'any', 'agent', 'usd'])
    expect(sets(bob, core.burn(bob, 1n))).toEqual(['bob', 'any', 'usd', 'burned'])
    expect(sets(owner, core.setKey({ kind: 'domain', value: 'bank' }, 'a', 1))).toEqual([])
    bench.genesis(owner, core.registerDefinition('eur#bank'))
    expect(sets(owner, core.mint(alice, 5n, 'eur#bank'))).toEqual(['any'])
  })

  it('runs depth first, in the byte order of ids, before the next instruction', () => {
    register('b', core.onData('log'), core.setKey({ kind: 'account', value: alice }, 'b', 1))
    register('a', core.onData('log'), core.setKey({ kind: 'account', value: alice }, 'a', 1))
    register('c', core.onData('metadata'), core.transfer(alice, bob, 1n))
    bench.events.length = 0
    expect(bench.run(alice, core.log('one'), core.transfer(alice, agent, 1n))).toBeUndefined()
    const seen = bench.events.flatMap(({ kind, value }) => {
      const { key, to } = value as { key?: string; to?: AccountId }
      return kind === 'triggerRan' ? [] : [key ?? (to === undefined ? kind : to === bob ? 'to bob' : 'to agent')]
    })
    expect(seen).toEqual(['logged', 'a', 'to bob', 'b', 'to bob', 'to agent'])
  })

  it('observes only events after its registration, and not its own registration', () => {
    register('self', core.onData('trigger'), core.log('seen'))
    expect(texts(bench)).toEqual([])
    register('other', core.BY_CALL, core.log('x'))
    expect(texts(bench)).toEqual(['seen'])
  })

  it('does not run if it is removed or replaced before its turn', () => {
    register('a', core.onData('log'), core.unregister('Trigger', 'b'))
    register('b', core.onData('log'), core.transfer(alice, bob, 1n))
    expect(bench.run(alice, core.log('x'))).toBeUndefined()
    expect(held(bob)).toBe(0n)
  })

  it('does not run for an earlier event if it is registered again before its turn', () => {
    const pay = core.transfer(alice, bob, 1n)
    const anew = core.registerTrigger('b', alice, core.onData('log'), [pay])
    register('a', core.onData('log'), core.unregister('Trigger', 'b'), anew)
    register('b', core.onData('log'), pay)
    expect(bench.run(alice, core.log('x'))).toBeUndefined()
    expect(held(bob)).toBe(0n)
    expect(bench.run(alice, core.unregister('Trigger', 'a'), core.log('x'))).toBeUndefined()
    expect(held(bob)).toBe(1n)
  })

  it('reverts the whole transaction if it fails, but its cost still counts', () => {
    register('poor', core.onData('log'), core.transfer(alice, bob, 1_000n))
    const rows = bench.state.changes()
    expect(bench.run(bob, core.setKey({ kind: 'account', value: bob }, 'a', 1), core.log('x'))).toBe('not_enough')
    expect(bench.state.changes()).toEqual(rows)
    expect(bench.last?.rejection?.instruction).toBe(1)
    expect(bench.last?.contentTeu).toBeGreaterThan(TRANSFER_TEU)
  })

  it('can be third in a chain, but not fourth', () => {
    const chain = (depth: number): Instruction[] => {
      const keys = Array.from({ length: depth }, (_, index) => `k${index}`)
      return keys.map((key, index) =>
        core.registerTrigger(
          key,
          alice,
          index === 0
            ? core.onData('log')
            : core.onData('trigger', { kind: 'object', value: `target${index - 1}` }, ['triggerChanged']),
          [core.changeRepeats(`target${index}`, undefined)],
        ),
      )
    }
    const targets = Array.from({ length: 4 }, (_, index) =>
      core.registerTrigger(`target${index}`, alice, core.BY_CALL, [core.log('never')]),
    )
    const three = core.smallWorld()
    three.genesis(alice, ...targets, ...chain(3))
    expect(three.run(bob, core.log('go'))).toBeUndefined()
    expect(three.eventKinds.filter((kind) => kind === 'triggerChanged')).toHaveLength(3)
    const four = core.smallWorld()
    four.genesis(alice, ...targets, ...chain(4))
    expect(four.run(bob, core.log('go'))).toBe('trigger_depth')
    expect(four.eventKinds).not.toContain('triggerChanged')
  })

  it('reverts the whole transaction if it starts itself', () => {
    register('echo', core.onData('log'), core.log('again'))
    expect(bench.run(bob, core.log('go'))).toBe('trigger_depth')
  })

  it('runs a given number of times and is then removed', () => {
    expect(
      bench.run(alice, core.registerTrigger('twice', alice, core.onData('log'), [core.transfer(alice, bob, 1n)], 2)),
    ).toBeUndefined()
    for (let count = 0; count < 3; count++) expect(bench.run(agent, core.log('x'))).toBeUndefined()
    expect(held(bob)).toBe(2n)
    expect(bench.state.has(triggers, 'twice')).toBe(false)
    expect(bench.eventKinds.filter((kind) => kind === 'triggerDeleted')).toHaveLength(1)
    expect(bench.state.get(triggerLists, 'log *')).toBeUndefined()
  })

  it('remains stored but does not run while it is disabled', () => {
    register('a', core.onData('log'), core.transfer(alice, bob, 1n))
    expect(bench.run(alice, core.changeRepeats('a', undefined, false))).toBeUndefined()
    expect(bench.run(agent, core.log('x'))).toBeUndefined()
    expect(bench.run(alice, core.changeRepeats('a', undefined, true))).toBeUndefined()
    expect(bench.run(agent, core.log('x'))).toBeUndefined()
    expect(held(bob)).toBe(1n)
  })

  it('uses units of the transaction that starts it, up to the limit of that transaction', () => {
    register('a', core.onData('log'), core.transfer(alice, bob, 1n))
    for (let count = 0; count < 2; count += 1) expect(bench.run(agent, core.log('x'))).toBeUndefined()
    const once = bench.last?.contentTeu ?? 0
    expect(once).toBeGreaterThan(TRANSFER_TEU)
    bench.contentTeu = once
    expect(bench.run(agent, core.log('x'))).toBeUndefined()
    expect(bench.run(agent, core.log('x'), core.log('y'))).toBe('teu_exhausted')
    bench.contentTeu = once - 1
    expect(bench.run(agent, core.log('x'))).toBe('teu_exhausted')
    expect(bench.last?.contentTeu).toBe(once - 1)
    expect(held(bob)).toBe(3n)
  })

  it('does not run in genesis, where permissions are not checked', () => {
    bench.genesis(
      alice,
      core.registerTrigger('a', outsider, core.onData('log'), [core.mint(outsider, 1n)]),
      core.log('x'),
    )
    expect(held(outsider)).toBe(0n)
    expect(bench.run(agent, core.log('x'))).toBe('not_permitted')
  })

  it('can watch and veto events of objects of its account, or any events with CanWatchEvents', () => {
    const watch = (by: AccountId, filter: Parameters<typeof core.registerTrigger>[2]) =>
      bench.run(by, core.registerTrigger('w', by, filter, [core.log('x')]), core.unregister('Trigger', 'w'))
    const own = [
      core.onData('asset', { kind: 'account', value: bob }),
      core.onData('asset', { kind: 'asset', value: core.balance(bob) }),
    ]
    for (const filter of own) {
      expect(watch(bob, filter)).toBeUndefined()
      expect(watch(agent, filter)).toBe('not_permitted')
    }
    bench.genesis(owner, core.registerRole('crew', [], [bob]), core.registerDefinition('eur#bank'))
    bench.genesis(
      owner,
      ...(['domain', 'definition', 'nft'] as const).flatMap((kind) => {
        const id = { domain: 'shop', definition: 'eur#bank', nft: 'deed$bank' }[kind]
        return kind === 'nft' ? [core.registerNft(id), core.passOn(kind, id, bob)] : [core.passOn(kind, id, bob)]
      }),
      core.registerTrigger('own', bob, core.BY_CALL, [core.log('x')]),
    )
    const objects = {
      domain: 'shop',
      definition: 'eur#bank',
      asset: 'eur#bank',
      nft: 'deed$bank',
      role: 'crew',
      trigger: 'own',
    }
    for (const [subject, value] of Object.entries(objects)) {
      const filter = core.onData(subject, { kind: 'object', value })
      expect(watch(bob, filter)).toBeUndefined()
      expect(watch(agent, filter)).toBe('not_permitted')
      expect(watch(alice, filter)).toBeUndefined()
    }
    // The owner of a definition may watch, and so bar, its movements in any account.
    expect(watch(bob, core.onData('asset', { kind: 'asset', value: core.balance(agent, 'eur#bank') }))).toBeUndefined()
    expect(watch(bob, core.onData('asset'))).toBe('not_permitted')
    expect(watch(bob, { kind: 'preCommit', value: undefined })).toBe('not_permitted')
    expect(watch(alice, { kind: 'preCommit', value: undefined })).toBeUndefined()
    expect(watch(alice, core.onData('asset'))).toBeUndefined()
  })

  describe('a trigger of an affected account', () => {
    const MORE_THAN_HELD = 1_000n
    const watch = (by: AccountId, filter: Parameters<typeof core.registerTrigger>[2], id = 'veto') =>
      expect(bench.run(by, core.registerTrigger(id, by, filter, [core.burn(by, MORE_THAN_HELD)]))).toBeUndefined()
    const runs = () =>
      bench.events
        .filter(({ kind }) => kind === 'triggerRan')
        .map(({ value }) => (value as { error: string | undefined }).error)

    it('cannot prevent freezes, revocations, forced transfers or payments by other accounts', () => {
      bench.genesis(owner, core.permission('grant', 'CanMint', USD, bob), core.mint(bob, 10n))
      for (const subject of ['control', 'permission', 'asset']) {
        watch(bob, core.onData(subject, { kind: 'account', value: bob }), `veto-${subject}`)
      }
      const freeze = { asset: core.balance(bob), frozen: true, reason: undefined }
      expect(bench.run(owner, instruction(assets.setFreeze, freeze))).toBeUndefined()
      expect(bench.run(owner, core.permission('revoke', 'CanMint', USD, bob))).toBeUndefined()
      expect(bench.run(alice, core.transfer(alice, bob, 3n))).toBeUndefined()
      expect(bench.run(owner, core.burn(bob, 1n))).toBeUndefined()
      expect(runs()).toEqual(Array.from({ length: 4 }, () => 'not_enough'))
      expect(held(bob)).toBe(12n)
    })

    it('undoes only its own changes', () => {
      watch(alice, core.onData('asset', { kind: 'account', value: alice }))
      expect(bench.run(alice, core.transfer(alice, bob, 1n))).toBe('not_enough')
      expect(held(bob)).toBe(0n)
    })

    it("uses at most a quarter of the units of another account's transaction", () => {
      const logs = Array.from({ length: 20 }, () => core.mint(bob, 1n))
      bench.genesis(owner, core.permission('grant', 'CanMint', USD, bob))
      expect(
        bench.run(bob, core.registerTrigger('hog', bob, core.onData('asset', { kind: 'account', value: bob }), logs)),
      ).toBeUndefined()
      bench.contentTeu = 4_000
      expect(bench.run(alice, core.transfer(alice, bob, 1n))).toBeUndefined()
      expect(runs()).toEqual([])
      expect(bench.last?.contentTeu).toBeLessThan(200)
    })

    it('loses its effect with the ownership, and the next owner can remove it', () => {
      bench.genesis(owner, core.registerDefinition('eur#bank'), core.passOn('definition', 'eur#bank', bob))
      watch(bob, core.onData('asset', { kind: 'object', value: 'eur#bank' }))
      expect(bench.run(bob, core.mint(bob, 1n, 'eur#bank'))).toBe('not_enough')
      bench.genesis(owner, core.passOn('definition', 'eur#bank', agent))
      expect(bench.run(agent, core.mint(agent, 1n, 'eur#bank'))).toBeUndefined()
      expect(runs()).toEqual([])
      expect(bench.run(outsider, core.unregister('Trigger', 'veto'))).toBe('not_permitted')
      expect(bench.run(agent, core.unregister('Trigger', 'veto'))).toBeUndefined()
    })

    it('loses its effect without CanWatchEvents, and other holders can remove it', () => {
      bench.genesis(owner, core.permission('grant', 'CanWatchEvents', undefined, bob))
      watch(bob, core.onData('log'))
      expect(bench.run(agent, core.log('x'))).toBe('not_enough')
      bench.genesis(owner, core.permission('revoke', 'CanWatchEvents', undefined, bob))
      expect(bench.run(agent, core.log('x'))).toBeUndefined()
      expect(bench.run(alice, core.unregister('Trigger', 'veto'))).toBeUndefined()
    })
  })

  it('has no more permissions than its account', () => {
    register('steal', core.onData('log'), core.transfer(bob, alice, 1n))
    bench.genesis(owner, core.mint(bob, 5n))
    expect(bench.run(agent, core.log('x'))).toBe('not_permitted')
  })

  it('is subject to the controls of its account', () => {
    register('pay', core.onData('log'), core.batch([alice, bob, 1n]))
    bench.genesis(owner, instruction(assets.setFreeze, { asset: core.balance(alice), frozen: true, reason: undefined }))
    expect(bench.run(agent, core.log('x'))).toBe('asset_frozen')
  })

  it('that watches a removed account does not watch the account when it is registered again', () => {
    register('watch', core.onData('account', { kind: 'account', value: agent }), core.log('seen'))
    expect(bench.state.get(accounts, agent)?.watchers).toBe(1)
    expect(bench.run(agent, instruction(accountInstructions.setLabel, { account: agent, label: 'a' }))).toBeUndefined()
    expect(texts(bench)).toEqual(['seen'])
    expect(bench.run(agent, core.unregister('Account', agent))).toBeUndefined()
    expect(bench.run(owner, core.registerAccount(agent))).toBeUndefined()
    bench.events.length = 0
    expect(bench.run(agent, instruction(accountInstructions.setLabel, { account: agent, label: 'b' }))).toBeUndefined()
    expect(texts(bench)).toEqual([])
    expect(bench.run(alice, core.unregister('Trigger', 'watch'))).toBeUndefined()
    expect(bench.state.get(accounts, agent)?.watchers).toBe(0)
  })
})

describe('the cost of ten thousand triggers that do not match or are disabled', () => {
  /** Rows that a transfer from Alice to Bob reads from below. */
  function readsOf(prepare: (bench: Bench) => void): RowKey[] {
    const base = core.smallWorld()
    prepare(base)
    const reads: RowKey[] = []
    const counting: RowReader = {
      getRow: <V>(table: RowTable<V>, row: RowKey) => {
        reads.push(row)
        return base.state.getRow(table, row)
      },
      hasRow: (row) => {
        reads.push(row)
        return base.state.hasRow(row)
      },
      held: (row) => {
        reads.push(row)
        return base.state.held(row)
      },
    }
    expect(new Bench(counting).run(alice, core.transfer(alice, bob, 1n))).toBeUndefined()
    return reads
  }

  it('includes no additional reads for a transfer if they do not match', () => {
    const none = readsOf(() => undefined)
    const many = readsOf((base) => {
      base.genesis(owner, ...Array.from({ length: 160 }, (_, index) => core.registerDefinition(`d${index}#bank`)))
      for (let list = 0; list < 160; list++) {
        const scopes = [
          { kind: 'object', value: `d${list}#bank` },
          { kind: 'asset', value: core.balance(agent, `d${list}#bank`) },
        ] as const
        for (const [at, scope] of scopes.entries()) {
          const filters = Array.from({ length: 32 }, (_, index) =>
            core.registerTrigger(`t${list}.${at}.${index}`, owner, core.onData('asset', scope), [core.log('x')]),
          )
          base.genesis(owner, ...filters)
        }
      }
    })
    expect(many).toEqual(none)
  })

  it('includes no additional reads for a transfer if they are disabled, and their slots are free', () => {
    const onTransfers = core.onData('asset', { kind: 'account', value: alice })
    const ids = Array.from({ length: 64 }, (_, index) => `t${index}`)
    const set = (base: Bench, enabled: boolean, ...some: readonly string[]) =>
      base.run(alice, ...some.map((id) => core.changeRepeats(id, undefined, enabled)))
    const none = readsOf(() => undefined)
    const off = readsOf((base) => {
      base.genesis(owner, ...ids.map((id) => core.registerTrigger(id, alice, onTransfers, [core.log('x')])))
      expect(base.run(owner, core.registerTrigger('more', alice, onTransfers, [core.log('x')]))).toBe('not_permitted')
      expect(base.run(alice, core.registerTrigger('more', alice, onTransfers, [core.log('x')]))).toBe(
        'too_many_triggers',
      )
      expect(set(base, false, ...ids)).toBeUndefined()
      // Twice off is off, and comes back once.
      expect(set(base, false, 't0')).toBeUndefined()
      expect(set(base, true, 't0', 't0')).toBeUndefined()
      expect(base.state.get(accounts, alice)?.watchers).toBe(1)
      expect(base.run(alice, core.registerTrigger('more', alice, onTransfers, [core.log('x')]))).toBeUndefined()
      expect(set(base, true, ...ids.slice(1))).toBe('too_many_triggers')
      expect(base.run(alice, core.unregister('Trigger', 'more'), core.unregister('Trigger', 't0'))).toBeUndefined()
      expect(set(base, true, ...ids.slice(1))).toBeUndefined()
      expect(set(base, false, ...ids.slice(1))).toBeUndefined()
      expect(base.state.get(accounts, alice)?.watchers).toBe(0)
    })
    expect(off).toEqual(none)
  })
})

describe('a trigger by call', () => {
  it('runs as its account for permitted callers, with the arguments in its event', () => {
    bench.genesis(
      alice,
      core.registerTrigger('pay', alice, core.BY_CALL, [core.transfer(alice, bob, 5n)]),
      core.permission('grant', 'CanExecuteTrigger', 'pay', agent),
    )
    expect(bench.run(agent, core.callTrigger('pay'))).toBeUndefined()
    expect(held(bob)).toBe(5n)
    expect(bench.eventKinds).toContain('triggerCalled')
  })

  it('can be nested three levels deep, but not four', () => {
    const call = (index: number): Instruction[] => [index === 0 ? core.log('end') : core.callTrigger(`c${index - 1}`)]
    bench.genesis(
      alice,
      ...[0, 1, 2, 3].map((index) => core.registerTrigger(`c${index}`, alice, core.BY_CALL, call(index))),
    )
    expect(bench.run(alice, core.callTrigger('c2'))).toBeUndefined()
    expect(bench.run(alice, core.callTrigger('c3'))).toBe('trigger_depth')
  })
})
