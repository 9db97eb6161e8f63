/** The instructions of manifests, their errors in order, and the limits of guests at each edge. */

import { beforeEach, describe, expect, it } from 'vitest'
import { gateAt } from '../../../src/executor/index.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { spaceManifests, spaceUsage } from '../../../src/features/spaces/ledger/tables.js'
import { events } from '../../../src/features/spaces/schema/events.js'
import { instructions as spaces } from '../../../src/features/spaces/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, anyInstruction, instruction, isEvent } from '../../../src/model/index.js'
import { type RowKey, type RowReader, tableIdOf } from '../../../src/state/index.js'
import {
  addressOf,
  call,
  DROP,
  deploy,
  entry,
  handwritten,
  host,
  manifestOf,
  register,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import { DEPOSIT_ABI, deposit } from '../../support/deposits.js'
import { accountNamed, Bench } from '../../support/executor.js'
import type { NaiveEntry, NaivePublication } from '../../support/naive-spaces.js'
import {
  alice,
  BOND,
  BOTH,
  bob,
  carol,
  expire,
  firm,
  NOTE,
  outsider,
  owner,
  pay,
  publish,
  revoke,
  SPACES,
  START_MS,
  setDataspaces,
  spaceWorld,
} from '../../support/spaces.js'

const DAY_MS = 86_400_000
const TRANSFER: NaiveEntry = { instruction: 'asset::transfer', definition: BOND }
const ANYTHING: NaiveEntry = {}

let bench: Bench
beforeEach(() => {
  bench = spaceWorld()
})

const manifest = (entries: readonly NaiveEntry[], more: Partial<NaivePublication> = {}): NaivePublication => ({
  space: 7,
  account: alice,
  version: 1,
  entries,
  ...more,
})
const published = (entries: readonly NaiveEntry[], more: Partial<NaivePublication> = {}) =>
  bench.run(owner, publish(manifest(entries, more)))
const usage = (account: AccountId, entry: number) => bench.state.get(spaceUsage, { dataspace: 7n, account, entry })

describe('PublishManifest', () => {
  it('rejects each invalid manifest with its error code', () => {
    const limited = { ...TRANSFER, max: 5n, window: 'day' as const }
    const cases: readonly (readonly [string, readonly NaiveEntry[], Partial<NaivePublication>?])[] = [
      ['absent', [ANYTHING], { space: 8 }],
      ['unknown_account', [ANYTHING], { account: accountNamed('nobody') }],
      ['bad_version', [ANYTHING], { version: 0 }],
      ['bad_version', [ANYTHING], { version: 2 }],
      ['bad_manifest', []],
      ['bad_manifest', [{ instruction: 'asset', max: 5n, window: 'day' }]],
      ['bad_manifest', [{ definition: BOND, window: 'day' }]],
      ['bad_manifest', [{ definition: BOND, max: 5n }]],
      ['bad_manifest', [{ ...limited, max: 0n }]],
      ['bad_manifest', [{ ...limited, max: -1n }]],
      ['bad_manifest', [{ ...limited, max: 1n << 500n }]],
      ['bad_manifest', [{ counterparty: '*@nowhere' }]],
      ['bad_manifest', [ANYTHING, { counterparty: '*@nowhere', isDenial: true }]],
      ['bad_manifest', [ANYTHING], { from: START_MS + 5, until: START_MS + 5 }],
      ['bad_manifest', [ANYTHING], { until: START_MS }],
      ['bad_manifest', [ANYTHING], { from: START_MS - 10, until: START_MS - 5 }],
    ]
    for (const [code, entries, more] of cases) {
      expect(published(entries, more), JSON.stringify([code, entries.length])).toBe(code)
    }
    expect(bench.state.get(spaceManifests, { dataspace: 7n, account: alice })).toBeUndefined()
    expect(published([limited], { until: START_MS + 1 })).toBeUndefined()
  })

  it('refuses the universal dataspace', () => {
    bench.genesis(owner, core.permission('grant', 'CanPublishManifests', '0', owner))
    expect(published([ANYTHING], { space: 0 })).toBe('bad_manifest')
  })

  it('checks dataspace, permission, account, version and content in this order', () => {
    const unregistered = accountNamed('nobody')
    const faults = { space: 8, account: unregistered, version: 5, entries: [] }
    expect(bench.run(alice, publish(faults))).toBe('absent')
    expect(bench.run(alice, publish({ ...faults, space: 7 }))).toBe('not_permitted')
    expect(bench.run(owner, publish({ ...faults, space: 7 }))).toBe('unknown_account')
    expect(bench.run(owner, publish({ ...faults, space: 7, account: alice }))).toBe('bad_version')
    expect(bench.run(owner, publish({ ...faults, space: 7, account: alice, version: 1 }))).toBe('bad_manifest')
  })

  it('cannot be encoded with more than 32 entries', () => {
    const { value } = publish(manifest(Array.from({ length: 33 }, () => ANYTHING)))
    expect(() => spaces.publishManifest.schema.encode(value as never)).toThrow(/32/)
  })

  it('requires the permission for the dataspace in the manifest', () => {
    expect(bench.run(outsider, publish(manifest([ANYTHING])))).toBe('not_permitted')
    bench.genesis(owner, core.permission('grant', 'CanPublishManifests', '9', outsider))
    expect(bench.run(outsider, publish(manifest([ANYTHING])))).toBe('not_permitted')
    expect(bench.run(outsider, publish(manifest([ANYTHING], { space: 9 })))).toBeUndefined()
  })

  it('replaces the manifest together with its revocation and usage, and emits events', () => {
    const limited = { ...TRANSFER, max: 5n, window: 'day' as const }
    expect(published([limited])).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 5n))).toBeUndefined()
    expect(bench.run(owner, revoke(7, alice))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBe('space_denied')
    expect(published([limited], { version: 2 })).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 5n))).toBeUndefined()
    expect(usage(alice, 0)).toMatchObject({ version: 2, spent: core.units(5n) })
    const publishedEvents = bench.events.filter((event) => isEvent(event, events.spaceManifestPublished))
    expect(publishedEvents.map(({ value }) => value)).toEqual(
      [1, 2].map((version) => ({ dataspace: 7n, account: alice, version })),
    )
    expect(bench.eventKinds).toContain('spaceManifestRevoked')
  })
})

describe('RevokeManifest', () => {
  it('checks presence, permission and revocation in this order', () => {
    expect(bench.run(alice, revoke(7, alice))).toBe('absent')
    published([ANYTHING])
    expect(bench.run(alice, revoke(7, alice))).toBe('not_permitted')
    expect(bench.run(owner, revoke(7, alice))).toBeUndefined()
    expect(bench.run(alice, revoke(7, alice))).toBe('not_permitted')
    expect(bench.run(owner, revoke(7, alice))).toBe('exists')
  })

  it('takes effect immediately, also for later transactions of its block', () => {
    published([TRANSFER])
    expect(bench.run(alice, pay(alice, bob, 1n))).toBeUndefined()
    expect(bench.run(owner, revoke(7, alice, 'over'))).toBeUndefined()
    expect(bench.run(alice, core.log('beside'), pay(alice, bob, 1n))).toBe('space_denied')
  })
})

describe('ExpireManifest', () => {
  it('lets any account remove an expired manifest with its usage, but none before its expiry', () => {
    expect(bench.run(bob, expire(7, alice))).toBe('absent')
    published([{ ...TRANSFER, max: 5n, window: 'day' }], { until: START_MS + 100 })
    bench.run(alice, pay(alice, bob, 1n))
    expect(usage(alice, 0)).toBeDefined()
    bench.timeMs = START_MS + 99
    expect(bench.run(bob, expire(7, alice))).toBe('manifest_live')
    bench.timeMs = START_MS + 100
    expect(bench.run(bob, expire(7, alice))).toBeUndefined()
    expect([bench.state.get(spaceManifests, { dataspace: 7n, account: alice }), usage(alice, 0)]).toEqual([
      undefined,
      undefined,
    ])
    expect(bench.eventKinds).toContain('spaceManifestExpired')
    expect(published([ANYTHING])).toBeUndefined()
  })

  it('rejects a manifest that has no expiry', () => {
    published([ANYTHING])
    bench.timeMs += 400 * DAY_MS
    expect(bench.run(bob, expire(7, alice))).toBe('manifest_live')
  })
})

describe('a dataspace manifest', () => {
  it('applies from its start up to, but not including, its expiry', () => {
    published([TRANSFER], { from: START_MS + 10, until: START_MS + 20 })
    const at = (ms: number) => {
      bench.timeMs = START_MS + ms
      return bench.run(alice, pay(alice, bob, 1n))
    }
    expect([9, 10, 19, 20].map(at)).toEqual(['space_denied', undefined, undefined, 'space_denied'])
  })

  it('denies an instruction if any entry denies it, whatever the order of the entries', () => {
    published([TRANSFER, { instruction: 'asset', counterparty: '*@bank', isDenial: true }])
    expect(bench.run(alice, pay(alice, outsider, 1n))).toBe('space_denied')
    expect(bench.run(alice, pay(alice, bob, 1n))).toBeUndefined()
  })

  it('can deny or allow instructions that move no value', () => {
    const rate = core.setKey({ kind: 'definition', value: BOND }, 'rating', 'AAA')
    expect(published([ANYTHING, { instruction: 'metadata', isDenial: true }], { account: owner })).toBeUndefined()
    expect(bench.run(owner, rate)).toBe('space_denied')
    expect(published([ANYTHING], { account: owner, version: 2 })).toBeUndefined()
    expect(bench.run(owner, rate)).toBeUndefined()
  })

  it('that allows only a definition does not admit any instruction', () => {
    published([{ definition: BOND }])
    expect(bench.run(alice, pay(alice, bob, 1n))).toBe('space_denied')
    published([{ definition: BOND }, { instruction: 'transfer', definition: NOTE }], { version: 2 })
    // The instruction is admitted by the second entry, the movement by the first.
    expect(bench.run(alice, pay(alice, bob, 1n))).toBeUndefined()
  })

  it('does not admit a definition that is not in its entries', () => {
    published([TRANSFER])
    expect(bench.run(alice, pay(alice, bob, 1n, NOTE))).toBe('space_denied')
  })

  it('does not limit accounts of the dataspace itself or holders of CanUseDataspace', () => {
    const denial = [{ isDenial: true }]
    expect(published(denial, { account: bob })).toBeUndefined()
    expect(published(denial)).toBeUndefined()
    bench.genesis(owner, core.permission('grant', 'CanUseDataspace', '7', alice))
    expect(bench.run(bob, pay(bob, alice, 1n))).toBeUndefined()
    expect(bench.run(alice, pay(alice, bob, 1n))).toBeUndefined()
  })

  it('is ignored after its account is registered again', () => {
    const dora = accountNamed('dora')
    bench.genesis(owner, core.registerAccount(dora))
    expect(published([{ ...TRANSFER, max: 5n, window: 'day' }], { account: dora })).toBeUndefined()
    bench.genesis(owner, core.mint(dora, 5n, BOND))
    expect(bench.run(dora, pay(dora, bob, 5n))).toBeUndefined()
    bench.genesis(owner, instruction(accounts.unregisterAccount, { id: dora }), core.registerAccount(dora))
    bench.genesis(owner, core.mint(dora, 5n, BOND))
    expect(bench.run(dora, pay(dora, bob, 1n))).toBe('space_denied')
    expect(bench.run(owner, revoke(7, dora))).toBe('absent')
    expect(published([{ ...TRANSFER, max: 5n, window: 'day' }], { account: dora })).toBeUndefined()
    // Nothing of the usage of the account before remains.
    expect(bench.run(dora, pay(dora, bob, 5n))).toBeUndefined()
  })

  it('of a removed dataspace is ignored, and can be removed', () => {
    const third = { id: 11n, alias: 'third', faultTolerance: 1, restricted: true, relayers: [] }
    const more = setDataspaces(...SPACES, third)
    bench.genesis(owner, more)
    bench.genesis(owner, core.permission('grant', 'CanPublishManifests', '11', owner))
    expect(published([ANYTHING], { space: 11 })).toBeUndefined()
    expect(bench.run(bob, expire(11, alice))).toBe('manifest_live')
    bench.genesis(owner, BOTH)
    expect(bench.run(owner, revoke(11, alice))).toBe('absent')
    bench.genesis(owner, more)
    expect(bench.run(owner, revoke(11, alice))).toBe('absent')
    expect(bench.run(bob, expire(11, alice))).toBeUndefined()
  })
})

describe('an amount limit in a manifest', () => {
  const pays = (...amounts: readonly bigint[]) => amounts.map((amount) => bench.run(alice, pay(alice, bob, amount)))

  it('applies across the transactions of a block, and across the movements of a transaction', () => {
    published([{ ...TRANSFER, max: 40n, window: 'day' }])
    expect(bench.run(alice, pay(alice, bob, 20n), pay(alice, carol, 15n))).toBeUndefined()
    expect(pays(6n, 5n, 1n)).toEqual(['space_denied', undefined, 'space_denied'])
  })

  it('is not used up by a failed transaction', () => {
    published([{ ...TRANSFER, max: 40n, window: 'day' }])
    expect(bench.run(alice, pay(alice, bob, 40n), core.transfer(alice, alice, 1n))).toBe('self_transfer')
    expect(pays(40n)).toEqual([undefined])
  })

  it('is reset for each transaction, minute or day', () => {
    for (const [window, lengthMs] of [
      ['minute', 60_000],
      ['day', DAY_MS],
    ] as const) {
      bench = spaceWorld()
      published([{ ...TRANSFER, max: 5n, window }])
      const begin = Math.ceil(START_MS / lengthMs) * lengthMs
      bench.timeMs = begin
      expect(pays(5n, 1n)).toEqual([undefined, 'space_denied'])
      bench.timeMs = begin + lengthMs - 1
      expect(pays(1n)).toEqual(['space_denied'])
      bench.timeMs = begin + lengthMs
      expect(pays(5n, 1n)).toEqual([undefined, 'space_denied'])
    }
    bench = spaceWorld()
    published([{ ...TRANSFER, max: 5n, window: 'transaction' }])
    expect(pays(5n, 5n)).toEqual([undefined, undefined])
    expect(bench.run(alice, pay(alice, bob, 3n), pay(alice, bob, 3n))).toBe('space_denied')
  })

  it('passes any excess on to the next matching entry', () => {
    published([
      { ...TRANSFER, max: 5n, window: 'day' },
      { ...TRANSFER, counterparty: '*@depot', max: 10n, window: 'minute' },
    ])
    expect(pays(4n, 8n, 2n, 1n, 1n)).toEqual([undefined, undefined, undefined, undefined, 'space_denied'])
    expect([usage(alice, 0), usage(alice, 1)].map((row) => row?.spent)).toEqual([core.units(5n), core.units(10n)])
  })

  it('applies to the account that pays, not to the authority of the transaction', () => {
    bench.genesis(owner, core.mint(firm, 10n, BOND))
    published([{ ...TRANSFER, max: 5n, window: 'day' }], { account: firm })
    expect(bench.run(alice, core.propose(firm, pay(firm, bob, 6n)))).toBeUndefined()
    expect(bench.eventKinds).toContain('proposalFailed')
    expect(bench.run(alice, core.propose(firm, pay(firm, bob, 5n)))).toBeUndefined()
    expect(usage(firm, 0)?.spent).toEqual(core.units(5n))
  })
})

describe('value in an escrow of a guest', () => {
  it('counts against the limit when it enters escrow, and not again when it is released', () => {
    bench = spaceWorld(DEPOSIT_ABI)
    published([{ instruction: 'deposit', definition: BOND, max: 10n, window: 'day' }])
    const make = (key: Buffer, amount: bigint) =>
      instruction(deposit.makeDeposit, {
        key,
        asset: core.balance(alice, BOND),
        to: bob,
        dueMs: undefined,
        amount: core.units(amount),
      })
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    expect(bench.run(alice, make(first, 10n))).toBeUndefined()
    expect(usage(alice, 0)?.spent).toEqual(core.units(10n))
    expect(bench.run(alice, make(second, 1n))).toBe('space_denied')
    expect(bench.run(carol, instruction(deposit.payDeposit, { key: first }))).toBeUndefined()
    expect(usage(alice, 0)?.spent).toEqual(core.units(10n))
  })

  it('is not released by a due run if the entry requires a certain instruction', () => {
    for (const [instruction_, isPaid] of [
      ['deposit', false],
      [undefined, true],
    ] as const) {
      bench = spaceWorld(DEPOSIT_ABI)
      published([{ ...(instruction_ === undefined ? {} : { instruction: instruction_ }), definition: BOND }])
      const key = Buffer.alloc(32, 1)
      const held = { key, asset: core.balance(alice, BOND), to: bob, dueMs: undefined, amount: core.units(1n) }
      expect(bench.run(alice, instruction(deposit.makeDeposit, held)) === undefined).toBe(true)
      const gate = gateAt(DEPOSIT_ABI.policies, bench.state, bench.height)
      const move = { source: alice, to: bob, definition: BOND, amount: core.units(1n) }
      expect(gate?.wouldMove(bench.state, bench.timeMs, move) === undefined).toBe(isPaid)
    }
  })

  it('is released to other accounts only if an entry admits the release', () => {
    bench = spaceWorld(DEPOSIT_ABI)
    published([{ instruction: 'make', definition: BOND }])
    const key = Buffer.alloc(32, 1)
    const held = { key, asset: core.balance(alice, BOND), to: carol, dueMs: undefined, amount: core.units(1n) }
    expect(bench.run(alice, instruction(deposit.makeDeposit, held))).toBeUndefined()
    expect(bench.run(bob, instruction(deposit.payDeposit, { key }))).toBe('space_denied')
    expect(bench.run(bob, instruction(deposit.returnDeposit, { key }))).toBeUndefined()
  })
})

describe('an instruction executed by a contract', () => {
  /** Deploys a contract at the bank that transfers one bond of its own to Bob; its address. */
  function transferring(): AccountId {
    const codeOf = (self: AccountId) => {
      const bytes = anyInstruction.encode(pay(self, bob, 1n), ABI_2.codec('cw'))
      const code = handwritten({ go: [...host('execute', 0, bytes.length), DROP] }, bytes)
      return { code, manifest: manifestOf(code, [entry('go')]) }
    }
    const deployedAs = (self: AccountId): AccountId => {
      bench = spaceWorld()
      const { code, manifest } = codeOf(self)
      const artifact = artifactHashOf(code, manifest)
      bench.genesis(owner, register(code, manifest), deploy(artifact))
      return addressOf(bench)
    }
    // The address does not depend on the code.
    const self = deployedAs(alice)
    expect(deployedAs(self)).toBe(self)
    bench.genesis(owner, core.mint(self, 10n, BOND))
    return self
  }

  it('is checked by its own label, as is its movement of value', () => {
    const cases: readonly (readonly [readonly NaiveEntry[], bigint])[] = [
      [[{ instruction: 'asset::transfer', definition: BOND }], 9n],
      [[{ instruction: 'contract::call', definition: BOND }], 10n],
      [
        [
          { instruction: 'asset::transfer', definition: NOTE },
          { instruction: 'contract', definition: BOND },
        ],
        10n,
      ],
    ]
    for (const [entries, left] of cases) {
      const self = transferring()
      expect(published(entries, { account: self })).toBeUndefined()
      expect(bench.run(outsider, call(self, 'go'))).toBeUndefined()
      expect(bench.state.get(balances, { definition: BOND, account: self })?.mantissa).toBe(left)
    }
  })
})

describe('manifest rows', () => {
  /** Runs a transfer on a ledger that counts reads of these rows. */
  function readsOf(from: AccountId, abi = bench.abi): number {
    let reads = 0
    const { state } = bench
    const noted = (row: RowKey): RowKey => {
      if ([spaceManifests.id, spaceUsage.id].includes(tableIdOf(row))) reads += 1
      return row
    }
    const watched: RowReader = {
      getRow: (table, row) => state.getRow(table, noted(row)),
      hasRow: (row) => state.hasRow(noted(row)),
      held: (row) => state.held(noted(row)),
    }
    const other = new Bench(watched, abi)
    other.timeMs = bench.timeMs
    other.run(from, pay(from, from === bob ? carol : bob, 1n))
    return reads
  }

  it('are not read for accounts of the dataspace and holders of CanUseDataspace', () => {
    bench.genesis(owner, core.permission('grant', 'CanUseDataspace', '7', outsider))
    published([TRANSFER])
    expect([bob, outsider].map((from) => readsOf(from))).toEqual([0, 0])
    expect(readsOf(alice)).toBeGreaterThan(0)
  })

  it('are not read under ABI 1, which does not support manifests', () => {
    expect(readsOf(alice, ABI_1)).toBe(0)
    expect(ABI_1.policies.spaceGrants).toBeUndefined()
  })
})
