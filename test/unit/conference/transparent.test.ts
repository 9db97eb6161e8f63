/** Transparent calls on the ledger: every code, the order of checks, and that a call that ended takes no more writes. */
import { beforeEach, describe, expect, it } from 'vitest'
import { calls, signals } from '../../../src/features/conference/ledger/tables.js'
import { instructions as conference } from '../../../src/features/conference/schema/instructions.js'
import { SIGNALS_MAX } from '../../../src/features/conference/schema/records.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { instruction } from '../../../src/model/definition.js'
import {
  admit,
  alice,
  bob,
  CALL,
  callOf,
  carol,
  conferenceBench,
  create,
  dave,
  end,
  hop,
  join,
  leave,
  mallory,
  registerRelay,
  report,
  sendSignal,
  setManifest,
  use,
} from '../../support/conference.js'
import { accountNamed, type Bench } from '../../support/executor.js'

let bench: Bench
beforeEach(() => {
  bench = conferenceBench({ keys: false })
})
const grant = () =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name: 'CanCreateConference', object: 'meet' } },
    to: { kind: 'account', value: bob },
  })

describe('creating a call', () => {
  it('is allowed for the domain owner and for holders of its permission, without any verifying key', () => {
    expect(bench.run(alice, create())).toBeUndefined()
    expect(bench.eventKinds.slice(-2)).toEqual(['conferenceRosterSummary', 'conferenceUsageSummary'])
    expect(callOf(bench)).toMatchObject({ host: alice, status: 'active', memberCount: 0, createdAtMs: 1_000 })
    expect(bench.run(bob, create({ name: 'two' }))).toBe('not_permitted')
    expect(bench.run(mallory, create({ privacyMode: 'zkRosterV1', name: 'three' }))).toBe('not_permitted')
    expect(bench.run(alice, create({ privacyMode: 'zkRosterV1', name: 'three' }))).toBeUndefined()
  })

  it.each([
    ['absent', { domain: 'nowhere' }],
    ['conference_artefacts_forbidden', { admission: 'open' }],
    ['conference_artefacts_forbidden', { admissionKeys: [Buffer.alloc(32, 1)] }],
    ['conference_bad_capacity', { maxParticipants: 0 }],
    ['conference_bad_capacity', { maxParticipants: 1_001 }],
    ['conference_bad_capacity', { privacyMode: 'zkRosterV1', maxParticipants: 65 }],
    ['conference_bad_billing', { billingAccount: bob }],
    ['conference_not_listed', { privacyMode: 'zkRosterV1', admission: 'open', admissionKeys: [Buffer.alloc(32, 1)] }],
    ['conference_bad_admission_key', { privacyMode: 'zkRosterV1', admissionKeys: [Buffer.alloc(32)] }],
    ['conference_manifest_expired', { relayManifest: { hops: [], expiryMs: 1_000 } }],
    ['conference_bad_hops', { relayManifest: { hops: [hop(bob), hop(bob), hop(carol)], expiryMs: 1_001 } }],
  ] as const)('is refused with %s for %o', (code, more) => {
    expect(bench.run(alice, create(more))).toBe(code)
  })

  it('succeeds only once per name, even after the call has ended', () => {
    bench.run(alice, create())
    expect(bench.run(alice, create())).toBe('exists')
    bench.run(alice, end())
    expect(bench.run(alice, create())).toBe('exists')
  })

  it('checks in order: the domain, the mode, the authority, the id, the bounds', () => {
    bench.run(alice, create())
    expect(bench.run(mallory, create({ domain: 'nowhere', admission: 'open' }))).toBe('absent')
    expect(bench.run(mallory, create({ admission: 'open' }))).toBe('conference_artefacts_forbidden')
    expect(bench.run(mallory, create({ maxParticipants: 0 }))).toBe('not_permitted')
    expect(bench.run(alice, create({ maxParticipants: 0 }))).toBe('exists')
    expect(bench.run(alice, create({ name: 'x', maxParticipants: 0, billingAccount: bob }))).toBe(
      'conference_bad_capacity',
    )
  })

  it('can be granted to another account', () => {
    expect(bench.run(alice, grant())).toBeUndefined()
    expect(bench.run(bob, create())).toBeUndefined()
  })

  it('prevents the removal of the domain until the call ends, so that a later domain has no earlier host', () => {
    const unregister = instruction(domains.unregisterDomain, { id: 'other' })
    const stop = (call: string) => instruction(conference.endConference, { call, endedAtMs: undefined })
    const register = instruction(domains.registerDomain, { id: 'other', dataspace: undefined, metadata: new Map() })
    bench.genesis(alice, register)
    for (const name of ['one', 'two']) expect(bench.run(alice, create({ domain: 'other', name }))).toBeUndefined()
    expect(bench.run(alice, unregister)).toBe('not_empty')
    expect(bench.run(alice, stop('other:one'))).toBeUndefined()
    expect(bench.run(alice, unregister)).toBe('not_empty')
    expect(bench.run(alice, stop('other:two'))).toBeUndefined()
    expect(bench.run(alice, unregister)).toBeUndefined()
    bench.genesis(bob, register)
    expect(bench.run(alice, sendSignal('hello', { call: 'other:one' }))).toBe('conference_ended')
  })
})

describe('joining and leaving', () => {
  beforeEach(() => {
    bench.run(alice, create({ maxParticipants: 2 }))
  })

  it('counts the participants', () => {
    expect(bench.run(bob, join())).toBeUndefined()
    expect(bench.run(alice, join({ participant: carol }))).toBeUndefined()
    expect(callOf(bench).memberCount).toBe(2)
    expect(bench.run(dave, join())).toBe('conference_full')
    expect(bench.run(alice, leave({ participant: bob }))).toBeUndefined()
    expect(bench.run(bob, leave())).toBe('conference_not_joined')
    expect(bench.run(dave, join())).toBeUndefined()
    expect(callOf(bench).memberCount).toBe(2)
  })

  it.each([
    ['conference_not_found', bob, join({ call: 'meet:other' })],
    ['conference_artefacts_forbidden', bob, join({ commitment: Buffer.alloc(32) })],
    ['conference_artefacts_forbidden', bob, join({ session: 0 })],
    ['conference_artefacts_forbidden', bob, leave({ proof: { vkHash: Buffer.alloc(32), bytes: Buffer.alloc(0) } })],
    ['not_permitted', mallory, join({ participant: bob })],
    ['not_permitted', mallory, leave({ participant: bob })],
    ['conference_participant_is_host', alice, join()],
    ['conference_participant_is_host', alice, leave()],
    ['unknown_account', alice, join({ participant: accountNamed('nobody') })],
    ['conference_not_joined', bob, leave()],
  ] as const)('is refused with %s', (code, authority, instruction) => {
    expect(bench.run(authority, instruction)).toBe(code)
  })

  it('is refused for a participant that has already joined', () => {
    bench.run(bob, join())
    expect(bench.run(bob, join())).toBe('conference_already_joined')
    expect(bench.run(bob, join(), leave())).toBe('conference_already_joined')
  })
})

describe('usage', () => {
  it('accumulates up to the rate for each started minute', () => {
    bench.run(alice, create({ gasRatePerMinute: 5n }))
    expect(bench.run(alice, use(60_001n, 10n))).toBeUndefined()
    expect(bench.run(alice, use(60_000n, 6n))).toBe('conference_overbilled')
    expect(bench.run(alice, use(0n))).toBe('conference_bad_duration')
    expect(bench.run(bob, use(1n))).toBe('conference_not_host')
    expect(callOf(bench)).toMatchObject({ totalDurationMs: 60_001n, totalBilledGas: 10n, segments: 1 })
  })

  it('is refused without effect if it exceeds 64 bits', () => {
    bench.run(alice, create())
    expect(bench.run(alice, use(2n ** 64n - 1n, 2n ** 64n - 1n))).toBeUndefined()
    expect(bench.run(alice, use(1n))).toBe('overflow')
    expect(callOf(bench).segments).toBe(1)
  })
})

describe('an ended call', () => {
  it('refuses every write', () => {
    bench.run(alice, create())
    bench.run(bob, join())
    for (const relay of [bob, carol, dave]) bench.run(relay, registerRelay(relay))
    expect(bench.run(alice, setManifest([hop(bob), hop(carol), hop(dave)]))).toBeUndefined()
    expect(bench.run(alice, end(999))).toBe('conference_bad_end_time')
    expect(bench.run(alice, end(1_001))).toBe('conference_bad_end_time')
    expect(bench.run(bob, end())).toBe('conference_not_host')
    expect(bench.run(alice, end())).toBeUndefined()
    expect(callOf(bench)).toMatchObject({ status: 'ended', endedAtMs: 1_000 })
    const before = bench.state.get(signals, { call: CALL, index: 0 })
    for (const one of [
      join(),
      leave(),
      use(1n),
      end(),
      setManifest(undefined),
      report(bob),
      admit([]),
      sendSignal('x'),
    ]) {
      expect(bench.run(alice, one)).toBe('conference_ended')
      expect(bench.run(mallory, one)).toBe('conference_ended')
    }
    expect(bench.state.get(signals, { call: CALL, index: 0 })).toBe(before)
  })
})

describe('signals', () => {
  it('are accepted from the host and participants, and keep their order', () => {
    bench.run(alice, create())
    expect(bench.run(bob, sendSignal('early'))).toBe('not_permitted')
    bench.run(bob, join())
    expect(bench.run(bob, sendSignal('hello'), sendSignal('again'))).toBeUndefined()
    expect(bench.run(alice, sendSignal('host'))).toBeUndefined()
    expect(bench.run(alice, sendSignal('x', { commitment: Buffer.alloc(32) }))).toBe('conference_artefacts_forbidden')
    expect(bench.state.get(signals, { call: CALL, index: 2 })).toMatchObject({ from: alice, atMs: 1_000 })
    expect(callOf(bench).signalCount).toBe(3)
  })

  it('beyond the bound evict the oldest, so that one participant does not silence the others', () => {
    bench.run(alice, create())
    bench.run(mallory, join())
    const row = (index: number) => bench.state.get(signals, { call: CALL, index })
    expect(bench.run(mallory, sendSignal('first'), sendSignal('second'))).toBeUndefined()
    bench.state.set(calls, CALL, { ...callOf(bench), signalCount: SIGNALS_MAX })
    expect(bench.run(alice, sendSignal('host'))).toBeUndefined()
    expect([row(0), row(1)?.from, row(SIGNALS_MAX)?.from]).toEqual([undefined, mallory, alice])
    expect(callOf(bench).signalCount).toBe(SIGNALS_MAX + 1)
    bench.state.set(calls, CALL, { ...callOf(bench), signalCount: 2 ** 32 - 1 })
    expect(bench.run(alice, sendSignal('host'))).toBe('conference_signal_limit')
  })
})

describe('a key list', () => {
  it('is refused in a transparent call', () => {
    bench.run(alice, create())
    expect(bench.run(alice, admit([Buffer.alloc(32)]))).toBe('conference_not_listed')
  })
})
