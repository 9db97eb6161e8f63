/** Voters change by instruction, two heights ahead, within the rules of membership (docs/design/consensus.md 1). */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMOTION_HEIGHTS, faultBudget, quorumOf, sortRoster } from '../../../src/consensus/index.js'
import { generateKeyPair, type KeyPair } from '../../../src/crypto/index.js'
import {
  type Abi,
  addKey,
  committeeAt,
  consensusKeys,
  dropRosters,
  keyOfPeer,
  peerKeys,
  peers,
  rosterAt,
  rosterFor,
  rosters,
  SINGLETON_KEY,
  scheduleHeight,
  scheduleOf,
  statusOfKey,
} from '../../../src/executor/index.js'
import {
  advanceSchedule,
  recordFailures,
  recordSigners,
  SEEN_RENEWALS_PER_WINDOW,
} from '../../../src/executor/membership.js'
import { failures, lastSigned, PEERS_MAX, peerList, rosterStarts } from '../../../src/executor/tables.js'
import { ABI_1, ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { ACTIVATION_WITHIN_BLOCKS } from '../../../src/features/peers/ledger/instructions.js'
import { instructions as peerInstructions } from '../../../src/features/peers/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import {
  accountKeyOf,
  accountOfKey,
  BLS_KEY_BYTES,
  type Instruction,
  instruction,
  keyBytes,
  keyString,
  type QuorumCertificate,
} from '../../../src/model/index.js'
import { ROW_MAX_BYTES } from '../../../src/state/index.js'
import { popOf, type TestPeer, testPeer } from '../../support/chain.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { seeded } from '../../support/seeded.js'

const SEED = Buffer.alloc(32, 3)
const owner = accountNamed('owner')
const outsider = accountNamed('stranger')
/** Height of the blocks that the bench runs. */
const NOW = 2

/** Certificate of height 2 by the first three members, with an unverified signature. */
const CERTIFICATE: QuorumCertificate = {
  phase: 'commit',
  height: 2,
  view: 0,
  blockHash: Buffer.alloc(32),
  committeeHash: Buffer.alloc(32),
  bitmap: Buffer.of(0b0111),
  aggregate: Buffer.alloc(96),
}

let members: TestPeer[]
let spare: KeyPair
let bench: Bench

const register = (peer: TestPeer, force = false, role: 'validator' | 'observer' = 'validator'): Instruction =>
  instruction(peerInstructions.registerPeer, { peer: { ...peer.peer, role }, force })
const unregister = (peer: TestPeer, force = false): Instruction =>
  instruction(peerInstructions.unregisterPeer, { peer: peer.peer.key, force })
const rotate = (peer: TestPeer, pair: KeyPair, activeFrom?: number): Instruction =>
  instruction(peerInstructions.rotateConsensusKey, {
    peer: peer.peer.key,
    newKey: keyString(pair.publicKey.bytes),
    pop: popOf(pair),
    activeFrom,
  })
const disable = (key: string, force = false): Instruction =>
  instruction(peerInstructions.disableConsensusKey, { key, force })
const at = (index: number): TestPeer => members[index] as TestPeer
/** All of the given peers signed the certificate of the height before. */
const signed = (...seen: readonly TestPeer[]): void =>
  bench.state.set(lastSigned, SINGLETON_KEY, new Map(seen.map((one) => [one.peer.key, NOW - 1])))

beforeAll(async () => {
  members = await Promise.all(Array.from({ length: 8 }, (_, index) => testPeer(index)))
  spare = await generateKeyPair('bls', Buffer.from('spare'))
})

beforeEach(() => begin(ABI_1, 4))

/** A network of the first peers. */
function begin(abi: Abi, validators: number): void {
  bench = new Bench(undefined, abi)
  const grant = (name: string): Instruction =>
    instruction(permissions.grant, {
      subject: { kind: 'permission', value: { name, object: undefined } },
      to: { kind: 'account', value: owner },
    })
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: new Map() }),
    instruction(accounts.registerAccount, { id: owner, domain: 'bank', label: undefined, metadata: new Map() }),
    grant('CanManagePeers'),
    grant('CanManageConsensusKeys'),
    ...members.slice(0, validators).map((peer) => register(peer)),
  )
  for (const height of [2, 3]) scheduleHeight(seeded(bench.state, SEED), height)
  signed(...members.slice(0, validators))
}

describe('a peer that replaces and disables all its keys in one block', () => {
  const leave = (peer: TestPeer) => {
    const steps = [rotate(peer, spare), disable(peer.peer.key), disable(keyString(spare.publicKey.bytes))]
    return steps.map((one) => bench.run(owner, one))
  }
  const rosterSize = (): number => rosterFor(bench.state, NOW + 2).roster.length

  it('leaves the roster under the membership rules', () => {
    begin(ABI_2, 4)
    signed(at(0), at(1), at(2))
    expect(leave(at(1))).toEqual([undefined, undefined, 'quorum_not_seen'])
    expect(rosterSize()).toBe(4)
    signed(at(0), at(2), at(3))
    expect(bench.run(owner, disable(keyString(spare.publicKey.bytes)))).toBeUndefined()
    expect(rosterSize()).toBe(3)
    // It is the one change that a block may make.
    expect(bench.run(owner, unregister(at(2)))).toBe('membership_cap')
  })

  it('cannot leave as the last validator, even with force', () => {
    begin(ABI_2, 1)
    expect(leave(at(0))).toEqual([undefined, undefined, 'last_validator'])
    expect(bench.run(owner, disable(keyString(spare.publicKey.bytes), true))).toBe('last_validator')
    expect(rosterSize()).toBe(1)
  })

  it('keeps its old key without a check if that key was not disabled', () => {
    begin(ABI_2, 4)
    signed()
    expect(bench.run(owner, rotate(at(1), spare))).toBeUndefined()
    expect(bench.run(owner, disable(keyString(spare.publicKey.bytes)))).toBeUndefined()
    expect(rosterFor(bench.state, NOW + 2).roster).toContain(at(1).peer.key)
  })

  it('was not checked under ABI 1', () => {
    signed(at(0), at(1), at(2))
    expect(leave(at(1))).toEqual([undefined, undefined, undefined])
    expect(rosterSize()).toBe(3)
  })
})

describe('a peer with the network key of another one', () => {
  const duplicate = (): TestPeer => ({ ...at(4), peer: { ...at(4).peer, networkKey: at(1).peer.networkKey } })

  it.each(['validator', 'observer'] as const)('is refused as a %s, because one node would count twice', (role) => {
    begin(ABI_2, 4)
    expect(bench.run(owner, register(duplicate(), true, role))).toBe('exists')
    expect(bench.run(owner, register(at(4), true, role))).toBeUndefined()
  })

  it('was accepted under ABI 1', () => {
    expect(bench.run(owner, register(duplicate()))).toBeUndefined()
  })
})

describe('joining and leaving', () => {
  it('take effect two heights later, so that determined rosters do not change', () => {
    expect(bench.run(owner, register(at(4)))).toBeUndefined()
    scheduleHeight(seeded(bench.state, SEED), NOW + 2)
    expect(scheduleOf(bench.state, 3).roster).toHaveLength(4)
    expect(scheduleOf(bench.state, 4).roster).toEqual(sortRoster(members.slice(0, 5).map((one) => one.peer.key)))
  })

  it('need CanManagePeers', () => {
    expect(bench.run(outsider, register(at(4)))).toBe('not_permitted')
    expect(bench.run(outsider, unregister(at(0)))).toBe('not_permitted')
  })

  it('are limited to max(1, f) members in each block', () => {
    expect(bench.run(owner, register(at(4)))).toBeUndefined()
    expect(bench.run(owner, register(at(5)))).toBe('membership_cap')
    expect(bench.run(owner, unregister(at(0)))).toBe('membership_cap')
  })

  it('are limited only for validators, not for observers', () => {
    expect(bench.run(owner, register(at(4), false, 'observer'), register(at(5), false, 'observer'))).toBeUndefined()
    expect(bench.run(owner, unregister(at(5)))).toBeUndefined()
    expect(rosterFor(bench.state, NOW + 2).roster).toHaveLength(4)
    // Neither do they wait for a quorum that was seen.
    signed(at(0), at(1))
    expect(bench.run(owner, unregister(at(4)))).toBeUndefined()
  })

  it('are refused, unless forced, if fewer members signed recently than the quorum of the new roster', () => {
    signed(at(0), at(1))
    expect(bench.run(owner, register(at(4)))).toBe('quorum_not_seen')
    expect(bench.state.get(peers, at(4).peer.key)).toBeUndefined()
    expect(bench.run(owner, register(at(4), true))).toBeUndefined()
  })

  it('never remove a member that the remaining members need for a quorum', () => {
    signed(at(0), at(1), at(2))
    expect(bench.run(owner, unregister(at(0)))).toBe('quorum_not_seen')
    expect(bench.run(owner, unregister(at(3)))).toBeUndefined()
  })

  it('never remove the last validator, even with force', () => {
    const alone = new Bench()
    alone.genesis(owner, register(at(0)))
    expect(alone.genesis.bind(alone, owner, unregister(at(0), true))).toThrow('last_validator')
  })

  it('never accept a used key again', () => {
    expect(bench.run(owner, register(at(0)))).toBe('key_reused')
    expect(bench.run(owner, unregister(at(3)))).toBeUndefined()
    expect(bench.run(owner, register(at(3), true))).toBe('key_reused')
  })

  it('refuse a proof of possession of another key', () => {
    const forged = { ...at(4), peer: { ...at(4).peer, pop: at(5).peer.pop } }
    expect(bench.run(owner, register(forged))).toBe('bad_proof_of_possession')
  })

  it('report an unknown peer as absent', () => {
    expect(bench.run(owner, unregister(at(6)))).toBe('absent')
  })
})

describe('a consensus key', () => {
  const key = () => keyString(spare.publicKey.bytes)

  it('is replaced at its height, retires, and is disabled', () => {
    expect(bench.run(owner, rotate(at(1), spare, 10))).toBeUndefined()
    expect([9, 10].map((height) => keyOfPeer(bench.state, at(1).peer.key, height))).toEqual([at(1).peer.key, key()])
    const before = bench.state.get(consensusKeys, at(1).peer.key)
    const after = bench.state.get(consensusKeys, key())
    if (before === undefined || after === undefined) throw new Error('both keys have rows')
    expect([9, 10, 17, 18].map((height) => statusOfKey(before, height, 8))).toEqual([
      'active',
      'retiring',
      'retiring',
      'disabled',
    ])
    expect([9, 10, 18].map((height) => statusOfKey(after, height, 8))).toEqual(['pending', 'active', 'active'])
  })

  it('keeps the name of its peer in rosters', () => {
    expect(bench.run(owner, rotate(at(1), spare))).toBeUndefined()
    const { roster, rotated } = rosterFor(bench.state, NOW + 2)
    expect(roster).toContain(key())
    expect(roster).not.toContain(at(1).peer.key)
    expect(rotated.get(key())).toBe(at(1).peer.key)
  })

  it('can be rotated by the account of its peer, but by other accounts only with permission', () => {
    const itself = accountOfKey(accountKeyOf('ed25519', keyBytes(at(1).peer.networkKey)))
    const other = accountOfKey(accountKeyOf('ed25519', keyBytes(at(2).peer.networkKey)))
    expect(bench.run(other, rotate(at(1), spare))).toBe('not_permitted')
    expect(bench.run(itself, rotate(at(1), spare))).toBeUndefined()
  })

  it('takes effect two heights later at the earliest, and each peer has at most one pending key', () => {
    expect(bench.run(owner, rotate(at(1), spare, NOW + 1))).toBe('bad_activation')
    expect(bench.run(owner, rotate(at(1), spare))).toBeUndefined()
    expect(bench.run(owner, rotate(at(1), at(6).bls))).toBe('exists')
    // Checks that cost a pairing come last.
    const another = rotate(at(1), at(6).bls)
    const forged = { ...another, value: { ...(another.value as object), pop: Buffer.alloc(96) } }
    expect(bench.run(owner, forged)).toBe('exists')
    expect(bench.run(owner, rotate(at(2), spare))).toBe('key_reused')
  })

  it('can take effect up to the last allowed height, but not later', () => {
    const last = NOW + ACTIVATION_WITHIN_BLOCKS
    expect(bench.run(owner, rotate(at(1), spare, last + 1))).toBe('bad_activation')
    expect(bench.run(owner, rotate(at(1), spare, last))).toBeUndefined()
  })

  it('can be disabled while pending, and the previous key then stays active', () => {
    expect(bench.run(owner, rotate(at(1), spare, 10))).toBeUndefined()
    expect(bench.run(owner, disable(key()))).toBeUndefined()
    expect(keyOfPeer(bench.state, at(1).peer.key, 12)).toBe(at(1).peer.key)
    expect(bench.run(owner, disable(key()))).toBe('exists')
  })

  it('can be disabled while active, and its peer then leaves the roster under the membership rules', () => {
    signed(at(0), at(1))
    expect(bench.run(owner, disable(at(1).peer.key))).toBe('quorum_not_seen')
    signed(...members.slice(0, 4))
    expect(bench.run(owner, disable(at(1).peer.key))).toBeUndefined()
    expect(rosterFor(bench.state, NOW + 2).roster).toHaveLength(3)
    expect(bench.run(owner, disable(at(2).peer.key))).toBe('membership_cap')
  })
})

describe('members that failed in a view', () => {
  const CHAIN_HASH = Buffer.alloc(32)
  const failedBy = (): ReadonlyMap<string, number> => bench.state.get(failures, SINGLETON_KEY) ?? new Map()
  /** Key without a known secret. */
  const keyOf = (number: number): string => keyString(Buffer.from(String(number).padStart(BLS_KEY_BYTES, '0')))
  /** One height in which the members of so many views failed. */
  const runHeight = (height: number, originView: number): void => {
    recordFailures(bench.state, { height, originView }, undefined, CHAIN_HASH)
    advanceSchedule(bench.state, height)
  }

  it('are recorded as peers, so that rotations do not enlarge the record', () => {
    const [peer] = members.map((one) => one.peer)
    if (peer === undefined) throw new Error('there are members')
    for (let height = 2; height <= 2 + 3 * 2 * PEERS_MAX; height++) {
      if (height % 3 === 0)
        addKey(bench.state, { key: keyOf(height), peer: peer.key, pop: peer.pop }, height + 2, height)
      runHeight(height, height % 3 === 2 ? 4 : 0)
    }
    expect([...failedBy().keys()].sort()).toEqual(
      members
        .slice(0, 4)
        .map((one) => one.peer.key)
        .sort(),
    )
    expect(failures.value.encode(failedBy()).length).toBeLessThan(4 * 64)
  })

  it('are the proposers of views before the parent certificate and before the first view of the block', () => {
    const orderOf = (height: number) => committeeAt(scheduleOf(bench.state, height), CHAIN_HASH, height).order
    const parent = { ...CERTIFICATE, height: 2, view: 2 }
    recordFailures(bench.state, { height: 3, originView: 1 }, parent, CHAIN_HASH)
    const expected = new Map([
      ...orderOf(2)
        .slice(0, 2)
        .map((key) => [key, 2] as const),
      ...orderOf(3)
        .slice(0, 1)
        .map((key) => [key, 3] as const),
    ])
    expect(failedBy()).toEqual(expected)
  })

  it('do not end their demotion by a rotation', () => {
    runHeight(2, 1)
    const { demoted } = scheduleOf(bench.state, 4)
    expect(demoted).toHaveLength(1)
    const failed = members.find((one) => one.peer.key === demoted[0])
    if (failed === undefined) throw new Error('a member failed')
    const { key, pop } = failed.peer
    addKey(bench.state, { key: keyOf(1), peer: key, pop }, 5, 3)
    runHeight(3, 0)
    expect(scheduleOf(bench.state, 5).roster).toContain(keyOf(1))
    expect(scheduleOf(bench.state, 5).demoted).toEqual([keyOf(1)])
  })

  it('are demoted for 32 heights after their last failure, and leave the record with the next failure', () => {
    runHeight(2, 1)
    const [peer] = failedBy().keys()
    for (let height = 3; height <= 2 + DEMOTION_HEIGHTS; height++) runHeight(height, 0)
    expect(scheduleOf(bench.state, 2 + DEMOTION_HEIGHTS).demoted).toEqual([peer])
    expect(scheduleOf(bench.state, 3 + DEMOTION_HEIGHTS).demoted).toEqual([])
    expect(failedBy().get(peer ?? '')).toBe(2)
    runHeight(3 + DEMOTION_HEIGHTS, 1)
    expect([...failedBy().values()]).toEqual([3 + DEMOTION_HEIGHTS])
  })

  it('leave the record when their peer is removed', () => {
    runHeight(2, 4)
    expect(failedBy().size).toBe(4)
    expect(bench.run(owner, unregister(at(3)))).toBeUndefined()
    expect(failedBy().has(at(3).peer.key)).toBe(false)
    // It may still be in the roster of the height whose failures are noted next.
    runHeight(3, 4)
    expect(failedBy().has(at(3).peer.key)).toBe(false)
  })
})

describe('the list of peers', () => {
  it('refuses another peer at its limit, and no record grows further', async () => {
    const known = bench.state.get(peerList, SINGLETON_KEY) ?? []
    const others = Array.from({ length: PEERS_MAX - known.length }, (_, number) =>
      keyString(Buffer.from(String(number).padStart(BLS_KEY_BYTES, '0'))),
    )
    bench.state.set(peerList, SINGLETON_KEY, [...known, ...others])
    expect(bench.run(owner, register(at(4), false, 'observer'))).toBe('membership_cap')
    expect(peerList.value.encode(bench.state.get(peerList, SINGLETON_KEY) ?? []).length).toBeLessThanOrEqual(
      ROW_MAX_BYTES,
    )
    bench.state.set(peerList, SINGLETON_KEY, [...known, ...others.slice(1)])
    expect(bench.run(owner, register(at(4), false, 'observer'))).toBeUndefined()
  })
})

describe('rosters by height', () => {
  it('have a row only at each change, and old rows are removed', () => {
    for (let height = 2; height <= 40; height++) advanceSchedule(bench.state, height)
    expect(bench.state.get(rosterStarts, SINGLETON_KEY)).toEqual([2])
    expect(bench.run(owner, unregister(at(3)))).toBeUndefined()
    for (let height = 41; height <= 50; height++) advanceSchedule(bench.state, height)
    expect(bench.state.get(rosterStarts, SINGLETON_KEY)).toEqual([2, 43])
    expect(rosterAt(bench.state, 42)?.roster).toHaveLength(4)
    expect(rosterAt(bench.state, 43)?.roster).toHaveLength(3)
  })

  it('record all signers of a certificate if no signer is recorded', () => {
    const row = scheduleOf(bench.state, 2)
    expect(row.roster).toHaveLength(4)
    bench.state.set(lastSigned, SINGLETON_KEY, new Map())
    recordSigners(bench.state, CERTIFICATE, Buffer.alloc(32))
    expect(bench.state.get(lastSigned, SINGLETON_KEY)?.size).toBe(3)
  })

  it('renew the record of a member only after an eighth of the window', () => {
    const noted = (height: number) => {
      scheduleHeight(seeded(bench.state, SEED), height)
      recordSigners(bench.state, { ...CERTIFICATE, height, bitmap: Buffer.of(0b1111) }, Buffer.alloc(32))
      return new Set(bench.state.get(lastSigned, SINGLETON_KEY)?.values())
    }
    signed(...members.slice(0, 4))
    // Noted at height 1; the window has 100 blocks.
    const renewAfter = Math.ceil(100 / SEEN_RENEWALS_PER_WINDOW)
    expect(noted(renewAfter)).toEqual(new Set([1]))
    expect(noted(1 + renewAfter)).toEqual(new Set([1 + renewAfter]))
  })

  it('change when two peers swap keys, although the sorted list of keys is the same', () => {
    const rosterOf = () => bench.state.get(rosters, bench.state.get(rosterStarts, SINGLETON_KEY)?.at(-1) ?? 0)
    advanceSchedule(bench.state, 2)
    const [first, second] = members.map(({ peer }) => peer.key) as [string, string]
    // The two swap their keys: the sorted list stays, who is who does not.
    for (const [key, peer] of [
      [first, second],
      [second, first],
    ] as const) {
      bench.state.set(consensusKeys, key, {
        peer,
        pop: Buffer.alloc(96),
        activeFrom: 2,
        replacedFrom: undefined,
        disabledFrom: undefined,
      })
      bench.state.set(peerKeys, peer, [key])
    }
    advanceSchedule(bench.state, 3)
    expect(bench.state.get(rosterStarts, SINGLETON_KEY)).toEqual([2, 5])
    expect([...(rosterOf()?.rotated ?? [])]).toEqual(
      expect.arrayContaining([
        [first, second],
        [second, first],
      ]),
    )
  })

  it('are removed when no longer needed, eight per block', () => {
    const starts = Array.from({ length: 30 }, (_, index) => 2 + index)
    const row = rosterAt(bench.state, 2)
    if (row === undefined) throw new Error('the roster of height 2 is fixed')
    for (const start of starts) bench.state.set(rosters, start, row)
    bench.state.set(rosterStarts, SINGLETON_KEY, starts)
    dropRosters(bench.state, 20)
    expect(bench.state.get(rosterStarts, SINGLETON_KEY)).toEqual(starts.slice(8))
    dropRosters(bench.state, 20)
    dropRosters(bench.state, 20)
    // The one that acts at height 21 stays.
    expect(bench.state.get(rosterStarts, SINGLETON_KEY)?.[0]).toBe(21)
    expect([20, 21].map((start) => bench.state.has(rosters, start))).toEqual([false, true])
  })
})

describe('the quorum table of the specification', () => {
  it('is correct for rosters of 1 to 31', () => {
    const rows = Array.from({ length: 31 }, (_, index) => {
      const n = index + 1
      return [n, faultBudget(n), quorumOf(n)]
    })
    for (const [n = 0, f = 0, quorum = 0] of rows) {
      expect(f).toBe(n < 4 ? 0 : Math.floor((n - 1) / 3))
      expect(quorum).toBe(n < 4 ? n : 2 * f + 1)
    }
    expect(rows.filter(([n = 0]) => [1, 3, 4, 7, 10, 13, 31].includes(n))).toEqual([
      [1, 0, 1],
      [3, 0, 3],
      [4, 1, 3],
      [7, 2, 5],
      [10, 3, 7],
      [13, 4, 9],
      [31, 10, 21],
    ])
  })
})
