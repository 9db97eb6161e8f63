/** Private calls on the ledger: what proofs are asked for, in which order, and everything that a member or a stranger tried. */
import { describe, expect, it } from 'vitest'
import { clearOutcomes } from '../../../src/crypto/circuits/proof-outcomes.js'
import { ORDER } from '../../../src/crypto/sigma/group.js'
import { setParameterNow } from '../../../src/executor/parameters.js'
import { calls, nullifiers, roots } from '../../../src/features/conference/ledger/tables.js'
import { CONFERENCE_MAX_RING } from '../../../src/features/conference/schema/parameters.js'
import { instructions as zk } from '../../../src/features/zk/schema.js'
import { instruction } from '../../../src/model/definition.js'
import {
  admit,
  alice,
  bob,
  CALL,
  callOf,
  carol,
  conferenceBench,
  configure,
  dave,
  end,
  join,
  keyFor,
  leave,
  mallory,
  privateJoin,
  privateLeave,
  privately,
  privateSignal,
  privateUse,
  registerKey,
  seatsOf,
  sendSignal,
  use,
  VK,
} from '../../support/conference.js'
import type { Bench } from '../../support/executor.js'

const MEMBERS = ['ann', 'ben', 'cat', 'dan']
function listed(members = MEMBERS): Bench {
  const bench = conferenceBench()
  expect(bench.run(alice, privately({ admissionKeys: members.map(keyFor) }))).toBeUndefined()
  return bench
}
function open(): Bench {
  const bench = conferenceBench()
  bench.run(alice, privately({ admission: 'open' }))
  return bench
}
type Proof = { readonly vkHash: Uint8Array; readonly bytes: Uint8Array }
const changed = (one: { kind: string; value: object }, change: object) => ({
  ...one,
  value: { ...one.value, ...change },
})

describe('a listed call', () => {
  it('accepts members through a payer that does not appear in the call', () => {
    const bench = listed()
    expect(bench.run(carol, privateJoin(bench, 'ann', carol))).toBeUndefined()
    expect(bench.run(carol, privateJoin(bench, 'dan', carol))).toBeUndefined()
    expect(callOf(bench)).toMatchObject({ memberCount: 2, nullifierCount: 2, admissionCount: 4 })
    const summary = bench.events.findLast(({ kind }) => kind === 'conferenceRosterSummary')?.value
    expect(summary).toMatchObject({ participantCount: undefined, commitmentCount: 2, nullifierCount: 2 })
  })

  it('allows a member to leave and rejoin, for sixteen sessions, with one seat at a time', () => {
    const bench = listed()
    for (let session = 0; session <= 15; session += 1) {
      expect(bench.run(carol, privateJoin(bench, 'ann', carol, session)), `session ${session}`).toBeUndefined()
      expect(bench.run(carol, privateJoin(bench, 'ann', carol, session + 1 > 15 ? 15 : session + 1))).toBeDefined()
      expect(bench.run(carol, privateLeave(bench, 'ann', carol, session))).toBeUndefined()
    }
    expect(bench.run(carol, changed(privateJoin(bench, 'ann', carol, 15), { session: 16 }))).toBe(
      'conference_session_limit',
    )
    expect(seatsOf(bench)).toBe(0)
    expect(callOf(bench).nullifierCount).toBe(17)
  })

  it('refuses two seats for one key, whatever session it claims', () => {
    const bench = listed()
    bench.run(carol, privateJoin(bench, 'ann', carol))
    expect(bench.run(carol, privateJoin(bench, 'ann', carol))).toBe('conference_commitment_used')
    for (const session of [1, 2, 15]) {
      expect(bench.run(carol, privateJoin(bench, 'ann', carol, session))).toBe('conference_nullifier_used')
    }
    bench.run(carol, privateLeave(bench, 'ann', carol))
    expect(bench.run(carol, privateJoin(bench, 'ann', carol))).toBe('conference_nullifier_used')
    expect(bench.run(carol, privateJoin(bench, 'ann', carol, 1))).toBeUndefined()
  })

  it('refuses a copied proof from another account', () => {
    const bench = listed()
    const joining = privateJoin(bench, 'ann', carol)
    expect(bench.run(mallory, joining)).toBe('proof_refused')
    expect(bench.run(carol, joining)).toBeUndefined()
    const leaving = privateLeave(bench, 'ann', carol)
    expect(bench.run(mallory, leaving)).toBe('proof_refused')
  })

  it('refuses swapped commitments and nullifiers, and commitments and nullifiers of other members', () => {
    const bench = listed()
    const ann = privateJoin(bench, 'ann', carol).value
    const ben = privateJoin(bench, 'ben', carol).value
    expect(bench.run(carol, join({ ...ann, commitment: ben.commitment }))).toBe('proof_refused')
    expect(bench.run(carol, join({ ...ann, nullifier: ben.nullifier }))).toBe('proof_refused')
    expect(bench.run(carol, join({ ...ann, commitment: ann.nullifier, nullifier: ann.commitment }))).toBe(
      'proof_refused',
    )
    expect(bench.run(carol, join({ ...ann, commitment: Buffer.alloc(32) }))).toBe('proof_refused')
    expect(bench.run(carol, join({ ...ann, nullifier: Buffer.alloc(32, 0xff) }))).toBe('proof_refused')
    expect(seatsOf(bench)).toBe(0)
    expect(bench.state.get(nullifiers, { call: CALL, nullifier: Buffer.alloc(32, 0xff) })).toBeUndefined()
  })

  it('refuses a leave instruction for another member', () => {
    const bench = listed()
    bench.run(carol, privateJoin(bench, 'ann', carol))
    bench.run(carol, privateJoin(bench, 'ben', carol))
    const ann = privateLeave(bench, 'ann', carol).value
    const ben = privateLeave(bench, 'ben', carol).value
    expect(bench.run(carol, leave({ ...ben, commitment: ann.commitment }))).toBe('proof_refused')
    expect(bench.run(carol, leave({ ...ann, nullifier: ben.nullifier }))).toBe('proof_refused')
    expect(bench.run(carol, privateLeave(bench, 'cat', carol))).toBe('conference_not_in_roster')
  })

  it('accepts proofs about one of the last 64 rosters, and the current list', () => {
    const bench = listed()
    const early = privateJoin(bench, 'ben', carol)
    bench.run(carol, privateJoin(bench, 'ann', carol))
    expect(bench.run(carol, early)).toBeUndefined()
    bench.run(carol, privateLeave(bench, 'ben', carol))
    const stale = privateJoin(bench, 'cat', carol)
    expect(bench.run(alice, admit([keyFor('eve')]))).toBeUndefined()
    expect(bench.run(carol, stale)).toBe('conference_stale_admission')
    expect(bench.run(carol, privateJoin(bench, 'cat', carol))).toBeUndefined()
    expect(bench.run(carol, join({ ...privateJoin(bench, 'dan', carol).value, rosterRoot: VK.roster }))).toBe(
      'conference_stale_root',
    )
    const old = privateJoin(bench, 'dan', carol)
    // Sixty changes later it is among the last 64 still.
    for (let session = 0; session < 15; session += 1) {
      for (const name of ['cat', 'ben']) {
        const held = name === 'cat' ? session : session + 1
        if (name === 'cat') bench.run(carol, privateLeave(bench, name, carol, held))
        bench.run(carol, privateJoin(bench, name, carol, name === 'cat' ? held + 1 : held))
        if (name === 'ben') bench.run(carol, privateLeave(bench, name, carol, held))
      }
    }
    expect(bench.state.get(roots, CALL)?.length).toBeLessThanOrEqual(64)
    expect(bench.run(carol, old)).toBeUndefined()
  })

  it('requires at least two admitted keys, and limits their number', () => {
    const bench = listed(['ann'])
    expect(bench.run(carol, privateJoin(bench, 'ann', carol))).toBe('conference_admission_too_small')
    expect(bench.run(bob, admit([keyFor('ben')]))).toBe('conference_not_host')
    expect(bench.run(alice, admit([keyFor('ann')]))).toBe('conference_duplicate_admission_key')
    expect(bench.run(alice, admit([keyFor('ben'), keyFor('ben')]))).toBe('conference_duplicate_admission_key')
    expect(bench.run(alice, admit([Buffer.alloc(32)]))).toBe('conference_bad_admission_key')
    expect(bench.run(alice, admit([Buffer.alloc(32, 0xff)]))).toBe('conference_bad_admission_key')
    setParameterNow(bench.state, CONFERENCE_MAX_RING.name, CONFERENCE_MAX_RING.schema.encode(2))
    expect(bench.run(alice, admit([keyFor('ben'), keyFor('cat')]))).toBe('conference_admission_full')
    expect(bench.run(alice, admit([keyFor('ben')]))).toBeUndefined()
    expect(bench.run(carol, privateJoin(bench, 'ann', carol))).toBeUndefined()
  })

  it('refuses members beyond its capacity', () => {
    const bench = conferenceBench()
    bench.run(alice, privately({ admissionKeys: MEMBERS.map(keyFor), maxParticipants: 1 }))
    bench.run(carol, privateJoin(bench, 'ann', carol))
    expect(bench.run(carol, privateJoin(bench, 'ben', carol))).toBe('conference_full')
  })

  it('has the same result for cached and uncached proofs', () => {
    const bench = listed()
    const joining = privateJoin(bench, 'ann', carol)
    const bad = changed(joining, { commitment: privateJoin(bench, 'ben', carol).value.commitment })
    for (const cold of [true, false, true]) {
      if (cold) clearOutcomes()
      expect(bench.run(carol, bad)).toBe('proof_refused')
    }
    expect(bench.run(carol, joining)).toBeUndefined()
  })
})

describe('an open call', () => {
  it('accepts any wallet, with any number of seats', () => {
    const bench = open()
    for (const name of MEMBERS) expect(bench.run(dave, privateJoin(bench, name, dave))).toBeUndefined()
    expect(seatsOf(bench)).toBe(4)
    expect(bench.run(alice, admit([keyFor('eve')]))).toBe('conference_not_listed')
  })

  it('refuses a proof of a listed call, and vice versa', () => {
    const one = privateJoin(listed(), 'ann', carol).value
    expect(open().run(carol, join({ ...one, admissionRoot: undefined }))).toBe('proof_length')
    const bench = listed()
    const two = privateJoin(open(), 'ann', carol).value
    expect(bench.run(carol, join({ ...two, admissionRoot: callOf(bench).admissionRoot }))).toBe('proof_length')
  })
})

describe('a private instruction', () => {
  it('contains all required fields, and no fields of a transparent instruction', () => {
    const bench = listed()
    const { value } = privateJoin(bench, 'ann', carol)
    for (const field of ['commitment', 'nullifier', 'session', 'rosterRoot', 'admissionRoot', 'proof']) {
      expect(bench.run(carol, join({ ...value, [field]: undefined })), field).toBe('conference_artefacts_required')
    }
    expect(bench.run(carol, join({ ...value, participant: carol }))).toBe('conference_artefacts_forbidden')
    const out = privateLeave(bench, 'ann', carol).value
    for (const field of ['commitment', 'nullifier', 'rosterRoot', 'proof']) {
      expect(bench.run(carol, leave({ ...out, [field]: undefined })), field).toBe('conference_artefacts_required')
    }
    const unlisted = open()
    const joining = privateJoin(unlisted, 'ann', carol).value
    expect(unlisted.run(carol, join({ ...joining, admissionRoot: VK.roster }))).toBe('conference_artefacts_forbidden')
  })

  it('is refused with altered proof bytes: other lengths, flipped bits, s + L', () => {
    const bench = open()
    const { value } = privateJoin(bench, 'ann', carol)
    const proof = value.proof as unknown as Proof
    const withBytes = (bytes: Uint8Array) => join({ ...value, proof: { ...proof, bytes } })
    expect(bench.run(carol, withBytes(proof.bytes.subarray(1)))).toBe('proof_length')
    expect(bench.run(carol, withBytes(Buffer.alloc(864)))).toBe('proof_length')
    expect(bench.run(carol, withBytes(Buffer.alloc(0)))).toBe('proof_length')
    for (let at = 0; at < 128; at += 5) {
      const flipped = Buffer.from(proof.bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      expect(bench.run(carol, withBytes(flipped))).toBe('proof_refused')
    }
    const raised = Buffer.from(proof.bytes)
    const s = BigInt(`0x${Buffer.from(raised.subarray(64, 96)).reverse().toString('hex')}`) + ORDER
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(raised, 64)
    expect(bench.run(carol, withBytes(raised))).toBe('proof_refused')
  })
})

describe('usage of a private call', () => {
  it('is accepted once per segment, and only with the committed figures', () => {
    const bench = listed()
    const first = privateUse(bench, 60_000n, 0n)
    expect(bench.run(alice, first)).toBeUndefined()
    expect(bench.run(alice, first)).toBe('proof_refused')
    expect(bench.run(alice, privateUse(bench, 60_000n, 0n, { durationMs: 60_001n }))).toBe('proof_refused')
    expect(bench.run(alice, privateUse(bench, 60_000n, 3n, { billedGas: 2n }))).toBe('proof_refused')
    expect(bench.run(alice, privateUse(bench, 60_000n, 3n))).toBeUndefined()
    expect(callOf(bench)).toMatchObject({ segments: 2, totalDurationMs: 120_000n, totalBilledGas: 3n })
    expect(bench.run(alice, use(1n))).toBe('conference_artefacts_required')
    expect(bench.run(bob, privateUse(bench, 1n, 0n))).toBe('conference_not_host')
  })
})

describe('signals of a private call', () => {
  it('are accepted from the host or from a proven seat, through any payer', () => {
    const bench = listed()
    bench.run(carol, privateJoin(bench, 'ann', carol))
    expect(bench.run(alice, sendSignal('from the host'))).toBeUndefined()
    expect(bench.run(carol, sendSignal('from nobody'))).toBe('not_permitted')
    expect(bench.run(carol, privateSignal('ann', carol, 'hi'))).toBeUndefined()
    expect(bench.run(mallory, privateSignal('ann', carol, 'hi'))).toBe('proof_refused')
    expect(bench.run(carol, privateSignal('ann', carol, 'hi', 0, { body: Buffer.from('ho') }))).toBe('proof_refused')
    expect(bench.run(carol, privateSignal('ann', carol, 'hi', 0, { kind: 'ice' }))).toBe('proof_refused')
    expect(bench.run(carol, privateSignal('ben', carol, 'hi'))).toBe('conference_not_in_roster')
    bench.run(carol, privateLeave(bench, 'ann', carol))
    expect(bench.run(carol, privateSignal('ann', carol, 'hi'))).toBe('conference_not_in_roster')
    expect(bench.run(carol, privateSignal('ann', carol, 'hi', 0, { proof: undefined }))).toBe(
      'conference_artefacts_required',
    )
  })
})

describe('verifying keys', () => {
  /** Joins, leaves, usage and signals of a private call, which all need a key. */
  function codesOf(bench: Bench): (string | undefined)[] {
    return [
      bench.run(carol, privateJoin(bench, 'ann', carol)),
      bench.run(carol, privateLeave(bench, 'ann', carol)),
      bench.run(alice, privateUse(bench, 1n, 0n)),
      bench.run(carol, privateSignal('ann', carol, 'hi')),
    ]
  }

  it('cause only private instructions to fail if they are not configured, registered or active', () => {
    const bench = conferenceBench({ keys: false })
    expect(bench.run(alice, privately({ admissionKeys: MEMBERS.map(keyFor) }))).toBeUndefined()
    expect(codesOf(bench)).toEqual(Array(4).fill('vk_not_configured'))
    configure(bench)
    expect(codesOf(bench)).toEqual(Array(4).fill('vk_not_registered'))
    bench.genesis(alice, registerKey('roster', { status: 'proposed' }), registerKey('usage', { activationHeight: 3 }))
    expect(codesOf(bench)).toEqual(Array(4).fill('vk_inactive'))
    const update = (name: 'roster' | 'usage', version: number, more = {}) =>
      instruction(zk.updateVerifyingKey, { ...registerKey(name).value, version, ...more })
    expect(bench.run(alice, update('roster', 2))).toBe('not_permitted')
    bench.genesis(alice, update('roster', 2), update('usage', 2, { withdrawHeight: 2 }))
    expect(codesOf(bench)).toEqual([undefined, undefined, 'vk_inactive', 'conference_not_in_roster'])
    expect(() => bench.genesis(alice, update('roster', 2))).toThrow('bad_version')
    bench.genesis(alice, update('usage', 3, { blob: Buffer.from('another') }))
    expect(bench.run(alice, privateUse(bench, 1n, 0n))).toBe('vk_mismatch')
    expect(bench.run(alice, sendSignal('hi'))).toBeUndefined()
  })

  it('are refused if their commitment differs from the one in the proof', () => {
    const bench = listed()
    const { value } = privateJoin(bench, 'ann', carol)
    const other = { ...(value.proof as unknown as Proof), vkHash: VK.usage }
    expect(bench.run(carol, join({ ...value, proof: other }))).toBe('vk_mismatch')
  })

  it('are checked before the statement of the proof', () => {
    const bench = conferenceBench({ keys: false })
    bench.run(alice, privately({ admissionKeys: [keyFor('ann')] }))
    const { value } = privateJoin(bench, 'ann', carol)
    const wrong = join({ ...value, rosterRoot: VK.usage, session: 99 })
    expect(bench.run(carol, wrong)).toBe('vk_not_configured')
  })

  it('can be registered with permission, for supported backends', () => {
    const bench = conferenceBench({ keys: false })
    expect(bench.run(mallory, registerKey('roster'))).toBe('not_permitted')
    expect(() => bench.genesis(alice, registerKey('roster', { backend: 'halo2' }))).toThrow('unsupported_backend')
    bench.genesis(alice, registerKey('roster'))
    expect(() => bench.genesis(alice, registerKey('roster'))).toThrow('exists')
  })
})

describe('an instruction with several faults', () => {
  it('is refused with the first fault in this order: root, session, list, seat, nullifier, room, proof', () => {
    const bench = listed()
    bench.run(carol, privateJoin(bench, 'ann', carol))
    const { value } = privateJoin(bench, 'ann', carol)
    const all = {
      rosterRoot: VK.usage,
      session: 99,
      admissionRoot: VK.usage,
      proof: { vkHash: VK.roster, bytes: Buffer.alloc(1) },
    }
    expect(bench.run(carol, join({ ...value, ...all }))).toBe('conference_stale_root')
    const { rosterRoot } = value
    expect(bench.run(carol, join({ ...value, ...all, rosterRoot }))).toBe('conference_session_limit')
    expect(bench.run(carol, join({ ...value, ...all, rosterRoot, session: 0 }))).toBe('conference_stale_admission')
    const { admissionRoot, session } = value
    expect(bench.run(carol, join({ ...value, ...all, rosterRoot, session, admissionRoot }))).toBe(
      'conference_commitment_used',
    )
    const fresh = privateJoin(bench, 'ben', carol).value
    const { proof } = all
    expect(bench.run(carol, join({ ...fresh, nullifier: value.nullifier, proof }))).toBe('conference_nullifier_used')
    expect(bench.run(carol, join({ ...fresh, proof }))).toBe('proof_length')
    expect(bench.run(mallory, join(fresh))).toBe('proof_refused')
    bench.run(alice, end())
    expect(bench.run(mallory, join({ ...fresh, ...all }))).toBe('conference_ended')
    expect(bench.state.get(calls, CALL)?.memberCount).toBe(1)
  })
})
