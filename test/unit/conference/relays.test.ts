/** Relays on the ledger: registration, lists, manifests, health, and what is counted. */

import { beforeEach, describe, expect, it } from 'vitest'
import { manifests, relays, relayTotalsRows } from '../../../src/features/conference/ledger/tables.js'
import { instructions as conference } from '../../../src/features/conference/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { instruction } from '../../../src/model/index.js'
import {
  alice,
  bob,
  CALL,
  carol,
  conferenceBench,
  create,
  dave,
  hop,
  mallory,
  registerRelay,
  report,
  setManifest,
} from '../../support/conference.js'
import type { Bench } from '../../support/executor.js'

let bench: Bench
const HOPS = [hop(bob), hop(carol), hop(dave)]
const allow = (list: readonly string[] | undefined) =>
  instruction(conference.setConferenceRelayAllowList, { domain: 'meet', relays: list })
const totals = () => bench.state.get(relayTotalsRows, 'meet')
const countOf = (kind: string): number => bench.eventKinds.filter((one) => one === kind).length

beforeEach(() => {
  bench = conferenceBench({ keys: false })
  bench.run(alice, create())
  for (const relay of [bob, carol, dave]) expect(bench.run(relay, registerRelay(relay))).toBeUndefined()
})

describe('a relay', () => {
  it('registers itself in one domain, and registers again to change its key', () => {
    expect(bench.run(mallory, registerRelay(bob))).toBe('not_permitted')
    expect(bench.run(bob, registerRelay(bob, { domain: 'nowhere' }))).toBe('absent')
    bench.genesis(
      alice,
      instruction(domains.registerDomain, { id: 'other', dataspace: undefined, metadata: new Map() }),
    )
    expect(bench.run(bob, registerRelay(bob, { domain: 'other' }))).toBe('conference_relay_other_domain')
    expect(bench.run(bob, registerRelay(bob, { hpkePublicKey: Buffer.alloc(32, 8) }))).toBeUndefined()
    expect(bench.state.get(relays, bob)?.counters.registrations).toBe(2n)
    expect(totals()).toMatchObject({ unreported: 3n, counters: { registrations: 4n } })
  })

  it('belongs to its registered domain, and not to a later domain with the same name', () => {
    const other = instruction(domains.registerDomain, { id: 'other', dataspace: undefined, metadata: new Map() })
    bench.genesis(alice, other)
    expect(bench.run(mallory, registerRelay(mallory, { domain: 'other' }))).toBeUndefined()
    expect(bench.run(alice, instruction(domains.unregisterDomain, { id: 'other' }))).toBeUndefined()
    bench.genesis(alice, other)
    expect(bench.run(mallory, registerRelay(mallory, { domain: 'meet' }))).toBeUndefined()
    expect(totals()).toMatchObject({ unreported: 4n })
    const row = bench.state.get(relays, bob)
    if (row === undefined) throw new Error('no relay')
    bench.state.set(relays, bob, { ...row, home: { height: 999, index: 0 } })
    expect(bench.run(alice, setManifest(HOPS))).toBe('conference_relay_not_registered')
    expect(bench.run(bob, registerRelay(bob))).toBeUndefined()
    expect(bench.run(alice, setManifest(HOPS))).toBeUndefined()
  })

  it('must be in the relay list of its domain if there is one', () => {
    expect(bench.run(mallory, allow([bob]))).toBe('not_permitted')
    expect(bench.run(alice, allow([bob, bob]))).toBeUndefined()
    expect(bench.run(mallory, registerRelay(mallory))).toBe('conference_relay_not_allowed')
    expect(bench.run(alice, setManifest(HOPS))).toBe('conference_relay_not_allowed')
    expect(bench.run(alice, allow(undefined))).toBeUndefined()
    expect(bench.run(alice, setManifest(HOPS))).toBeUndefined()
  })
})

describe('a list of relays', () => {
  const unregister = instruction(domains.unregisterDomain, { id: 'other' })
  const allowOther = (list: readonly string[] | undefined) =>
    instruction(conference.setConferenceRelayAllowList, { domain: 'other', relays: list })

  it('prevents the removal of its domain, so that a later domain of the same name does not inherit the list', () => {
    bench.genesis(
      alice,
      instruction(domains.registerDomain, { id: 'other', dataspace: undefined, metadata: new Map() }),
    )
    for (const list of [[bob], [bob, carol]]) expect(bench.run(alice, allowOther(list))).toBeUndefined()
    expect(bench.run(alice, unregister)).toBe('not_empty')
    for (const _ of [1, 2]) expect(bench.run(alice, allowOther(undefined))).toBeUndefined()
    expect(bench.run(alice, unregister)).toBeUndefined()
  })
})

describe('a manifest', () => {
  it.each([
    ['conference_manifest_expired', setManifest(HOPS, 1_000)],
    ['conference_bad_hops', setManifest(HOPS.slice(1))],
    ['conference_bad_hops', setManifest([hop(bob), hop(bob), hop(carol)])],
    ['conference_bad_hops', setManifest([hop(bob), hop(carol), hop(dave, { weight: 0 })])],
    ['conference_relay_not_registered', setManifest([...HOPS, hop(mallory)])],
    [
      'conference_relay_key_mismatch',
      setManifest([hop(bob), hop(carol), hop(dave, { hpkePublicKey: Buffer.alloc(32, 9) })]),
    ],
  ] as const)('is refused with %s', (code, instruction) => {
    expect(bench.run(alice, instruction)).toBe(code)
    expect(bench.run(bob, instruction)).toBe('conference_not_host')
  })

  it('emits an event when it changes, and once when it is cleared', () => {
    for (let turn = 0; turn < 2; turn += 1) expect(bench.run(alice, setManifest(HOPS))).toBeUndefined()
    expect(countOf('conferenceRelayManifestUpdated')).toBe(1)
    for (let turn = 0; turn < 2; turn += 1) expect(bench.run(alice, setManifest(undefined))).toBeUndefined()
    expect(countOf('conferenceRelayManifestUpdated')).toBe(2)
    expect(bench.events.at(-1)?.value).toEqual({ call: CALL, hopCount: 0, expiryMs: 0 })
    expect(bench.state.get(manifests, CALL)).toBeUndefined()
  })

  it('is a failover if it replaces an unexpired manifest with other hops', () => {
    bench.run(mallory, registerRelay(mallory))
    bench.run(alice, setManifest(HOPS))
    bench.run(alice, setManifest(HOPS, 9_500))
    expect(totals()?.counters.failovers).toBe(0n)
    bench.run(alice, setManifest([hop(bob), hop(carol), hop(mallory)]))
    expect(totals()?.counters).toMatchObject({ failovers: 1n, manifestUpdates: 3n })
    expect(bench.state.get(relays, dave)?.counters.failovers).toBe(1n)
    expect(bench.state.get(relays, bob)?.counters.failovers).toBe(0n)
    bench.timeMs = 10_000
    bench.run(alice, setManifest(HOPS, 20_000))
    expect(totals()?.counters.failovers).toBe(1n)
  })
})

describe('a report', () => {
  beforeEach(() => {
    bench.run(alice, setManifest(HOPS))
  })

  it('is accepted from the host about a hop if it is newer than the last and not from the future', () => {
    expect(bench.run(bob, report(bob))).toBe('conference_not_host')
    expect(bench.run(alice, report(mallory))).toBe('conference_relay_not_in_manifest')
    expect(bench.run(alice, report(bob, { reportedAtMs: 1_001 }))).toBe('conference_report_in_future')
    expect(bench.run(alice, report(bob, { reportedAtMs: 900 }))).toBeUndefined()
    expect(bench.run(alice, report(bob, { reportedAtMs: 900 }))).toBeUndefined()
    expect(countOf('conferenceRelayHealthUpdated')).toBe(1)
    expect(bench.run(alice, report(bob, { reportedAtMs: 900, status: 'degraded' }))).toBe('conference_report_stale')
    expect(bench.run(alice, report(bob, { status: 'unavailable', notes: 'gone' }))).toBeUndefined()
    expect(totals()).toMatchObject({ healthy: 0n, unavailable: 1n, unreported: 2n, counters: { healthReports: 2n } })
    bench.timeMs = 9_000
    expect(bench.run(alice, report(bob, { reportedAtMs: 8_000 }))).toBe('conference_relay_not_in_manifest')
  })
})
